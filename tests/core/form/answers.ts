import { allPaths, answerOf, canAnswer } from '#core/form/definition/choices.ts'
import type { TextValidation } from '#core/form/definition/column.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Issue } from '#core/form/engine/issue.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isCollected, isRange, isTable, isTree } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'

/**
 * Answers to the fields of any page: right ones, with which it can be submitted, and wrong ones with what must be said
 * of them.
 */

/** Most answers to one page: rules open fields, and no real page has more. */
const MOST_ANSWERS = 5_000

/**
 * Answers every field that is shown, and those that open on the way, with something that nothing is said of.
 *
 * @returns fields that no right answer was found for, with what is said of the last one tried
 */
export function fillRightly(form: FormState): readonly string[] {
  const stuck = new Map<string, string>()
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const open = form.cells().find((cell) => isOpen(form, cell.key) && !stuck.has(cell.key))
    if (open === undefined) return [...stuck].map(([key, why]) => `${key} ${why}`)
    const said = answerRightly(form, open.key)
    if (said !== null) stuck.set(open.key, said)
  }
  throw new Error('the answers to this page have no end')
}

/** Whether a field is to be answered and is not. */
export function isOpen(form: FormState, key: string): boolean {
  const cell = form.getCell(key)
  if (cell === undefined || !cell.visible || cell.readOnly || !isCollected(cell.field)) return false
  return cell.value === null && (cell.rows === null || cell.rows.length === 0)
}

function answerRightly(form: FormState, key: string): string | null {
  const field = form.getCell(key)?.field
  if (field === undefined) return 'is not there'
  if (isTable(field)) return form.addRow(key) === null ? 'takes no row' : null
  let said = 'has no answer'
  for (const answer of rightAnswers(field)) {
    give(form, key, answer)
    const issues = form.getCell(key)?.issues.filter(isError) ?? []
    if (issues.length === 0 && form.getCell(key)?.value !== null) return null
    said = `${JSON.stringify(answer)} ${JSON.stringify(issues)}`
  }
  return said
}

/** Gives a field an answer as a hand does: text is typed. */
export function give(form: FormState, key: string, answer: JsonValue): void {
  const field = form.getCell(key)?.field
  if (typeof answer === 'string' && field !== undefined && !isChoice(field) && !isTree(field)) form.setText(key, answer)
  else form.setValue(key, answer)
}

/** Answers of which at least one is right where the definition allows any. */
function* rightAnswers(field: Field): Iterable<JsonValue> {
  if (isChoice(field)) {
    const several = field.type === 'checkbox' || field.multiple
    for (const { value } of field.choices.filter(({ disabled }) => !disabled)) yield several ? [value] : value
    return
  }
  if (isTree(field)) {
    for (const path of allPaths(field.choices)) {
      const last = path.at(-1)
      if (last !== undefined && canAnswer(field, last))
        yield field.multiple ? [answerOf(field, path)] : answerOf(field, path)
    }
    return
  }
  if (field.type === 'upload') {
    yield [
      {
        id: '0190a000-0000-7000-8000-000000000001',
        name: 'scan.png',
        type: 'image/png',
        size: 68,
        hash: '0'.repeat(64),
      },
    ]
    return
  }
  if (isRange(field)) {
    yield* rightEnds(field)
    return
  }
  yield* rightTexts(field)
}

function* rightEnds({ type, min, max }: Field): Iterable<JsonValue> {
  if (type === 'slider') yield [Number(min ?? 0), Number(max ?? 100)]
  else if (type === 'timerange') yield ['08:00:00', '09:00:00']
  else yield type === 'datetimerange' ? ['2025-03-01 08:00:00', '2025-03-02 09:00:00'] : ['2025-03-01', '2025-03-02']
}

const DAYS = ['2025-03-01', '2026-02-28', '2026-03-01', '2010-06-15', '1980-06-15', '2030-01-01']
const NUMBERS = [1, 2, 5, 10, 20, 37, 50, 80, 120, 160, 500, 0, 0.5, 1000, 2000]

