import type { Ref } from 'react'
import type { Field } from '#core/form/definition/page.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { weekOf } from '#core/values/calendarParts.ts'

import type { Drawing } from './drawing.ts'
import classes from '../form.module.css'
import type { RowWords } from '../rowWords.ts'
import { boxText, placeholderOf, unitOf } from '../words.ts'

/**
 * A text box: text, number, date, time, a list with one item a line. While it has the focus, it keeps its own raw text,
 * because a half-typed Chinese word is not a value. Therefore React does not control the element; it takes the cell's
 * text whenever nobody types in it.
 */
export function textBox({ cell, label, ids, environment: { words, t, language }, describedBy, invalid }: Drawing) {
  const { field } = cell
  const common = {
    ref: taking(boxText(cell)),
    id: ids.control,
    className: classes.box,
    'data-control': 'text',
    'aria-invalid': invalid || undefined,
    'aria-required': cell.required || undefined,
    'aria-describedby': describedBy,
    // Without this, browsers write the text of a box into their own session files, in clear, and later put it into a
    // box that they choose.
    autoComplete: 'off',
  } as const
  const { type } = field
  const said = placeholderOf(field, language)
  if (isLong(type) && field.lookUp === null) return <textarea rows={3} placeholder={said} {...common} />
  const moment = type === 'date' ? words.today : type === 'time' || type === 'datetime' ? words.now : null
  const lists = type === 'autocomplete' && cell.choices.length > 0 && cell.choices.length <= MOST_LISTED
  const beside = type === 'week' ? weekDays(cell) : unitOf(field, language)
  const unit = beside !== null && (
    <span id={ids.unit} className={classes.unit}>
      {beside}
    </span>
  )
  if (beside !== null && moment === null && type !== 'week' && field.lookUp === null && !lists) {
    return (
      <div className={classes.boxed} data-width={boxWidth(field)}>
        <input type="text" inputMode={inputMode(field)} placeholder={said ?? placeholder(field, words)} {...common} />
        {unit}
      </div>
    )
  }
  return (
    <div className={classes.line} data-width={boxWidth(field)}>
      {/* The browser's own list of suggestions. A long list is searched in the sheet instead. */}
      {lists && (
        <datalist id={`${ids.control}-list`}>
          {cell.choices.map((choice) => (
            <option key={choice.value}>{choice.label}</option>
          ))}
        </datalist>
      )}
      {isLong(type) ? (
        <textarea rows={3} placeholder={said} {...common} />
      ) : (
        <input
          type="text"
          {...(lists ? { list: `${ids.control}-list` } : NOTHING)}
          inputMode={inputMode(field)}
          placeholder={said ?? placeholder(field, words)}
          {...common}
        />
      )}
      {unit}
      {((type === 'autocomplete' && field.choices.length > 0) || field.lookUp !== null) &&
        sideButton('choose', t('suggest.openFor', { label }), t('suggest.open'))}
      {moment !== null && sideButton('now', `${label}${words.colon}${moment}`, moment)}
      {(type === 'date' || type === 'week' || (type === 'month' && !field.monthOfYear)) &&
        sideButton('calendar', `${label}${words.colon}${words.calendar}`)}
    </div>
  )
}

/**
 * A button beside the box, with its word or a shape of the style sheet. The Tab key skips it; a key of its own presses
 * it from the box.
 */
function sideButton(action: 'choose' | 'now' | 'calendar', name: string, text?: string) {
  return (
    <button
      type="button"
      className={classes.side}
      data-action={action}
      tabIndex={-1}
      aria-keyshortcuts={action === 'now' ? 'Alt+N' : 'Alt+ArrowDown'}
      aria-label={name}
      aria-haspopup={action === 'now' ? undefined : 'dialog'}
    >
      {text}
    </button>
  )
}

/** How wide the box of a field is, for the style sheet; undefined where it takes the width that there is. */
export function boxWidth({ type, lookUp }: Pick<Field, 'type' | 'lookUp'>): string | undefined {
  return lookUp === null ? WIDTHS[type] : undefined
}

/** Boxes as wide as their values; the others take the width that there is. */
const WIDTHS: Partial<Readonly<Record<Field['type'], string>>> = {
  number: 'number',
  date: 'date',
  datetime: 'moment',
  time: 'short',
  year: 'short',
  month: 'number',
  week: 'date',
}

/** How many suggestions the browser gets: it lists them all, whatever is typed. */
const MOST_LISTED = 200
const NOTHING = {}

function isLong(type: Field['type']): boolean {
  return type === 'textarea' || type === 'array' || type === 'url'
}

/** Sets the text of an element, unless somebody is typing in it. */
export function taking(text: string): Ref<HTMLInputElement & HTMLTextAreaElement> {
  return (box) => {
    if (box !== null && box.value !== text && box !== document.activeElement) box.value = text
  }
}

/** The first and last day of a week, without the year, which stand beside its box. Null while there is no week. */
function weekDays({ value }: Cell): string | null {
  const week = typeof value === 'string' ? weekOf(value) : null
  return week === null ? null : `${week.from.slice(5)} – ${week.to.slice(5)}`
}

function placeholder({ type, monthOfYear }: Field, { placeholder: words }: RowWords): string | undefined {
  if (type === 'month') return monthOfYear ? words.monthOfYear : words.month
  return type === 'date' || type === 'time' || type === 'datetime' || type === 'year' || type === 'week'
    ? words[type]
    : undefined
}

/** The keypad that a tablet shows. */
function inputMode(field: Field): 'numeric' | 'decimal' | 'tel' | 'email' | 'text' {
  const { type } = field
  if (type === 'date' || type === 'time' || type === 'datetime' || type === 'year' || type === 'month') return 'numeric'
  if (field.validation === 'phone') return 'tel'
  if (field.validation === 'email') return 'email'
  if (type !== 'number' && field.validation !== 'number' && field.validation !== 'integer') return 'text'
  // Numeric keypads of tablets often lack the minus sign, and some decimal ones lack it too. Only positive whole
  // numbers can do without.
  const whole = field.precision === 0 || field.validation === 'integer'
  return whole && typeof field.min === 'number' && field.min >= 0 ? 'numeric' : 'decimal'
}
