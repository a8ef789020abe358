import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconDeviceTablet, IconKeyboard } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionRow } from '#core/sync/rows.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/errorText.ts'
import { fullTime } from '#src/ui/format.ts'

import { Canvas } from './Canvas.tsx'
import { ConflictList } from './ConflictList.tsx'
import { DesignTree } from './DesignTree.tsx'
import { Palette } from './Palette.tsx'
import { ProblemsPanel } from './ProblemsPanel.tsx'
import { Properties } from './Properties.tsx'
import type { DesignSession, DesignView } from './designSession.ts'
import classes from './design.module.css'
import { openPage, presentIn } from './selection.ts'
import { useClipboard } from './useClipboard.ts'
import { useProblems } from './useProblems.ts'

// The engine that fills a form comes when one is tried.
const PreviewDialog = lazy(async () => ({ default: (await import('./PreviewDialog.tsx')).PreviewDialog }))

interface DesignerProps {
  readonly session: DesignSession
  readonly view: DesignView
  readonly projectId: string
  readonly version: VersionRow
  readonly canEdit: boolean
  readonly isDraft: boolean
  /** Whether this device has edits that cannot be saved, because the version is no draft any more. */
  readonly waits: boolean
}

/** Tree, page and properties side by side, with what can be done above and what is wrong below. */
export function Designer({ session, view, projectId, version, canEdit, isDraft, waits }: DesignerProps) {
  const { t } = useTranslation('design')
  const [previewed, setPreviewed] = useState(false)
  const [keysShown, setKeysShown] = useState(false)
  const selection = presentIn(view.design, view.selection)
  const open = openPage(selection)
  const form = open === null ? null : (view.design.pages.get(open.pageId)?.form ?? null)
  const clipboard = useClipboard(session)
  const problems = useProblems(view.design)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!canEdit || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const inText = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) session.undo()
    else if (key === 'y' || (key === 'z' && event.shiftKey)) session.redo()
    // In a text box these are the text's own.
    else if (inText || !clipboard.onKey(key)) return
    event.preventDefault()
  }
  return (
    // Keys of the whole designer: what they do has a button each.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.designer} onKeyDown={onKeyDown}>
      <div className={classes.bar}>
        <h1 className={classes.title}>
          {t('title')} <span className={classes.version}>{version.versionNoDesc}</span>
        </h1>
        {canEdit && (
          <>
            <IconAction label={t('actions.undo')} disabled={!view.canUndo} onClick={() => session.undo()} icon={<IconArrowBackUp size={20} aria-hidden="true" />} />
            <IconAction label={t('actions.redo')} disabled={!view.canRedo} onClick={() => session.redo()} icon={<IconArrowForwardUp size={20} aria-hidden="true" />} />
            <IconAction label={t('actions.keys')} onClick={() => setKeysShown(!keysShown)} icon={<IconKeyboard size={20} aria-hidden="true" />} />
          </>
        )}
        <Button size="sm" h={40} variant="default" leftSection={<IconDeviceTablet size={18} aria-hidden="true" />} disabled={form === null} onClick={() => setPreviewed(true)}>
          {t('actions.preview')}
        </Button>
        {canEdit && <Saving view={view} />}
      </div>
      {!canEdit && <Note tone="info">{t(isDraft ? 'readOnlyRights' : 'readOnly')}</Note>}
      {waits && <Note tone="warning">{t('waits')}</Note>}
      {keysShown && (
        <Note tone="info" title={t('keys.title')}>
          {t('keys.list')}
        </Note>
      )}
      {view.joined !== null && (
        <Note tone="info" live>
          {t('joined', { name: view.joined.name, time: fullTime(view.joined.at) })}
        </Note>
      )}
      {view.conflicts.length > 0 && <ConflictList session={session} view={view} />}
      <div className={classes.panes} data-editable={canEdit || undefined}>
        <div className={classes.left}>
          <DesignTree session={session} projectId={projectId} design={view.design} selection={selection} canEdit={canEdit} />
          {canEdit && form !== null && <Palette session={session} />}
        </div>
        <Canvas session={session} design={view.design} selection={selection} canEdit={canEdit} clipboard={clipboard} />
        <Properties session={session} design={view.design} selection={selection} canEdit={canEdit} />
      </div>
      <ProblemsPanel design={view.design} problems={problems} onGo={(to) => session.select(to)} />
      {previewed && open !== null && (
        <Suspense fallback={null}>
          <PreviewDialog design={view.design} place={open} onClose={() => setPreviewed(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** Whether what was edited is at the server: said in words, and read out when it changes for the worse. */
function Saving({ view: { status } }: { readonly view: DesignView }) {
  const { t } = useTranslation('design')
  const errorText = useErrorText()
  return (
    <output className={classes.saving} data-status={status.is}>
      {t(`saving.${status.is}`)}
      {status.is === 'refused' && `：${errorText(status.error)}`}
    </output>
  )
}

function IconAction({ label, icon, disabled = false, onClick }: { readonly label: string; readonly icon: React.ReactNode; readonly disabled?: boolean; readonly onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={40} variant="default" aria-label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
