import type { Column, PageOption } from '#core/form/definition/column.ts'

import { BLOCK, GATE, TYPED } from '../definition.ts'
import type { tableRows } from '../definition.ts'

/** The floor: the same form in native inputs, with its rules written by hand for exactly this form. */

export function openFloor(
  root: HTMLElement,
  option: PageOption,
  values: Readonly<Record<string, string | number>>,
): void {
  const rows = new Map<string, HTMLElement>()
  for (const group of option.group ?? []) {
    const section = document.createElement('section')
    const title = document.createElement('h2')
    title.textContent = group.label
    section.append(title)
    for (const column of group.column) {
      const row = rowOf(column, values[column.prop])
      rows.set(column.prop, row)
      section.append(row)
    }
    root.append(section)
  }
  const rules = () => followRules(root, rows)
  rules()
  root.addEventListener('input', rules)
}

/**
 * The floor of a table: every value in a native input, with the calculations written by hand for exactly this table.
 */
export function openTableFloor(root: HTMLElement, values: readonly TableRow[]): void {
  const table = document.createElement('table')
  const total = document.createElement('output')
  for (const { drug, dose, times, from, why } of values) {
    const line = table.insertRow()
    for (const [name, type, value] of [
      ['drug', 'text', drug],
      ['dose', 'number', dose],
      ['times', 'number', times],
    ] as const)
      line.insertCell().append(inputOf(name, type, String(value)))
    line.insertCell().append(document.createElement('output'))
    line.insertCell().append(inputOf('from', 'date', from))
    const select = document.createElement('select')
    select.append(
      ...Array.from({ length: 8 }, (_, at) => new Option(`选项 ${at}`, String(at), false, String(at) === why)),
    )
    line.insertCell().append(select)
  }
  // Written by hand for exactly this table: a key changes only its own row and the total.
  const dailies = values.map(({ daily }) => daily)
  const outputs = Array.from(table.rows, (line) => line.querySelector('output'))
  const show = (at: number) => {
    const output = outputs[at]
    if (output) output.textContent = String(dailies[at])
  }
  for (const at of dailies.keys()) show(at)
  total.textContent = String(dailies.reduce((sum, one) => sum + one, 0))
  table.addEventListener('input', ({ target }) => {
    const line = target instanceof Element ? target.closest('tr') : null
    if (line === null) return
    const [dose = 0, times = 0] = ['dose', 'times'].map(
      (name) => line.querySelector<HTMLInputElement>(`input[name=${name}]`)?.valueAsNumber ?? 0,
    )
    dailies[line.rowIndex] = dose * times
    show(line.rowIndex)
    total.textContent = String(dailies.reduce((sum, one) => sum + one, 0))
  })
  root.append(table, total)
}

type TableRow = ReturnType<typeof tableRows>[number]

function inputOf(name: string, type: string, value: string): HTMLInputElement {
  const box = document.createElement('input')
  Object.assign(box, { name, type, value })
  return box
}

function rowOf(column: Column, value: string | number | undefined): HTMLElement {
  const row = document.createElement('div')
  row.className = 'floor-row'
  row.dataset['row'] = column.prop
  const label = document.createElement('label')
  label.textContent = column.label
  row.append(label)
  if (column.zl?.calculate !== undefined) row.append(document.createElement('output'))
  else if (column.type === 'radio' || column.type === 'checkbox') row.append(...optionsOf(column, column.type, value))
  else row.append(boxOf(column, label, value))
  return row
}

function optionsOf(
  column: Column,
  type: 'radio' | 'checkbox',
  value: string | number | undefined,
): readonly HTMLElement[] {
  return (column.dicData ?? []).map((choice) => {
    const label = document.createElement('label')
    const box = document.createElement('input')
    box.type = type
    box.name = column.prop
    box.value = String(choice.value)
    box.checked = value === choice.value
    label.append(box, choice.label)
    return label
  })
}

function boxOf(column: Column, label: HTMLLabelElement, value: string | number | undefined): HTMLElement {
  const id = `floor-${column.prop}`
  label.htmlFor = id
  if (column.type === 'select') {
    const select = document.createElement('select')
    select.id = id
    select.append(...(column.dicData ?? []).map((choice) => new Option(choice.label, String(choice.value))))
    return select
  }
  const box = document.createElement(column.type === 'textarea' ? 'textarea' : 'input')
  if (box instanceof HTMLInputElement)
    box.type = column.type === 'number' || column.type === 'date' ? column.type : 'text'
  box.id = id
  box.name = column.prop
  box.value = value === undefined ? '' : String(value)
  return box
}

/** Calculation and visibility of the first block, and of the choice that opens the second. */
function followRules(root: HTMLElement, rows: ReadonlyMap<string, HTMLElement>): void {
  const output = rows.get('f4')?.querySelector('output')
  const number = (prop: string) => rows.get(prop)?.querySelector('input')?.valueAsNumber ?? Number.NaN
  const result = number(TYPED) / (number('f2') + 1)
  const text = Number.isFinite(result) ? String(Math.round(result * 100) / 100) : ''
  if (output !== null && output !== undefined && output.textContent !== text) output.textContent = text
  const open = root.querySelector(`input[name=${GATE}]:checked`)?.getAttribute('value') === '1'
  for (let at = BLOCK; at < 2 * BLOCK; at += 1) {
    const row = rows.get(`f${at}`)
    if (row !== undefined && row.hidden === open) row.hidden = !open
  }
}
