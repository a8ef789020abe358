import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { studyName } from '#core/study/studyName.ts'
import { ProjectStatusTag } from '#src/frame/ProjectStatusTag.tsx'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

interface ProjectTableProps {
  readonly projects: readonly ProjectRow[]
  readonly onOpen: (project: ProjectRow) => void
}

/** Projects as a table. */
export function ProjectTable({ projects, onOpen }: ProjectTableProps) {
  const { t } = useTranslation('projects')
  const language = useLanguage()
  return (
    <DataTable
      caption={t('title')}
      rows={projects}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'name',
          title: t('columns.name'),
          cell: (project) => (
            <Anchor component="button" type="button" size="sm" mih={44} ta="left" onClick={() => onOpen(project)}>
              {studyName(project.projectName, language)}
            </Anchor>
          ),
        },
        {
          key: 'status',
          title: t('columns.status'),
          short: true,
          cell: ({ projectStatus }) => <ProjectStatusTag status={projectStatus} />,
        },
        {
          key: 'mode',
          title: t('columns.mode'),
          short: true,
          cell: ({ projectScopeCode }) =>
            t(projectScopeCode === 'areamultiple' ? 'mode.areamultiple' : 'mode.areasingle'),
        },
        { key: 'role', title: t('columns.role'), short: true, cell: ({ role }) => t(`role.${role}`) },
      ]}
    />
  )
}
