import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { crfProfileNames } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { Breakpoint } from '#src/frame/breakpoints.ts'
import { centerIn } from '#src/frame/lists/centerChoice.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { useCenters, useVersions } from '#src/data/hooks/projects.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { BarPanel } from './BarPanel.tsx'
import { CenterList } from './CenterList.tsx'
import { DeleteProjectDialog } from './DeleteProjectDialog.tsx'
import { DraftDialog } from './DraftDialog.tsx'
import { FunctionsDialog } from './FunctionsDialog.tsx'
import { MemberList } from './MemberList.tsx'
import { MoreList } from './MoreList.tsx'
import { StatusChangeDialog } from './StatusChangeDialog.tsx'
import { VersionList } from './VersionList.tsx'
import type { BarDialog, BarList } from './barDialogs.ts'
import classes from './bar.module.css'

interface ProjectBarProps {
  readonly project: ProjectRow
  readonly versionId: string | null
  readonly breakpoint: Breakpoint
}

/** Lists that fit into the bar itself; the others are in the more menu. */
const inBar: Readonly<Record<Breakpoint, readonly BarList[]>> = {
  0: [],
  1: [],
  2: ['version'],
  3: ['version', 'center', 'member'],
}
const lists: readonly BarList[] = ['version', 'center', 'member']

/** The project's part of the top bar: versions, centers, members, and the more menu. */
export function ProjectBar({ project, versionId, breakpoint }: ProjectBarProps) {
  const { t } = useTranslation(['shell', 'common'])
  const navigate = useNavigate()
  const labels = useListLabels(project.id, versionId)
  const [dialog, setDialog] = useState<BarDialog | null>(null)
  const close = () => setDialog(null)
  const content = (list: BarList, onChosen: () => void) => {
    switch (list) {
      case 'version': {
        const draft = () => {
          onChosen()
          setDialog({ kind: 'draft' })
        }
        return <VersionList project={project} versionId={versionId} onChosen={onChosen} onDraft={draft} />
      }
      case 'center':
        return <CenterList projectId={project.id} versionId={versionId} onChosen={onChosen} />
      case 'member':
        return <MemberList project={project} onChosen={onChosen} />
    }
  }
  const shown = inBar[breakpoint]
  const others = lists.filter((list) => !shown.includes(list)).map((list) => ({ list, label: labels[list] }))
  return (
    <>
      {shown.map((list) => (
        <BarPanel key={list} label={labels[list]} button={<span className={classes.text}>{labels[list]}</span>}>
          {(closePanel) => content(list, closePanel)}
        </BarPanel>
      ))}
      <BarPanel label={t('more.title')} bare button={<IconDots size={22} aria-hidden="true" />}>
        {(closePanel) => <MoreList project={project} lists={others} onChosen={closePanel} onDialog={setDialog} />}
      </BarPanel>
      {dialog?.kind === 'list' && (
        <Sheet onClose={close} title={labels[dialog.list]}>
          {content(dialog.list, close)}
        </Sheet>
      )}
      {dialog?.kind === 'draft' && (
        <DraftDialog
          projectId={project.id}
          onClose={close}
          onMade={() => void navigate(reloadPath(`/p/${project.id}/admin/crfHistory`))}
        />
      )}
      {dialog?.kind === 'functions' && <FunctionsDialog project={project} onClose={close} />}
      {dialog?.kind === 'status' && <StatusChangeDialog project={project} to={dialog.to} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteProjectDialog project={project} onClose={close} />}
    </>
  )
}

/** The labels of the lists: with the current version, and the chosen center or the number of centers. */
function useListLabels(projectId: string, versionId: string | null): Readonly<Record<BarList, string>> {
  const { t, i18n } = useTranslation('shell')
  const { search } = useLocation()
  const versions = useVersions(projectId)
  const centers = useCenters(projectId)
  const version = versions.state === 'ready' ? versions.value.find(({ id }) => id === versionId) : undefined
  const stages = crfProfileNames[i18n.language === 'en' ? 'en' : 'zh']
  const all = centers.state === 'ready' ? centers.value : []
  const chosen = all.find(({ id }) => id === centerIn(new URLSearchParams(search)))
  return {
    version: version === undefined ? t('version.title') : `${version.versionNoDesc} ${stages[version.crfProfile]}`,
    center: chosen?.centerName ?? t('center.title', { count: all.length }),
    member: t('member.title'),
  }
}
