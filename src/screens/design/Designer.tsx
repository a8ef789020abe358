import { Button } from '@mantine/core'
import { IconDeviceTablet, IconHistory, IconKeyboard } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Note } from '#src/ui/Note.tsx'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { Canvas } from './canvas/Canvas.tsx'
import { ConflictList } from './ConflictList.tsx'
import { IconAction, Saving, UndoActions, onUndoKey } from './DesignBar.tsx'
import { DesignTree } from './tree/DesignTree.tsx'
import { HistoryDialog, JoinedNote, LastImport } from './DraftActs.tsx'
import type { DesignEditor } from './designEditor.ts'
import { DraftRelease } from './DraftRelease.tsx'
import type { LeftTab } from './LeftPane.tsx'
import { LeftPane } from './LeftPane.tsx'
import { ProblemsPanel } from './ProblemsPanel.tsx'
import { Properties } from './properties/Properties.tsx'
import classes from './design.module.css'
import type { OpenedDesign } from './openDesign.tsx'
import { openPage, presentIn } from './selection.ts'
import type { Clipboard } from './canvas/useClipboard.ts'
import { useClipboard } from './canvas/useClipboard.ts'
import { useAbove } from './useAbove.ts'
import { useDrawer } from './useDrawer.ts'
import { useProblems } from './useProblems.ts'

// The form engine is loaded only when somebody tries a page.
const PreviewDialog = laterPart(async () => (await import('./PreviewDialog.tsx')).PreviewDialog, NotLoaded)

interface DesignerProps extends OpenedDesign {
  readonly canEdit: boolean
  /** Whether rules may be changed too. */
  readonly mayRule: boolean
}

/** Tree, page and properties side by side, with the tools above and the problems below. */
export function Designer(props: DesignerProps) {
  const { editor, view, projectId, version, canEdit, mayRule } = props
  const [dialog, setDialog] = useState<'preview' | 'history' | null>(null)
  const [keysShown, setKeysShown] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  useAbove(whole)
  const [tab, setTab] = useState<LeftTab>('tree')
  const selection = presentIn(view.design, view.selection)
  const drawer = useDrawer(selection)
  const open = openPage(selection)
  const form = open === null ? null : (view.design.pages.get(open.pageId)?.form ?? null)
  const clipboard = useClipboard(editor)
  const problems = useProblems(view.design)
  const onKeyDown = useDesignerKeys(editor, clipboard, canEdit)
  return (
    // These keys work in the whole designer; a button does the same for each.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={whole} className={classes.designer} onKeyDown={onKeyDown}>
      <DesignerBar
        {...props}
        problems={problems?.length ?? 0}
        mayPreview={form !== null}
        onHistory={() => setDialog('history')}
        onKeys={() => setKeysShown(!keysShown)}
        onPreview={() => setDialog('preview')}
      />
      <DesignerNotes {...props} keysShown={keysShown} />
      <div className={classes.panes} data-editable={canEdit || undefined}>
        <LeftPane editor={editor} tab={tab} onTab={setTab} mayAdd={canEdit && form !== null}>
          <DesignTree
            editor={editor}
            projectId={projectId}
            crfId={version.id}
            design={view.design}
            selection={selection}
            canEdit={canEdit}
          />
        </LeftPane>
        <Canvas
          editor={editor}
          design={view.design}
          selection={selection}
          canEdit={canEdit}
          clipboard={clipboard}
          onPalette={() => setTab('palette')}
          onProperties={drawer.open}
        />
        <Properties
          editor={editor}
          design={view.design}
          selection={selection}
          canEdit={canEdit}
          mayRule={mayRule}
          opened={drawer.isOpen}
          onClose={drawer.close}
        />
      </div>
      <ProblemsPanel design={view.design} problems={problems} onGo={(to) => editor.select(to)} />
      {dialog === 'history' && (
        <HistoryDialog
          editor={editor}
          projectId={projectId}
          crfId={version.id}
          rev={view.acts[0]?.at ?? ''}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'preview' && open !== null && (
        <PreviewDialog design={view.design} place={open} onClose={() => setDialog(null)} />
      )}
    </div>
  )
}

/** The keys that work everywhere in the designer. */
function useDesignerKeys(editor: DesignEditor, clipboard: Clipboard, canEdit: boolean) {
  return (event: React.KeyboardEvent) => {
    if (!canEdit || onUndoKey(editor, event) || !(event.ctrlKey || event.metaKey) || event.altKey) return
    const inText = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    // In a text box these keys belong to the text.
    if (inText || !clipboard.onKey(event.key.toLowerCase())) return
    event.preventDefault()
  }
}

interface DesignerBarProps extends DesignerProps {
  /** How many problems keep the draft from being tested. */
  readonly problems: number
  /** Whether a page is open that the form engine can read. */
  readonly mayPreview: boolean
  readonly onHistory: () => void
  readonly onKeys: () => void
  readonly onPreview: () => void
}

/** The tools for the whole design, and whether it is saved. They never scroll away. */
function DesignerBar(props: DesignerBarProps) {
  const { editor, view, version, canEdit, mayPreview, onHistory, onKeys, onPreview } = props
  const { t } = useTranslation('design')
  return (
    <div className={classes.bar}>
      <h1 className={classes.title}>
        {t('title')} <span className={classes.version}>{version.versionNoDesc}</span>
      </h1>
      {canEdit && <Saving view={view} />}
      <span className={classes.spring} />
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
        variant="default"
        className={classes.act}
        leftSection={<IconDeviceTablet size={18} aria-hidden="true" />}
        disabled={!mayPreview}
        onClick={onPreview}
      >
        {t('actions.preview')}
      </Button>
      {canEdit && props.permissions.includes('project_crf_draft_publish') && <DraftRelease {...props} />}
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
