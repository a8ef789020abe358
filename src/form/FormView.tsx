import type { CSSProperties } from 'react'
import { useId, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { LookUps } from '#core/form/definition/lookUps.ts'
import type { PageLook } from '#core/form/definition/pageLook.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { FormPart } from './FormPart.tsx'
import type { FilePort } from './filePort.ts'
import classes from './form.module.css'
import type { ConfirmPort, QueryPort, FormEnvironment } from './formContext.ts'
import { FormEnvironmentContext } from './formContext.ts'
import type { FormEdit } from './formActions.ts'
import { edit } from './formActions.ts'
import { besideListeners, formListeners } from './formEvents.ts'
import type { ReviewPort } from './review/reviewMarks.ts'
import { firstParts, firstRows, partsOf } from './layout/layout.ts'
import { useDrawnParts } from './layout/useDrawnParts.ts'
import { useLaidOutParts } from './layout/useLaidOutParts.ts'
import { useWantedField } from './layout/useWantedField.ts'
import { markMissing } from './missing/markMissing.ts'
import { usePress } from './press.ts'
import { rowWordsIn } from './rowWords.ts'
import { useSheets } from './sheet/useSheets.ts'
import type { Language } from './words.ts'

const FieldSheet = laterPart(async () => (await import('./sheet/FieldSheet.tsx')).FieldSheet, NotLoaded)
const RowSheet = laterPart(async () => (await import('./table/RowSheet.tsx')).RowSheet, NotLoaded)

export interface FormViewProps {
  readonly state: FormState
  /** `view` draws no control; `input` draws one where the field may be edited. */
  readonly mode: 'input' | 'view'
  readonly language: Language
  /** Called for every edit by a person. `state.changes()` has the calculated fields that follow from it. */
  readonly onEdit?: (edit: FormEdit) => void
  /**
   * The address of a field to show and focus, from a link, an error or a query. A new object asks again for the same
   * field.
   */
  readonly focus?: { readonly address: string }
  /**
   * Gives the address where a field's conflict is decided. Must be the same function at every drawing, or all fields
   * draw again.
   */
  readonly conflictPath?: (conflictId: string) => string
  /**
   * Takes answers to warnings; without it no field offers to confirm. Must be the same object at every drawing, or all
   * fields draw again.
   */
  readonly confirms?: ConfirmPort
  /**
   * Shows the history of a field; without it no field offers the history. Must be the same function at every drawing,
   * or all fields draw again.
   */
  readonly onHistory?: (address: string) => void
  /** What was asked about the fields. Must be the same object at every drawing, or all fields draw again. */
  readonly queries?: QueryPort | null
  /** What is checked of the fields, where they are read. Must be the same object at every drawing. */
  readonly review?: ReviewPort | null
  /** What upload fields need. Must be the same object at every drawing, or all fields draw again. */
  readonly files?: FilePort
  /** The records of the patient's other pages for look-ups. The same object while nothing there has changed. */
  readonly lookUps?: LookUps
  /** The moment now on the form's calendar, `yyyy-MM-dd HH:mm:ss`; the device's clock by default. */
  readonly clock?: () => string
}

/** Draws a form. Nothing above a field renders again on typing. Give it a `key` per entry. */
export function FormView(props: FormViewProps) {
  const { state, mode, language, onEdit = ignore, focus, clock = deviceClock } = props
  const environment = useEnvironment(props)
  const sheets = useSheets(state, environment.id, focus)
  const parts = useMemo(() => partsOf(state.compiled.page, mode, language), [state, mode, language])
  const { look } = state.compiled.page
  const first = useMemo(() => {
    const { innerWidth: width, innerHeight: height } = window
    return firstParts(parts, firstRows(look.labelPosition, mode, { width, height }))
  }, [parts, look, mode])
  const [drawn, drawAtLeast] = useDrawnParts(first, parts.length)
  const root = useRef<HTMLDivElement>(null)
  useLaidOutParts(root, drawn >= parts.length)
  const press = usePress()
  useWantedField(state, environment.id, focus, { parts, drawn, drawAtLeast })

  const { sheet, row, openSheet, openRow, isOpen } = sheets
  const { history } = environment
  const queries = environment.queries?.open ?? null
  const actions = { state, clock, history, queries, onEdit, openSheet, openRow, isOpen, afterPress: press.after }
  return (
    <FormEnvironmentContext value={environment}>
      <div
        ref={root}
        className={classes.form}
        data-labels={look.labelPosition ?? undefined}
        data-mode={mode}
        data-checked={environment.review === null ? undefined : ''}
        style={lookStyle(look)}
        {...(mode === 'input' ? formListeners(actions) : besideListeners(actions))}
      >
        {parts.map((part, at) => (
          <FormPart key={part.id} part={part} drawn={at < drawn} />
        ))}
      </div>
      {row !== null && <RowSheet open={row} actions={actions} onOpen={sheets.changeRow} onClose={sheets.closeRow} />}
      {sheet !== null && mode === 'input' && (
        <FieldSheet
          request={sheet}
          // Drawn before the focus returns to the field, because a box takes no new text while it has the focus.
          onChange={(address, change) => flushSync(() => edit(actions, address, change))}
          onGroup={(codes, missing) => flushSync(() => markMissing(actions, codes, missing))}
          onClose={sheets.closeSheet}
        />
      )}
    </FormEnvironmentContext>
  )
}

/** What every row needs. The same object until the form, its language, its mode or its surroundings change. */
function useEnvironment({
  state,
  mode,
  language,
  conflictPath,
  confirms,
  onHistory,
  queries = null,
  review = null,
  files,
  lookUps,
}: FormViewProps): FormEnvironment {
  const { i18n } = useTranslation('form')
  const id = useId()
  const [t, words] = useMemo(
    () => [i18n.getFixedT(language, 'form'), rowWordsIn(i18n, language)] as const,
    [i18n, language],
  )
  return useMemo(
    () => ({
      state,
      mode,
      language,
      id,
      t,
      words,
      conflictPath: conflictPath ?? null,
      confirms: confirms ?? null,
      history: onHistory ?? null,
      queries,
      review: mode === 'view' ? review : null,
      files: files ?? null,
      lookUps: lookUps ?? null,
    }),
    [state, mode, language, id, t, words, conflictPath, confirms, onHistory, queries, review, files, lookUps],
  )
}

/** Sizes of the page's look, for the style sheet. */
function lookStyle({ gutter, labelWidth }: PageLook): CSSProperties | undefined {
  if (gutter === null && labelWidth === null) return undefined
  return {
    ...(gutter === null ? {} : { '--gutter': `${gutter}px` }),
    ...(labelWidth === null ? {} : { '--label-width': `${labelWidth}px` }),
  } as CSSProperties
}

function ignore(): void {
  // A read-only form reports its edits to nobody.
}

function deviceClock(): string {
  const now = new Date()
  const pad = (value: number) => String(value).padStart(2, '0')
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
  return `${date} ${pad(now.getHours())}:${pad(now.getMinutes())}:${pad(now.getSeconds())}`
}
