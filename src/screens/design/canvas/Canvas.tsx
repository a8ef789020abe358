import { Button, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconClipboard, IconCopy, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { Fragment, memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design, DesignForm, DesignPage } from '#core/design/design.ts'
import { childrenOf } from '#core/design/design.ts'
import { codesIn } from '#core/design/fields.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { labelIn, newColumn, sectionName } from '#src/screens/design/columns.ts'
import classes from '#src/screens/design/design.module.css'
import type { DesignSession } from '#src/screens/design/designSession.ts'
import type { Selection } from '#src/screens/design/selection.ts'
import { openPage, presentIn } from '#src/screens/design/selection.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { CanvasField } from './CanvasField.tsx'
import { dragData, dropIndex } from './dragging.ts'
import { moveSelected } from './moves.ts'
import type { Clipboard } from './useClipboard.ts'

interface CanvasProps {
  readonly session: DesignSession
  readonly design: Design
  readonly selection: Selection
  readonly canEdit: boolean
  readonly clipboard: Clipboard
}

/** The page as it will be, field by field, to be selected, moved and dropped onto. */
export function Canvas(props: CanvasProps) {
  const { t } = useTranslation('design')
  const { design, selection } = props
  const open = openPage(selection)
  const page = open === null ? undefined : design.pages.get(open.pageId)
  return (
    <section className={classes.canvas} aria-label={t('canvas.title')}>
      {open === null || page === undefined ? (
        <p className={classes.hint}>{t('canvas.none')}</p>
      ) : page.form === null ? (
        <p className={classes.hint}>{t('canvas.broken')}</p>
      ) : (
        <OpenPage
          key={page.id}
          session={props.session}
          selection={selection}
          canEdit={props.canEdit}
          clipboard={props.clipboard}
          page={page}
          form={page.form}
          folderId={open.folderId}
        />
      )}
    </section>
  )
}

interface OpenPageProps extends Omit<CanvasProps, 'design'> {
  readonly page: DesignPage
  readonly form: DesignForm
  readonly folderId: string
}

/** One line of the page in reading order: a field, or the title of a section. */
interface Line {
  readonly table: string | null
  readonly prop: string
  /** Key of the section whose title it is. */
  readonly section?: string
}

function OpenPage({ session, selection, canEdit, clipboard, page, form, folderId }: OpenPageProps) {
  const { t } = useTranslation('design')
  const language = useLanguage()
  const list = useRef<HTMLDivElement>(null)
  const anchor = useRef<Line | null>(null)
  const [dropAt, setDropAt] = useState<{
    readonly section: string
    readonly table: string | null
    readonly at: number
  } | null>(null)
  const pageId = page.id
  const pageName = pageNameIn(language, page)
  const lines = linesOf(form)
  const selected = selection?.of === 'fields' ? selection : null
  const isSelected = (table: string | null, prop: string) =>
    selected !== null && selected.table === table && selected.props.includes(prop)
  const active: Line | null =
    selection?.of === 'section'
      ? { table: null, prop: '', section: selection.key }
      : selected === null
        ? (lines[0] ?? null)
        : { table: selected.table, prop: selected.props.at(-1) ?? '' }

  const selectOnly = (line: Line) => {
    if (line.section !== undefined) return session.select({ of: 'section', folderId, pageId, key: line.section })
    anchor.current = line
    session.select({ of: 'fields', folderId, pageId, table: line.table, props: [line.prop] })
  }
  /** From where the selection began to a line: of one page or one table, for only those are moved together. */
  const selectTo = (line: Line) => {
    const began = anchor.current
    // What was selected elsewhere (the tree, a paste) is where it begins.
    const from = began !== null && isSelected(began.table, began.prop) ? began : (active ?? line)
    anchor.current = from
    if (from.table !== line.table || from.section !== undefined || line.section !== undefined) return selectOnly(line)
    const among = lines.filter(({ table, section }) => table === line.table && section === undefined)
    const [a, b] = [
      among.findIndex(({ prop }) => prop === from.prop),
      among.findIndex(({ prop }) => prop === line.prop),
    ]
    const props = among.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ prop }) => prop)
    // The line that was gone to is the last, wherever it stands.
    session.select({ of: 'fields', folderId, pageId, table: line.table, props: b < a ? props.toReversed() : props })
  }
  const toggle = (line: Line) => {
    anchor.current = line
    if (selected === null || selected.table !== line.table || line.section !== undefined) return selectOnly(line)
    const props = selected.props.includes(line.prop)
      ? selected.props.filter((prop) => prop !== line.prop)
      : [...selected.props, line.prop]
    session.select(props.length === 0 ? { of: 'page', folderId, pageId } : { ...selected, props })
  }
  // What was added, copied or gone to elsewhere comes into sight.
  const shown = selected?.props.at(-1)
  const shownTable = selected?.table ?? ''
  useEffect(() => {
    if (shown === undefined) return
    list.current
      ?.querySelector(`[data-prop="${CSS.escape(shown)}"][data-table="${CSS.escape(shownTable)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  }, [shown, shownTable])
  const focusActive = () =>
    requestAnimationFrame(() =>
      (list.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"]') ?? list.current)?.focus(),
    )

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (active === null) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && event.altKey) {
      if (canEdit) moveSelected(session, form, selection, step)
      focusActive()
    } else if (step !== 0) {
      const next =
        lines[
          lines.findIndex(
            ({ table, prop, section }) => table === active.table && prop === active.prop && section === active.section,
          ) + step
        ]
      if (next !== undefined) (event.shiftKey ? selectTo : selectOnly)(next)
      focusActive()
    } else if (event.key === ' ') (active.section === undefined ? toggle : selectOnly)(active)
    else if (event.key === 'Delete' && canEdit) {
      if (active.section === undefined) clipboard.remove()
      else session.edit({ kind: 'section-join', pageId, key: active.section })
      focusActive()
    } else if (event.key === 'Enter') document.querySelector<HTMLElement>('[data-first-property]')?.focus()
    else return
    event.preventDefault()
  }
  const onDragOver = (event: React.DragEvent) => {
    if (!canEdit || dragData.current() === null) return
    event.preventDefault()
    setDropAt(placeUnder(event))
  }
  const onDrop = (event: React.DragEvent) => {
    event.preventDefault()
    const what = dragData.current()
    dragData.end()
    setDropAt(null)
    if (what === null || !canEdit) return
    const to = { pageId, ...placeUnder(event) }
    if (what.kind === 'fields') {
      session.edit({ kind: 'fields-move', from: what, to })
      session.select({ of: 'fields', folderId, pageId, table: to.table, props: what.props })
      return
    }
    const column = newColumn(
      what.type,
      { label: t(`types.${what.type}`), choice: (no) => t('choice', { no }) },
      codesIn(form, to.table),
    )
    session.edit({ kind: 'fields-add', place: to, columns: [column] })
    session.select({ of: 'fields', folderId, pageId, table: to.table, props: [column.prop] })
  }
  const onClick = (event: React.MouseEvent) => {
    const line = lineUnder(event)
    if (line !== null) (event.shiftKey ? selectTo : event.ctrlKey || event.metaKey ? toggle : selectOnly)(line)
  }
  const onDragStart = (event: React.DragEvent) => {
    const line = lineUnder(event)
    if (line !== null && line.section === undefined)
      dragData.begin(event, {
        kind: 'fields',
        pageId,
        table: line.table,
        props: isSelected(line.table, line.prop) ? (selected?.props ?? []) : [line.prop],
      })
  }
  const field = (table: string | null, prop: string, at: number, section: string) => ({
    table,
    selected: isSelected(table, prop),
    focusable: active !== null && active.table === table && active.prop === prop,
    canEdit,
    dropBefore: dropAt !== null && dropAt.table === table && dropAt.section === section && dropAt.at === at,
    language,
  })
  return (
    <>
      {/* A native list of options holds text alone: no marks, no tables in it, and nothing of it is dragged. */}
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions */}
      <Group gap="xs" className={classes.canvasBar}>
        <h2 className={classes.pageName}>{pageName}</h2>
        {canEdit && selected !== null && (
          <FieldBar session={session} clipboard={clipboard} count={selected.props.length} />
        )}
        {canEdit && clipboard.holds && (
          <BarButton
            label={t('actions.paste')}
            icon={<IconClipboard size={16} aria-hidden="true" />}
            onClick={() => clipboard.paste()}
          />
        )}
      </Group>
      <div
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-label={pageName}
        tabIndex={lines.length === 0 ? 0 : -1}
        className={classes.sheet}
        data-size={pageSizeOf(form)}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDragStart={onDragStart}
        onDragEnd={() => dragData.end()}
        onDragOver={onDragOver}
        onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setDropAt(null)}
        onDrop={onDrop}
      >
        {lines.length === 0 && form.sections.length === 1 && (
          <p className={classes.hint} role="presentation">
            {t('canvas.empty')}
          </p>
        )}
        {form.sections.map((section) => {
          const name = sectionName(section, language)
          return (
            <div
              key={section.key}
              role="group"
              aria-label={name === '' ? pageName : name}
              className={classes.section}
              data-section={section.key}
              data-bare={(section.key === '' && section.columns.length === 0 && form.sections.length > 1) || undefined}
            >
              {section.key !== '' && (
                <div
                  role="option"
                  aria-selected={selection?.of === 'section' && selection.key === section.key}
                  tabIndex={active?.section === section.key ? 0 : -1}
                  className={classes.sectionTitle}
                  data-title={section.key}
                >
                  {name === '' ? t('canvas.untitled') : name}
                </div>
              )}
              <div
                className={classes.grid}
                data-place={`${section.key}/`}
                data-end={
                  (dropAt !== null &&
                    dropAt.table === null &&
                    dropAt.section === section.key &&
                    dropAt.at >= section.columns.length) ||
                  undefined
                }
              >
                {section.columns.map((column, at) => (
                  <Fragment key={column.prop}>
                    <CanvasField column={column} {...field(null, column.prop, at, section.key)} />
                    {column.type === 'dynamic' && (
                      <div
                        className={classes.inTable}
                        role="group"
                        aria-label={t('canvas.inTable', { name: labelIn(column, language) })}
                        data-place={`/${column.prop}`}
                        data-end={
                          (dropAt !== null && dropAt.table === column.prop && dropAt.at >= childrenOf(column).length) ||
                          undefined
                        }
                      >
                        {childrenOf(column).map((child, order) => (
                          <CanvasField key={child.prop} column={child} {...field(column.prop, child.prop, order, '')} />
                        ))}
                        {childrenOf(column).length === 0 && (
                          <span className={classes.hint}>{t('canvas.emptyTable')}</span>
                        )}
                      </div>
                    )}
                  </Fragment>
                ))}
              </div>
            </div>
          )
        })}
      </div>
    </>
  )
}

function linesOf({ sections }: DesignForm): readonly Line[] {
  return sections.flatMap((section): readonly Line[] => [
    ...(section.key === '' ? [] : [{ table: null, prop: '', section: section.key }]),
    ...section.columns.flatMap((column) => [
      { table: null, prop: column.prop },
      ...childrenOf(column).map((child) => ({ table: column.prop, prop: child.prop })),
    ]),
  ])
}

function lineUnder(event: React.SyntheticEvent): Line | null {
  const title =
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-title]')?.dataset['title'] : undefined
  if (title !== undefined) return { table: null, prop: '', section: title }
  const field = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-prop]') : null
  const { prop, table } = field?.dataset ?? {}
  return prop === undefined ? null : { prop, table: table === undefined || table === '' ? null : table }
}

function pageSizeOf({ rest }: DesignForm): string {
  const zl = rest.zl
  return typeof zl === 'object' && zl !== null && 'pageSize' in zl && typeof zl.pageSize === 'string'
    ? zl.pageSize
    : 'auto'
}

/** Where a drop would go, from what lies under it. */
function placeUnder(event: React.DragEvent): {
  readonly section: string
  readonly table: string | null
  readonly at: number
} {
  const target = event.target instanceof Element ? event.target : null
  const list =
    target?.closest<HTMLElement>('[data-place]') ??
    target?.closest('[data-section]')?.querySelector<HTMLElement>('[data-place]') ??
    lastPlace(event.currentTarget)
  const [section = '', table = ''] = (list?.dataset['place'] ?? '/').split('/')
  const lines = [...(list?.children ?? [])]
    .filter((child) => child.getAttribute('role') === 'option')
    .map((child) => child.getBoundingClientRect())
  // Fields that stand side by side are told apart by where the pointer is in the line.
  const beside = lines.findIndex(
    (line) => event.clientY >= line.top && event.clientY < line.bottom && event.clientX < line.left + line.width / 2,
  )
  const sameLine = lines.some((line, at) =>
    lines.some((other, index) => index !== at && Math.abs(other.top - line.top) < 4),
  )
  return {
    section,
    table: table === '' ? null : table,
    at: sameLine && beside >= 0 ? beside : dropIndex(lines, event.clientY),
  }
}

function lastPlace(list: EventTarget & Element): HTMLElement | null {
  return [...list.querySelectorAll<HTMLElement>('[data-section] > [data-place]')].at(-1) ?? null
}

/** What can be done with the selected fields, as they are when it is pressed. */
const FieldBar = memo(function FieldBar({
  session,
  clipboard,
  count,
}: {
  readonly session: DesignSession
  readonly clipboard: Clipboard
  readonly count: number
}) {
  const { t } = useTranslation('design')
  const move = (by: 1 | -1) => {
    const { design, selection: wanted } = session.view()
    const selection = presentIn(design, wanted)
    const form = design.pages.get(openPage(selection)?.pageId ?? '')?.form
    if (form !== null && form !== undefined) moveSelected(session, form, selection, by)
  }
  return (
    <Group gap={4} role="toolbar" aria-label={t('props.many', { count })}>
      <BarButton label={t('actions.up')} icon={<IconArrowUp size={16} aria-hidden="true" />} onClick={() => move(-1)} />
      <BarButton
        label={t('actions.down')}
        icon={<IconArrowDown size={16} aria-hidden="true" />}
        onClick={() => move(1)}
      />
      <BarButton
        label={t('actions.copy')}
        icon={<IconCopy size={16} aria-hidden="true" />}
        onClick={() => clipboard.copy()}
      />
      <BarButton
        label={t('actions.duplicate')}
        icon={<IconCopyPlus size={16} aria-hidden="true" />}
        onClick={() => clipboard.duplicate()}
      />
      <BarButton
        label={t('actions.remove')}
        icon={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => clipboard.remove()}
      />
    </Group>
  )
})

function BarButton({
  label,
  icon,
  onClick,
}: {
  readonly label: string
  readonly icon: React.ReactNode
  readonly onClick: () => void
}) {
  return (
    <Button size="compact-sm" h={32} variant="default" leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  )
}
