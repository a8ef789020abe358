import type { CompositionEvent, FocusEvent, InputEvent, KeyboardEvent, MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Field } from '#core/form/definition/page.ts'
import { isList, valueText } from '#core/form/definition/value.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { JsonValue } from '#core/json.ts'

import type { FormActions } from './formActions.ts'
import { addRow, edit } from './formActions.ts'
import { rowIds } from './formContext.ts'
import { listUnanswered } from './missing/markMissing.ts'
import { boxText, endText } from './words.ts'

/**
 * Reads what a person does to a form from events that bubble to its root: one set of listeners, however many fields.
 */

/** Boxes in which an input method is composing a word. */
const composing = new WeakSet<EventTarget>()

/** The listeners of a form's root element. */
export function formListeners(actions: FormActions) {
  const { state, afterPress } = actions

  const takeText = (target: EventTarget) => {
    if (!isTextBox(target)) return
    const address = addressIn(target)
    const typed = target.value
    const end = endOf(target)
    if (target.dataset.control === undefined) return
    if (end !== null) edit(actions, address, () => state.setEnd(address, end, typed))
    else if (target.dataset.control === 'range') edit(actions, address, () => state.setValue(address, Number(typed)))
    else edit(actions, address, () => state.setText(address, typed))
  }

  return {
    onInput: (event: InputEvent<HTMLElement>) => {
      // While an input method composes, the box holds raw pinyin.
      if (!isComposing(event.nativeEvent)) takeText(event.target)
    },
    onCompositionStart: (event: CompositionEvent<HTMLElement>) => {
      composing.add(event.target)
    },
    onCompositionEnd: (event: CompositionEvent<HTMLElement>) => {
      composing.delete(event.target)
      takeText(event.target)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      // Some input methods leave a half-composed word in the box without any event. It is taken, because the person
      // sees it there.
      if (composing.delete(event.target)) takeText(event.target)
      const row = rowOf(event.target)
      if (row === null) return
      const address = addressIn(row)
      // When the form itself gets the focus, it passes it on to one of its fields, so the field is not left.
      if (!row.contains(event.relatedTarget) && event.relatedTarget !== event.currentTarget) {
        // Only after the click is it known whether the press opened the field's own sheet.
        afterPress(() => {
          if (!actions.isOpen(address)) state.leave(address)
        })
      }
      showCanonical(state, address, event.target)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (isComposing(event.nativeEvent)) return
      const { target, key } = event
      if (event.altKey && pressBeside(actions, rowOf(target), event.code)) event.preventDefault()
      else if (key === 'Enter' && !event.ctrlKey && !event.metaKey && target instanceof HTMLInputElement) {
        event.preventDefault()
        if (!focusOtherEnd(target)) focusNext(event.currentTarget, rowOf(target))
      } else if (key.startsWith('Arrow') && target instanceof HTMLElement && target.matches(CHOICES)) {
        event.preventDefault()
        focusSibling(target, key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1)
      }
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action],[data-control]') : null
      if (target === null) return
      // A tap on an untouched scale is an answer, even if the thumb does not move.
      if (target.dataset.control === 'range') takeText(target)
      else act(actions, target)
    },
  }
}

type Beside = Pick<FormActions, 'history' | 'queries'>

/**
 * The listeners of a form that is only read: what stands beside a field can be opened by its key there too, and a row
 * where its fields can be checked one by one.
 */
export function besideListeners(actions: Beside & Pick<FormActions, 'openRow'>) {
  return {
    onClick: ({ target }: MouseEvent<HTMLElement>) => {
      const line = target instanceof Element ? target.closest<HTMLElement>('[data-action=row-open]') : null
      if (line !== null) actions.openRow({ table: addressIn(line), rid: line.dataset.value ?? '', code: null })
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.altKey && pressBeside(actions, rowOf(event.target), event.code)) event.preventDefault()
    },
  }
}

function act(actions: FormActions, target: HTMLElement): void {
  const { state, clock } = actions
  const { action, value = '' } = target.dataset
  if (action === 'group-missing') return openGroup(actions, value.split(' '))
  const address = addressIn(target)
  const cell = state.getCell(address)
  if (cell === undefined) return
  switch (action) {
    case 'pick':
      return edit(actions, address, () => state.setValue(address, cell.value === value ? null : value))
    case 'toggle':
      return edit(actions, address, () =>
        state.setValue(
          address,
          toggleChoice(
            cell.choices.map((choice) => choice.value),
            cell.value,
            value,
          ),
        ),
      )
    case 'clear':
      return editAway(target, () => edit(actions, address, () => state.setValue(address, null)))
    case 'now':
      return edit(actions, address, () => state.setValue(address, nowFor(cell.field, clock())))
    case 'undo-missing':
      return editAway(target, () => edit(actions, address, () => state.setMissing(address, null)))
    case 'missing':
    case 'calendar':
    case 'choose':
      return actions.openSheet({ kind: action, address, end: endOf(target) })
    case 'confirm':
      return actions.openSheet({ kind: action, address, end: null, warning: value })
    case 'row-open':
      return actions.openRow({ table: address, rid: value, code: null })
    case 'row-add':
      return addRow(actions, address, null, null)
    case undefined:
    default:
      return undefined
  }
}

