import { partOf } from '#core/form/definition/lists.ts'
import type { Raw } from '#core/form/definition/option.ts'

/** Choices that come from the cells of a spreadsheet. */

/**
 * What becomes of a pasted line: a new choice; a choice that is there and gets the pasted labels; one that is there
 * already as pasted; or none, because its value came before or it has no label.
 */
export type ChoiceFate = 'added' | 'changed' | 'same' | 'doubled' | 'empty'

export interface PastedChoice {
  readonly line: number
  readonly value: string
  readonly label: string
  readonly labelEn: string
  readonly fate: ChoiceFate
}

export interface PastedChoices {
  readonly lines: readonly PastedChoice[]
  /** Present choices that are not among the pasted ones. */
  readonly missing: readonly Raw[]
}

/** Longest texts of a choice, as in its boxes. */
const MOST_VALUE = 200
const MOST_LABEL = 500

/**
 * Reads pasted cells, one choice a line: a label; a value and a label; or these and a label in English. A label alone
 * is found again among the present choices, else it gets the next free number as its value.
 */
export function readPasted(text: string, present: readonly Raw[]): PastedChoices {
  const rows = text
    .split(/\r\n?|\n/)
    .map((line, at) => ({ line: at + 1, cells: line.split('\t').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const isOneColumn = rows.every(({ cells }) => cells.slice(1).every((cell) => cell === ''))
  const seen = new Set<string>()
  const free = freeNumbers([...present.map(valueOf), ...(isOneColumn ? [] : rows.map(({ cells }) => cells[0] ?? ''))])
  const lines = rows.map(({ line, cells: [first = '', second = '', third = ''] }): PastedChoice => {
    const label = (isOneColumn ? first : second).slice(0, MOST_LABEL)
    const known = isOneColumn ? present.find((choice) => textOf(choice['label']) === label) : undefined
    const isRepeated = isOneColumn && seen.has(label)
    const value = (
      isOneColumn ? (known === undefined ? (isRepeated ? '' : free()) : valueOf(known)) : first || free()
    ).slice(0, MOST_VALUE)
    const key = isOneColumn ? label : value
    const choice = { line, value, label, labelEn: third.slice(0, MOST_LABEL) }
    const fate = label === '' ? 'empty' : seen.has(key) ? 'doubled' : fateAmong(present, choice)
    seen.add(key)
    return { ...choice, fate }
  })
  const values = new Set(lines.filter(isTaken).map(({ value }) => value))
  return { lines, missing: present.filter((choice) => !values.has(valueOf(choice))) }
}

/** Whether a line becomes a choice. */
export function isTaken({ fate }: PastedChoice): boolean {
  return fate !== 'doubled' && fate !== 'empty'
}

/**
 * The choices after the paste. A choice that is there keeps its place and all that is not in the sheet; new ones come
 * after them, or, where the paste replaces all, the order is that of the sheet.
 */
export function withPasted(present: readonly Raw[], { lines }: PastedChoices, mode: 'add' | 'replace'): readonly Raw[] {
  const taken = lines.filter(isTaken)
  const made = taken.map((line): Raw => {
    const known = present.find((choice) => valueOf(choice) === line.value)
    return {
      ...known,
      value: known?.['value'] ?? line.value,
      label: line.label,
      ...(line.labelEn === '' ? {} : { labelEn: line.labelEn }),
    }
  })
  if (mode === 'replace') return made
  const byValue = new Map(made.map((choice) => [valueOf(choice), choice]))
  const values = new Set(present.map(valueOf))
  return [
    ...present.map((choice) => byValue.get(valueOf(choice)) ?? choice),
    ...made.filter((choice) => !values.has(valueOf(choice))),
  ]
}

function fateAmong(present: readonly Raw[], { value, label, labelEn }: Omit<PastedChoice, 'fate'>): ChoiceFate {
  const known = present.find((choice) => valueOf(choice) === value)
  if (known === undefined) return 'added'
  const isSame = textOf(known['label']) === label && (labelEn === '' || textOf(known['labelEn']) === labelEn)
  return isSame ? 'same' : 'changed'
}

/** Gives the numbers after the highest of the values, one after the other. */
function freeNumbers(values: readonly string[]): () => string {
  let next = Math.max(0, ...values.map(Number).filter(Number.isSafeInteger))
  return () => String((next += 1))
}

function valueOf(choice: Raw): string {
  return textOf(partOf(choice)['value'])
}

/** The value or label of a choice as it is typed; '' where there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
