import { Button } from '@mantine/core'
import { IconDeviceTablet, IconHistory, IconKeyboard } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'

import { Canvas } from './canvas/Canvas.tsx'
import { ConflictList } from './ConflictList.tsx'
import { IconAction, Saving, UndoActions, onUndoKey } from './DesignBar.tsx'
import { DesignTree } from './tree/DesignTree.tsx'
import { HistoryDialog, JoinedNote, LastImport } from './DraftActs.tsx'
import { Palette } from './canvas/Palette.tsx'
import { ProblemsPanel } from './ProblemsPanel.tsx'
import { Properties } from './properties/Properties.tsx'
import classes from './design.module.css'
import type { OpenedDesign } from './openDesign.tsx'
import { openPage, presentIn } from './selection.ts'
import { useClipboard } from './canvas/useClipboard.ts'
import { useProblems } from './useProblems.ts'

// The form engine is loaded only when somebody tries a page.
const PreviewDialog = lazy(async () => ({ default: (await import('./PreviewDialog.tsx')).PreviewDialog }))

interface DesignerProps extends OpenedDesign {
  readonly canEdit: boolean
  /** Whether rules may be changed too. */
  readonly mayRule: boolean
}

/** Tree, page and properties side by side, with the tools above and the problems below. */
export function Designer({ editor, view, projectId, version, canEdit, mayRule, isDraft, waits }: DesignerProps) {
  const [previewed, setPreviewed] = useState(false)
  const [historyShown, setHistoryShown] = useState(false)
  const [keysShown, setKeysShown] = useState(false)
  const selection = presentIn(view.design, view.selection)
  const open = openPage(selection)
  const form = open === null ? null : (view.design.pages.get(open.pageId)?.form ?? null)
  const clipboard = useClipboard(editor)
  const problems = useProblems(view.design)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!canEdit || onUndoKey(editor, event) || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const inText = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    // In a text box these keys belong to the text.
    if (inText || !clipboard.onKey(event.key.toLowerCase())) return
    event.preventDefault()
  }
  return (
    // These keys work in the whole designer; a button does the same for each.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.designer} onKeyDown={onKeyDown}>
      <DesignerBar
        {...{ editor, view, version, canEdit }}
        mayPreview={form !== null}
        onHistory={() => setHistoryShown(true)}
        onKeys={() => setKeysShown(!keysShown)}
        onPreview={() => setPreviewed(true)}
      />
      <DesignerNotes {...{ editor, view, canEdit, isDraft, waits, keysShown }} />
      <div className={classes.panes} data-editable={canEdit || undefined}>
        <div className={classes.left}>
          <DesignTree
            editor={editor}
            projectId={projectId}
            crfId={version.id}
            design={view.design}
            selection={selection}
            canEdit={canEdit}
          />
          {canEdit && form !== null && <Palette editor={editor} />}
        </div>
        <Canvas editor={editor} design={view.design} selection={selection} canEdit={canEdit} clipboard={clipboard} />
        <Properties editor={editor} design={view.design} selection={selection} canEdit={canEdit} mayRule={mayRule} />
      </div>
      <ProblemsPanel design={view.design} problems={problems} onGo={(to) => editor.select(to)} />
      {historyShown && (
        <HistoryDialog
          editor={editor}
          projectId={projectId}
          crfId={version.id}
          rev={view.acts[0]?.at ?? ''}
          onClose={() => setHistoryShown(false)}
        />
      )}
      {previewed && open !== null && (
        <Suspense fallback={null}>
          <PreviewDialog design={view.design} place={open} onClose={() => setPreviewed(false)} />
        </Suspense>
      )}
    </div>
  )
}

interface DesignerBarProps extends Pick<DesignerProps, 'editor' | 'view' | 'version' | 'canEdit'> {
  /** Whether a page is open that the form engine can read. */
  readonly mayPreview: boolean
  readonly onHistory: () => void
  readonly onKeys: () => void
  readonly onPreview: () => void
}

/** The tools for the whole design: undo, history and preview, and whether it is saved. */
function DesignerBar({ editor, view, version, canEdit, mayPreview, onHistory, onKeys, onPreview }: DesignerBarProps) {
  const { t } = useTranslation('design')
  return (
    <div className={classes.bar}>
      <h1 className={classes.title}>
        {t('title')} <span className={classes.version}>{version.versionNoDesc}</span>
      </h1>
      {canEdit && (
        <>
          <UndoActions editor={editor} view={view} />
          <IconAction
            label={t('history.title')}
            onClick={onHistory}
            icon={<IconHistory size={20} aria-hidden="true" />}
          />
          <IconAction label={t('actions.keys')} onClick={onKeys} icon={<IconKeyboard size={20} aria-hidden="true" />} />
        </>
      )}
      <Button
        size="sm"
        h={40}
        variant="default"
        leftSection={<IconDeviceTablet size={18} aria-hidden="true" />}
        disabled={!mayPreview}
        onClick={onPreview}
      >
        {t('actions.preview')}
      </Button>
      {canEdit && <Saving view={view} />}
    </div>
  )
}

interface DesignerNotesProps extends Pick<DesignerProps, 'editor' | 'view' | 'canEdit' | 'isDraft' | 'waits'> {
  readonly keysShown: boolean
}

/** Notes above the design: what this user may do, what others did, and what has to be decided. */
function DesignerNotes({ editor, view, canEdit, isDraft, waits, keysShown }: DesignerNotesProps) {
  const { t } = useTranslation('design')
  return (
    <>
      {!canEdit && <Note tone="info">{t(isDraft ? 'readOnlyRights' : 'readOnly')}</Note>}
      {waits && <Note tone="warning">{t('waits')}</Note>}
      {keysShown && (
        <Note tone="info" title={t('keys.title')}>
          {t('keys.list')}
        </Note>
      )}
      {view.joined.length > 0 && <JoinedNote acts={view.joined} />}
      {canEdit && <LastImport editor={editor} view={view} />}
      {view.conflicts.length > 0 && <ConflictList editor={editor} view={view} />}
    </>
  )
}