function* rightTexts(field: Field): Iterable<JsonValue> {
  const { min, max, validation } = field
  const { type } = field
  if (type === 'number' || type === 'slider') {
    for (const number of [...NUMBERS, middle(min, max)]) yield type === 'slider' ? number : String(number)
  } else if (type === 'date') yield* DAYS
  else if (type === 'datetime') for (const day of DAYS) yield `${day} 09:30:00`
  else if (type === 'time') yield* ['09:30:00', '20:00:00']
  else if (type === 'year') for (const day of DAYS) yield day.slice(0, 4)
  else if (type === 'month') for (const day of DAYS) yield field.monthOfYear ? day.slice(5, 7) : day.slice(0, 7)
  else if (type === 'week') yield* DAYS
  else {
    if (type === 'url') yield 'https://example.org/'
    if (validation !== null) yield* RIGHT_FORMATS[validation]
    yield '赤芍'
    // Formats of the country or the hospital that a check may ask for.
    yield* ['1234567890', '12345', '1234', '0412345678', 'K1A 0B6', '123-45-6789', '12:30']
  }
}

const RIGHT_FORMATS: Readonly<Record<TextValidation, readonly string[]>> = {
  email: ['somebody@example.org'],
  phone: ['13800138000'],
  postcode: ['100053'],
  letters: ['abc'],
  number: NUMBERS.map(String),
  integer: NUMBERS.map(String),
}

function middle(min: Field['min'], max: Field['max']): number {
  const [low, high] = [Number(min ?? 0), Number(max ?? Number(min ?? 0) + 2)]
  return Math.floor((low + high) / 2)
}

/** A wrong answer, and what has to be said of it. */
export interface WrongAnswer {
  readonly answer: JsonValue
  readonly code: Issue['code']
}

const WRONG_FORMATS: Readonly<Record<TextValidation, WrongAnswer>> = {
  email: { answer: 'nobody', code: 'not-email' },
  phone: { answer: 'call me', code: 'not-phone' },
  postcode: { answer: '!', code: 'not-postcode' },
  letters: { answer: 'a1', code: 'not-letters' },
  number: { answer: 'many', code: 'not-number' },
  integer: { answer: '1.5', code: 'not-integer' },
}

/** Everything wrong that the definition of a field itself has a word for. */
export function wrongAnswers(field: Field): readonly WrongAnswer[] {
  const wrong: WrongAnswer[] = []
  const add = (answer: JsonValue, code: Issue['code']) => wrong.push({ answer, code })
  if (isChoice(field)) {
    const several = field.type === 'checkbox' || field.multiple
    add(several ? ['no such choice'] : 'no such choice', 'not-choice')
    return wrong
  }
  const { type } = field
  if (type === 'number') {
    add('about seventy', 'not-number')
    if (field.precision === 0) add(String(middle(field.min, field.max) + 0.5), 'not-integer')
  } else if (type === 'date') add('20251345', field.partial === null ? 'not-date' : `not-date-or-${field.partial}`)
  else if (type === 'datetime') add('2025-03-01', 'not-datetime')
  else if (type === 'time') add('2561', 'not-time')
  else if (field.validation !== null) wrong.push(WRONG_FORMATS[field.validation])
  const isNumber = field.type === 'number' || field.validation === 'number' || field.validation === 'integer'
  if (isNumber && typeof field.min === 'number') add(String(Math.floor(field.min) - 1), 'below')
  if (isNumber && typeof field.max === 'number') add(String(Math.ceil(field.max) + 1), 'above')
  const day = field.type === 'date' ? '' : field.type === 'datetime' ? ' 00:00:00' : null
  if (day !== null && typeof field.min === 'string') add(`1800-01-01${day}`, 'below')
  if (day !== null && typeof field.max === 'string') add(`2999-01-01${day}`, 'above')
  return wrong
}

/** Values at which a check that watches its own field speaks, if it ever does. */
export function farAnswers({ type }: Field): readonly JsonValue[] {
  if (type === 'date') return ['1800-01-01', '2999-01-01']
  if (type === 'datetime') return ['1800-01-01 00:00:00', '2999-01-01 00:00:00']
  return type === 'time' ? ['00:00:00', '23:59:59'] : ['-1000000000', '1000000000', '!?']
}
