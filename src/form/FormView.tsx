import type { CSSProperties } from 'react'
import { Suspense, lazy, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { addressOf, pageFieldOf } from '#core/form/definition/address.ts'
import type { LookUps } from '#core/form/definition/lookUps.ts'
import type { PageLook } from '#core/form/definition/pageLook.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import { FormPart } from './FormPart.tsx'
import type { FilePort } from './filePort.ts'
import classes from './form.module.css'
import type { ConfirmPort, FormEnvironment } from './formContext.ts'
import { FormEnvironmentContext, rowIds } from './formContext.ts'
import type { FormEdit, OpenRow, SheetRequest } from './formActions.ts'
import { edit } from './formActions.ts'
import { focusRow, formListeners } from './formEvents.ts'
import { firstParts, partsOf } from './layout/layout.ts'
import { useDrawnParts } from './layout/useDrawnParts.ts'
import { useLaidOutParts } from './layout/useLaidOutParts.ts'
import { usePress } from './press.ts'
import { rowWords } from './rowWords.ts'
import type { Language } from './words.ts'

const FieldSheet = lazy(async () => ({ default: (await import('./sheet/FieldSheet.tsx')).FieldSheet }))
const RowSheet = lazy(async () => ({ default: (await import('./table/RowSheet.tsx')).RowSheet }))

export interface FormViewProps {
  readonly state: FormState
  /** `view` draws no control; `input` draws one where the field may be edited. */
  readonly mode: 'input' | 'view'
  readonly language: Language
  /** Every edit by a person. Calculated fields that follow from it are in `state.changes()`. */
  readonly onEdit?: (edit: FormEdit) => void
  /**
   * The address of a field to show and focus, from a link, an error or a query. A new object asks again for the same
   * field.
   */
  readonly focus?: { readonly address: string }
  /** Where a field's conflict is decided. The same function at every drawing, or all fields are drawn again. */
  readonly conflictAddress?: (conflictId: string) => string
  /**
   * Takes answers to warnings. The same object at every drawing, or all fields are drawn again; without it no field
   * offers it.
   */
  readonly confirms?: ConfirmPort
  /**
   * Shows what became of a field. The same function at every drawing, or all fields are drawn again; without it no
   * field offers it.
   */
  readonly onHistory?: (address: string) => void
  /** What upload fields need. The same object at every drawing, or all fields are drawn again. */
  readonly files?: FilePort
  /** What fields may take from the patient's other pages. The same object while nothing there has changed. */
  readonly lookUps?: LookUps
  /** The moment now on the form's calendar, `yyyy-MM-dd HH:mm:ss`; the device's clock by default. */
  readonly clock?: () => string
}

/** Draws a form. Nothing above a field renders again on typing. Give it a `key` per entry. */
export function FormView({
  state,
  mode,
  language,
  onEdit = ignore,
  focus,
  conflictAddress,
  confirms,
  onHistory,
  files,
  lookUps,
  clock = deviceClock,
}: FormViewProps) {
  const { i18n } = useTranslation('form')
  const id = useId()
  const [sheet, setSheet] = useState<SheetRequest | null>(null)
  const [chosenRow, setRow] = useState<OpenRow | null>(null)
  const [dismissed, setDismissed] = useState<typeof focus>()
  const row = chosenRow ?? (focus === undefined || dismissed === focus ? null : rowAsked(state, focus))
  const parts = useMemo(() => partsOf(state.compiled.page), [state])
  const [drawn, drawAtLeast] = useDrawnParts(firstParts(parts), parts.length)
  const root = useRef<HTMLDivElement>(null)
  useLaidOutParts(root, drawn >= parts.length)
  const t = useMemo(() => i18n.getFixedT(language, 'form'), [i18n, language])
  const environment = useMemo<FormEnvironment>(
    () => ({
      state,
      mode,
      language,
      id,
      t,
      words: rowWords(t),
      conflictAddress: conflictAddress ?? null,
      confirms: confirms ?? null,
      history: onHistory ?? null,
      files: files ?? null,
      lookUps: lookUps ?? null,
    }),
    [state, mode, language, id, t, conflictAddress, confirms, onHistory, files, lookUps],
  )
  const { look } = state.compiled.page
  const press = usePress()
  const [opened] = useState(() => new OpenedField())
  const openSheet = (request: SheetRequest) => {
    opened.take(request.address)
    setSheet(request)
  }
  const openRow = (request: OpenRow) => {
    opened.take(request.table)
    setRow(request)
  }
  const actions = { state, clock, onEdit, openSheet, openRow, isOpen: opened.is, afterPress: press.after }

  const wanted =
    focus === undefined
      ? -1
      : parts.findIndex((part) => part.fields.some(({ prop }) => prop === pageFieldOf(focus.address)))
  const target = useRef<typeof focus>(undefined)
  useEffect(() => {
    if (focus === undefined || wanted === -1 || target.current === focus) return
    if (drawn <= wanted) return drawAtLeast(wanted + 1)
    target.current = focus
    document.getElementById(rowIds(id, pageFieldOf(focus.address)).row)?.scrollIntoView({ block: 'center' })
    if (rowAsked(state, focus) === null) focusField(id, focus.address)
  }, [state, focus, wanted, drawn, drawAtLeast, id])

  const closeSheet = () => {
    opened.take(null)
    setSheet(null)
    if (sheet === null) return
    const end =
      sheet.end === null
        ? null
        : document
            .getElementById(rowIds(id, sheet.address).row)
            ?.querySelector<HTMLElement>(`input[data-end="${sheet.end}"]`)
    if (end === null || end === undefined) focusField(id, sheet.address)
    else end.focus()
  }
  const closeRow = () => {
    opened.take(null)
    setRow(null)
    setDismissed(focus)
    if (row === null) return
    const line = document
      .getElementById(rowIds(id, row.table).row)
      ?.querySelector<HTMLElement>(`[data-action="row-open"][data-value="${CSS.escape(row.rid)}"]`)
    if (line === null || line === undefined) focusField(id, row.table)
    else line.focus()
  }
  return (
    <FormEnvironmentContext value={environment}>
      <div
        ref={root}
        className={classes.form}
        data-labels={look.labelPosition ?? undefined}
        style={lookStyle(look)}
        {...(mode === 'input' ? formListeners(actions) : {})}
      >
        {parts.map((part, at) => (
          <FormPart key={part.id} part={part} drawn={at < drawn} />
        ))}
      </div>
      {row !== null && (
        <Suspense fallback={null}>
          <RowSheet open={row} actions={actions} onOpen={setRow} onClose={() => closeRow()} />
        </Suspense>
      )}
      {sheet !== null && mode === 'input' && (
        <Suspense fallback={null}>
          <FieldSheet
            request={sheet}
            // Drawn before the focus is back on the field: a box takes no text while it has the focus.
            onChange={(address, change) => flushSync(() => edit(actions, address, change))}
            onClose={closeSheet}
          />
        </Suspense>
      )}
    </FormEnvironmentContext>
  )
}

/** The field whose sheet is open. Known at once, before anything is drawn: the focus moves with the sheet. */
class OpenedField {
  #address: string | null = null

  take(address: string | null): void {
    this.#address = address
  }

  readonly is = (address: string): boolean => this.#address === address
}

/** The row that an address is in; null for a field of the page, and where the row is not there. */
function rowAsked(state: FormState, { address }: { readonly address: string }): OpenRow | null {
  const { table, rid, code } = addressOf(address)
  if (table === null || rid === null) return null
  return state.getCell(table)?.rows?.includes(rid) === true ? { table, rid, code } : null
}

/** Focuses a field's first control, or its value where it has none. */
function focusField(formId: string, address: string): void {
  const ids = rowIds(formId, address)
  const row = document.getElementById(ids.row)
  if (row !== null && !focusRow(row)) document.getElementById(ids.control)?.focus()
}

/** Measures of the page's look, for the style sheet. */
function lookStyle({ gutter, labelWidth }: PageLook): CSSProperties | undefined {
  if (gutter === null && labelWidth === null) return undefined
  return {
    ...(gutter === null ? {} : { '--gutter': `${gutter}px` }),
    ...(labelWidth === null ? {} : { '--label-width': `${labelWidth}px` }),
  } as CSSProperties
}

function ignore(): void {
  // A form that is only looked at has nobody to tell.
}

function deviceClock(): string {
  const now = new Date()
  const pad = (value: number) => String(value).padStart(2, '0')
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
  return `${date} ${pad(now.getHours())}:${pad(now.getMinutes())}:${pad(now.getSeconds())}`
}
