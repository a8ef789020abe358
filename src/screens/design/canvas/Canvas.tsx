import { cleanup } from '@atlaskit/pragmatic-drag-and-drop-live-region'
import { IconClipboard, IconLayoutSidebarRight, IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { CSSProperties, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignForm, DesignPage } from '#core/design/design.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { readLook } from '#core/form/definition/pageLook.ts'
import formClasses from '#src/form/form.module.css'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { openPage } from '#src/screens/design/selection.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './canvas.module.css'
import { useDrops } from './dragging/useDrops.ts'
import { useEdgeScroll } from './dragging/useEdgeScroll.ts'
import { BarButton, FieldBar } from './FieldBar.tsx'
import { lineUnder } from './lines.ts'
import { useMoving } from './moves.ts'
import { usePreviewWords } from './FieldPreview.tsx'
import { pressPageKey } from './pageKeys.ts'
import { PageSection } from './PageSection.tsx'
import type { Clipboard } from './useClipboard.ts'
import { useLineSelection } from './useLineSelection.ts'

interface CanvasProps {
  readonly editor: DesignEditor
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
  readonly clipboard: Clipboard
  /** Shows the palette. */
  readonly onPalette: () => void
  /** Shows the properties where they are a drawer. */
  readonly onProperties: () => void
}

/** The page as it will look, field by field. Its fields can be selected and moved, and new ones dropped onto it. */
export function Canvas(props: CanvasProps) {
  const { t } = useTranslation('design')
  const { design, selection } = props
  const open = openPage(selection)
  const page = open === null ? undefined : design.pages.get(open.pageId)
  const scrolled = useRef<HTMLElement>(null)
  useEdgeScroll(scrolled)
  useEffect(() => cleanup, [])
  return (
    <section ref={scrolled} className={classes.canvas} aria-label={t('canvas.title')}>
      {open === null || page === undefined ? (
        <p className={classes.hint}>{t('canvas.none')}</p>
      ) : page.form === null ? (
        <p className={classes.hint}>{t('canvas.broken')}</p>
      ) : (
        <OpenPage key={page.id} {...props} page={page} form={page.form} folderId={open.folderId} />
      )}
    </section>
  )
}

interface OpenPageProps extends Omit<CanvasProps, 'design'> {
  readonly page: DesignPage
  readonly form: DesignForm
  readonly folderId: string
}

function OpenPage(props: OpenPageProps) {
  const { editor, selection, canEdit, clipboard, page, form, folderId } = props
  const { t } = useTranslation('design')
  const language = useLanguage()
  const list = useRef<HTMLDivElement>(null)
  const words = usePreviewWords(language)
  const opened = { editor, selection, pageId: page.id, folderId, form, canEdit }
  const selecting = useLineSelection(opened)
  const drag = useDrops(list, opened)
  const move = useMoving(editor)
  useSelectedInSight(list, selection)
  const pageName = pageNameIn(language, page)
  const { lines, active, isSelected, selectOnly, selectTo, toggle } = selecting
  const focusActive = () =>
    requestAnimationFrame(() =>
      (list.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]') ?? list.current)?.focus(),
    )
  const onClick = (event: React.MouseEvent) => {
    const line = lineUnder(event)
    if (line !== null) (event.shiftKey ? selectTo : event.ctrlKey || event.metaKey ? toggle : selectOnly)(line)
  }
  const look = {
    language,
    canEdit,
    selection: { active, isSelected },
    selectedSection: selection?.of === 'section' ? selection.key : null,
    drag,
    words,
    settings: form.rest.zl,
  }
  const { labelPosition } = readLook(form.rest)
  return (
    <>
      <PageBar {...props} pageName={pageName} />
      {/* A native list of options holds only text: no marks and no tables, and nothing in it can be dragged. */}
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-label={pageName}
        tabIndex={lines.length === 0 ? 0 : -1}
        className={`${classes.sheet} ${formClasses.form}`}
        data-size={pageSizeOf(form)}
        data-labels={labelPosition ?? undefined}
        data-mode="input"
        style={lookStyle(form)}
        onKeyDown={(event) => pressPageKey(event, opened, selecting, { clipboard, move, focusActive })}
        onClick={onClick}
      >
        {lines.length === 0 && form.sections.length === 1 && (
          <p className={classes.empty} role="presentation">
            {t('canvas.empty')}
          </p>
        )}
        {form.sections.map((section) => (
          <PageSection
            key={section.key}
            section={section}
            pageName={pageName}
            isOnly={form.sections.length === 1}
            look={look}
          />
        ))}
      </div>
    </>
  )
}

/** Scrolls to a selection that was added, copied or chosen elsewhere. */
function useSelectedInSight(list: RefObject<HTMLDivElement | null>, selection: Selection): void {
  const selected = selection?.of === 'fields' ? selection : null
  const shown = selected?.props.at(-1)
  const shownTable = selected?.table ?? ''
  useEffect(() => {
    if (shown === undefined) return
    list.current
      ?.querySelector(`[data-prop="${CSS.escape(shown)}"][data-table="${CSS.escape(shownTable)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  }, [list, shown, shownTable])
}

type PageBarProps = OpenPageProps & { readonly pageName: string }

/** The name of the page, and the actions for selected or copied fields. */
function PageBar({ editor, selection, canEdit, clipboard, pageName, onPalette, onProperties }: PageBarProps) {
  const { t } = useTranslation('design')
  return (
    <div className={classes.canvasBar}>
      <h2 className={classes.pageName}>{pageName}</h2>
      {canEdit && selection?.of === 'fields' && (
        <FieldBar editor={editor} clipboard={clipboard} count={selection.props.length} />
      )}
      {canEdit && clipboard.holds && (
        <BarButton
          label={t('actions.paste')}
          icon={<IconClipboard size={16} aria-hidden="true" />}
          onClick={() => clipboard.paste()}
        />
      )}
      {canEdit && selection?.of !== 'fields' && (
        <BarButton label={t('palette.add')} icon={<IconPlus size={16} aria-hidden="true" />} onClick={onPalette} />
      )}
      <span className={classes.drawerButton}>
        <BarButton
          label={t('props.open')}
          icon={<IconLayoutSidebarRight size={16} aria-hidden="true" />}
          onClick={onProperties}
        />
      </span>
    </div>
  )
}

function pageSizeOf({ rest }: DesignForm): string {
  const zl = rest.zl
  return typeof zl === 'object' && zl !== null && 'pageSize' in zl && typeof zl.pageSize === 'string'
    ? zl.pageSize
    : 'auto'
}

/** Sizes of the page's look, for the style sheet of the form. */
function lookStyle({ rest }: DesignForm): CSSProperties {
  const { gutter, labelWidth } = readLook(rest)
  return {
    ...(gutter === null ? {} : { '--gutter': `${gutter}px` }),
    ...(labelWidth === null ? {} : { '--label-width': `${labelWidth}px` }),
  } as CSSProperties
}
