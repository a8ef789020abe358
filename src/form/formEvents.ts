import type { CompositionEvent, FocusEvent, InputEvent, KeyboardEvent, MouseEvent } from 'react'

import type { JsonValue } from '#core/json.ts'
import type { FormState } from '#core/form/engine.ts'
import type { Missing } from '#core/form/value.ts'
import { isList, valueText } from '#core/form/value.ts'

/** What a person does to a form, read from events that bubble to its root: one set of listeners, however many fields. */

/** One edit by a person, for the journal: old → new, and the text as typed where it says more than the value. */
export interface FormEdit {
  readonly prop: string
  readonly old: JsonValue | null
  readonly value: JsonValue | null
  readonly oldMissing: Missing | null
  readonly missing: Missing | null
  readonly text: string | null
}

/** A question that needs more room than a row: the form's one sheet asks it. */
export interface SheetRequest {
  readonly kind: 'missing' | 'calendar' | 'choose'
  readonly prop: string
}

export interface FormActions {
  readonly state: FormState
  /** The moment now, on the form's calendar: `yyyy-MM-dd HH:mm:ss`. */
  readonly clock: () => string
  readonly onEdit: (edit: FormEdit) => void
  readonly openSheet: (request: SheetRequest) => void
}

type Change = (state: FormState) => unknown

/** Runs a change of one cell and tells of it if it was one. */
export function edit({ state, onEdit }: Pick<FormActions, 'state' | 'onEdit'>, prop: string, change: Change): void {
  const before = state.getCell(prop)
  change(state)
  const after = state.getCell(prop)
  if (before === undefined || after === undefined) return
  const { value, missing, text } = after
  if (before.value === value && before.missing === missing && before.text === text) return
  onEdit({ prop, old: before.value, value, oldMissing: before.missing, missing, text })
}

/** The listeners of a form's root element. */
export function formListeners(actions: FormActions) {
  const { state } = actions

  const takeText = (target: EventTarget) => {
    if (!isTextBox(target)) return
    const prop = target.dataset.prop ?? ''
    const typed = target.value
    if (target.dataset.control === 'text') edit(actions, prop, () => state.setText(prop, typed))
    else if (target.dataset.control === 'range') edit(actions, prop, () => state.setValue(prop, Number(typed)))
  }

  return {
    onInput: (event: InputEvent<HTMLElement>) => {
      // While an input method composes, the box holds raw pinyin.
      if (!isComposing(event.nativeEvent)) takeText(event.target)
    },
    onCompositionEnd: (event: CompositionEvent<HTMLElement>) => takeText(event.target),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const row = rowOf(event.target)
      if (row === null || row.contains(event.relatedTarget)) return
      const prop = row.dataset.row ?? ''
      state.leave(prop)
      showCanonical(state, prop, event.target)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (isComposing(event.nativeEvent)) return
      const { target, key } = event
      if (key === 'Enter' && target instanceof HTMLInputElement) {
        event.preventDefault()
        focusNext(event.currentTarget, rowOf(target))
      } else if (key.startsWith('Arrow') && target instanceof HTMLElement && target.getAttribute('role') === 'radio') {
        event.preventDefault()
        focusSibling(target, key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1)
      }
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action],[data-control]') : null
      if (target === null) return
      // A tap on an untouched scale is an answer even where the thumb does not move.
      if (target.dataset.control === 'range') takeText(target)
      else act(actions, target)
    },
  }
}

function act(actions: FormActions, { dataset }: HTMLElement): void {
  const { state, clock } = actions
  const { action, prop = '', value = '' } = dataset
  const cell = state.getCell(prop)
  if (cell === undefined) return
  switch (action) {
    case 'pick':
      return edit(actions, prop, () => state.setValue(prop, cell.value === value ? null : value))
    case 'toggle':
      return edit(actions, prop, () => state.setValue(prop, toggled(cell.field.choices.map((choice) => choice.value), cell.value, value)))
    case 'clear':
      return edit(actions, prop, () => state.setValue(prop, null))
    case 'now':
      return edit(actions, prop, () => state.setValue(prop, nowFor(cell.field.type, clock())))
    case 'undo-missing':
      return edit(actions, prop, () => state.setMissing(prop, null))
    case 'missing':
    case 'calendar':
    case 'choose':
      return actions.openSheet({ kind: action, prop })
    case undefined:
    default:
      return undefined
  }
}

/** A list with one choice more or less, in the order of the definition; codes that the definition lost stay at the end. */
export function toggled(order: readonly string[], current: JsonValue | null, value: string): readonly JsonValue[] {
  const chosen = current === null ? [] : isList(current) ? current : [current]
  const next = chosen.includes(value) ? chosen.filter((item) => item !== value) : [...chosen, value]
  return [...order.filter((item) => next.includes(item)), ...next.filter((item) => !order.includes(valueText(item)))]
}

function nowFor(type: string, moment: string): string {
  if (type === 'date') return moment.slice(0, 10)
  return type === 'time' ? moment.slice(11) : moment
}

/** Once left, a date shows the form it is stored in: `20240506` becomes `2024-05-06`. Numbers stay as typed. */
function showCanonical(state: FormState, prop: string, target: EventTarget): void {
  const cell = state.getCell(prop)
  if (cell === undefined || !isTextBox(target) || target.dataset.control !== 'text') return
  const shown = cell.field.type === 'number' && cell.text !== null ? cell.text : valueText(cell.value)
  if (target.value !== shown) target.value = shown
}

/** Enter goes to the next field that can be answered; after the last one it stays. */
function focusNext(root: HTMLElement, row: HTMLElement | null): void {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]:not([hidden])')]
  const after = row === null ? rows : rows.slice(rows.indexOf(row) + 1)
  for (const next of after) {
    if (focusRow(next)) return
  }
}

/** Focuses the first control of a row. Gives whether there was one. */
export function focusRow(row: HTMLElement): boolean {
  const control = row.querySelector<HTMLElement>(
    'input:not(:disabled), textarea, [role=radio][tabindex="0"]:not(:disabled), [role=checkbox]:not(:disabled), [data-action=choose]',
  )
  control?.focus()
  return control !== null
}

function focusSibling(button: HTMLElement, step: 1 | -1): void {
  const buttons = [...(button.parentElement?.querySelectorAll<HTMLElement>('[role=radio]:not(:disabled)') ?? [])]
  buttons.at((buttons.indexOf(button) + step) % buttons.length)?.focus()
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
}

function isTextBox(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

function isComposing(event: Event): boolean {
  return 'isComposing' in event && event.isComposing === true
}