/** Asks for one reason for all fields of a group that have no answer. */
function openGroup({ state, openSheet }: FormActions, codes: readonly string[]): void {
  const [address = ''] = listUnanswered(state, codes)
  if (address !== '') openSheet({ kind: 'group', address, end: null, codes })
}

/**
 * Makes an edit that removes its own button. The focus goes to the control of the field, because otherwise it would be
 * lost.
 */
function editAway(button: HTMLElement, change: () => void): void {
  const row = rowOf(button)
  flushSync(change)
  if (row !== null) focusRow(row)
}

/**
 * A list with one choice added or removed, in the order of the definition. Codes that the definition no longer has stay
 * at the end.
 */
export function toggleChoice(order: readonly string[], current: JsonValue | null, value: string): readonly JsonValue[] {
  const chosen = current === null ? [] : isList(current) ? current : [current]
  const next = chosen.includes(value) ? chosen.filter((item) => item !== value) : [...chosen, value]
  return [...order.filter((item) => next.includes(item)), ...next.filter((item) => !order.includes(valueText(item)))]
}

function nowFor({ type, minutes }: Pick<Field, 'type' | 'minutes'>, moment: string): string {
  if (type === 'date') return moment.slice(0, 10)
  const said = minutes ? moment.slice(0, -3) : moment
  return type === 'time' ? said.slice(11) : said
}

/** When a date is left, its box shows the stored form: `20240506` becomes `2024-05-06`. Numbers stay as typed. */
function showCanonical(state: FormState, address: string, target: EventTarget): void {
  const cell = state.getCell(address)
  if (cell === undefined || !isTextBox(target) || target.dataset.control !== 'text') return
  const end = endOf(target)
  const shown = end === null ? boxText(cell) : endText(cell.value, end)
  if (target.value !== shown) target.value = shown
}

/** Buttons beside a field that the Tab key skips, by the key that presses them together with Alt. */
const BESIDE: Readonly<Record<string, string>> = {
  KeyM: '[data-action=missing], [data-action=undo-missing]',
  KeyN: '[data-action=now]',
  ArrowDown: '[data-action=calendar], [data-action=choose]',
}

/** Presses the button for a key beside the field that has the focus. Returns whether there is one. */
function pressBeside({ history, queries }: Beside, row: HTMLElement | null, code: string): boolean {
  const show = code === 'KeyH' ? history : code === 'KeyQ' ? queries : null
  if (show !== null && row !== null) {
    show(row.dataset.row ?? '')
    return true
  }
  const selector = Object.hasOwn(BESIDE, code) ? BESIDE[code] : undefined
  const button = selector === undefined ? null : row?.querySelector<HTMLElement>(selector)
  button?.click()
  return button !== null && button !== undefined
}

/** Moves from the beginning of a range to its end, on Enter. Returns whether it did. */
function focusOtherEnd(target: HTMLElement): boolean {
  const other = endOf(target) === 0 ? rowOf(target)?.querySelector<HTMLElement>('input[data-end="1"]') : null
  other?.focus()
  return other !== null && other !== undefined
}

/** Moves to the next field that can be answered, on Enter; after the last field it stays. */
function focusNext(root: HTMLElement, row: HTMLElement | null): void {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]:not([hidden])')]
  const after = row === null ? rows : rows.slice(rows.indexOf(row) + 1)
  for (const next of after) {
    if (focusRow(next)) return
  }
}

/** Focuses the first control of a row. Returns whether there was one. */
export function focusRow(row: HTMLElement): boolean {
  const control = row.querySelector<HTMLElement>(
    'input:not(:disabled), textarea, [role=radio]:not([tabindex="-1"],:disabled), [role=checkbox]:not([tabindex="-1"],:disabled), [data-action=choose], [data-action=row-open], [data-action=row-add], [data-check]',
  )
  control?.focus()
  return control !== null
}

/** Focuses the first control of a field, or its value where it has none. */
export function focusField(formId: string, address: string): void {
  const ids = rowIds(formId, address)
  const row = document.getElementById(ids.row)
  if (row !== null && !focusRow(row)) document.getElementById(ids.control)?.focus()
}

/** Buttons of a group of choices, of which the Tab key reaches one; the arrow keys reach the others. */
const CHOICES = '[role=radio], [role=checkbox]'

function focusSibling(button: HTMLElement, step: 1 | -1): void {
  const buttons = [...(button.parentElement?.querySelectorAll<HTMLElement>(CHOICES) ?? [])].filter(
    (choice) => !choice.matches(':disabled'),
  )
  buttons.at((buttons.indexOf(button) + step) % buttons.length)?.focus()
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
}

/** Address of the field whose row holds an element. */
function addressIn(element: HTMLElement): string {
  return rowOf(element)?.dataset.row ?? ''
}

function isTextBox(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

/** The end of a range that an element is for; null for a whole value. */
function endOf({ dataset }: HTMLElement): 0 | 1 | null {
  return dataset.end === '0' ? 0 : dataset.end === '1' ? 1 : null
}

/**
 * Code of a key that an input method has used. Safari sends the key that ends a word only after the event that says
 * that the word has ended.
 */
const TAKEN_KEY = 229

/** Whether an event belongs to a word that an input method is still composing. */
export function isComposing(event: Event): boolean {
  return ('isComposing' in event && event.isComposing === true) || ('keyCode' in event && event.keyCode === TAKEN_KEY)
}
