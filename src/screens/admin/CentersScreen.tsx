import { IconBuildingHospital, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { CenterRow } from '#core/api/sync/rows.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { AddCenterDialog } from './center/AddCenterDialog.tsx'
import { EditCenterDialog } from './center/EditCenterDialog.tsx'

/** The centers of a project. */
export function CentersScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('admin')
  const centers = useServerQuery('center.list', {
    query: { projectId: project.id, current: 1, size: 1000 },
    projectId: project.id,
  })
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<CenterRow | null>(null)
  const mayManage = project.permissions.includes('mem')
  const common = project.config.numberTemplate
  const columns = useColumns(mayManage ? setEditing : null)
  const addButton = (
    <ServerButton size="md" leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('site.add')}
    </ServerButton>
  )
  return (
    <PageFrame title={t('site.title')} actions={mayManage ? addButton : undefined}>
      <Loaded of={centers} rows={4}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState
              icon={<IconBuildingHospital size={44} stroke={1.4} />}
              title={t('site.empty.title')}
              text={t('site.empty.text')}
              {...(mayManage ? { action: addButton } : {})}
            />
          ) : (
            <DataTable caption={t('site.title')} rows={records} rowKey={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
      {adding && <AddCenterDialog projectId={project.id} onClose={() => setAdding(false)} />}
      {editing !== null && (
        <EditCenterDialog projectId={project.id} common={common} center={editing} onClose={() => setEditing(null)} />
      )}
    </PageFrame>
  )
}

/** @param onEdit null where the user changes no center */
function useColumns(onEdit: ((center: CenterRow) => void) | null): readonly DataColumn<CenterRow>[] {
  const { t } = useTranslation('admin')
  return [
    { key: 'name', title: t('site.columns.name'), cell: ({ centerName }) => centerName },
    { key: 'code', title: t('site.columns.code'), short: true, cell: ({ centerCode }) => centerCode },
    {
      key: 'status',
      title: t('site.columns.status'),
      short: true,
      cell: ({ status }) => t(`site.status.${status}`),
    },
    {
      key: 'plan',
      title: t('site.columns.plan'),
      align: 'right',
      cell: ({ planEnrolls }) => planEnrolls ?? '',
    },
    {
      key: 'numbers',
      title: t('site.columns.numbers'),
      short: true,
      cell: ({ numberTemplate }) => numberTemplate ?? t('template.asProject'),
    },
    ...(onEdit !== null
      ? [
          {
            key: 'edit',
            title: t('site.columns.action'),
            pinned: true as const,
            cell: (center: CenterRow) => (
              <ServerButton
                size="md"
                variant="subtle"
                leftSection={<IconPencil size={18} aria-hidden="true" />}
                aria-label={t('site.editOf', { name: center.centerName })}
                onClick={() => onEdit(center)}
              >
                {t('site.edit')}
              </ServerButton>
            ),
          },
        ]
      : []),
  ]
}
