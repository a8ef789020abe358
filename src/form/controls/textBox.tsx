import type { Ref } from 'react'
import type { Field } from '#core/form/definition/page.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { weekOf } from '#core/values/calendarParts.ts'

import type { Drawing } from './drawing.ts'
import classes from '../form.module.css'
import type { RowWords } from '../rowWords.ts'
import { boxText, placeholderOf, unitOf } from '../words.ts'

/**
 * A text box: text, number, date, time, a list of one item a line. It keeps its own raw text while it has the focus (a
 * half-typed Chinese word is not a value), so the element is not controlled; it takes the cell's text whenever it is
 * not being typed in.
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
    // Else browsers write what is in a box into their own session files, in clear, and put it back into a box of their
    // choosing.
    autoComplete: 'off',
  } as const
  const { type } = field
  const said = placeholderOf(field, language)
  if (isLong(type) && field.lookUp === null) return <textarea rows={3} placeholder={said} {...common} />
  const moment = type === 'date' ? words.today : type === 'time' || type === 'datetime' ? words.now : null
  const lists = type === 'autocomplete' && cell.choices.length > 0 && cell.choices.length <= MOST_LISTED
  const beside = type === 'week' ? weekDays(cell) : unitOf(field, language)
  return (
    <div className={classes.line}>
      {/* The browser's own list beside the box: a long one is searched in the sheet. */}
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
      {beside !== null && (
        <span id={ids.unit} className={classes.unit}>
          {beside}
        </span>
      )}
      {((type === 'autocomplete' && field.choices.length > 0) || field.lookUp !== null) &&
        sideButton('choose', t('suggest.openFor', { label }), t('suggest.open'))}
      {moment !== null && sideButton('now', `${label}: ${moment}`, moment)}
      {(type === 'date' || type === 'week' || (type === 'month' && !field.monthOfYear)) &&
        sideButton('calendar', `${label}: ${words.calendar}`, words.calendar)}
    </div>
  )
}

/** A button beside the box, which is no stop of the Tab key: from the box it goes by a key of its own. */
function sideButton(action: 'choose' | 'now' | 'calendar', name: string, text: string) {
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

/** Suggestions that are put before the browser: it lists them all, whatever is typed. */
const MOST_LISTED = 200
const NOTHING = {}

function isLong(type: Field['type']): boolean {
  return type === 'textarea' || type === 'array' || type === 'url'
}

/** Gives an element a text unless somebody is typing in it. */
export function taking(text: string): Ref<HTMLInputElement & HTMLTextAreaElement> {
  return (box) => {
    if (box !== null && box.value !== text && box !== document.activeElement) box.value = text
  }
}

/**
 * What is said beside the box of a week: its first and last day, without the year. Null as long as there is no week.
 */
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

/** The keypad that a tablet offers. */
function inputMode(field: Field): 'numeric' | 'decimal' | 'tel' | 'email' | 'text' {
  const { type } = field
  if (type === 'date' || type === 'time' || type === 'datetime' || type === 'year' || type === 'month') return 'numeric'
  if (field.validation === 'phone') return 'tel'
  if (field.validation === 'email') return 'email'
  if (type !== 'number' && field.validation !== 'number' && field.validation !== 'integer') return 'text'
  // Tablets' numeric keypads often lack the minus sign, which the decimal one of some has; only whole positive numbers
  // are sure.
  const whole = field.precision === 0 || field.validation === 'integer'
  return whole && typeof field.min === 'number' && field.min >= 0 ? 'numeric' : 'decimal'
}
