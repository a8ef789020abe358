import type { DefinitionError, DefinitionResult, NotCarried } from '#core/exchange/definition.ts'
import { readBoundedJson } from '#core/exchange/json/boundedJson.ts'
import { checkStudy } from '#core/exchange/json/schema.ts'
import { factsOfPages } from '#core/exchange/ownFacts.ts'
import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'
import type { FieldType } from '#core/form/definition/column.ts'

import type { Cells } from './fieldCells.ts'
import { columnFromCells, withDefaults, withRest } from './fieldCells.ts'
import {
  CHECKS,
  CHOICES,
  DATES,
  ENROLMENT,
  FIELDS,
  KINDS,
  NO,
  PAGES,
  SECTION,
  SEVERITIES,
  SHEETS,
  TYPES,
  VISITS,
  YES,
} from './layout.ts'
import { PAGE_LOOKS } from './write.ts'

/**
 * Reads our workbook: what a person filled in, or what was written. A cell that says what cannot be makes it none, and
 * the error names it.
 */

interface Row {
  readonly sheet: string
  readonly row: number
  readonly cells: Cells
}

class WrongCell extends Error {
  readonly path: string
  constructor({ sheet, row }: Pick<Row, 'sheet' | 'row'>, title: string) {
    super(title)
    this.path = `${sheet}!${row} ${title}`
  }
}

/** Whether sheets are those of our workbook. */
export function isWorkbook(sheets: readonly Sheet[]): boolean {
  return [SHEETS.pages, SHEETS.fields].every((name) => sheets.some((sheet) => sheet.name === name))
}

const MAX_FIELDS = 50_000
const MAX_CHOICES = 300_000

export function readWorkbook(sheets: readonly Sheet[]): DefinitionResult {
  const bad = sheets
    .flatMap(({ rows }) => rows)
    .find(({ cells }) => cells.some((cell) => cell.includes('\0') || !cell.isWellFormed()))
  if (bad !== undefined) return failWith({ kind: 'bad-text', row: bad.row })
  const [visits, pages, fields, choices, checks] = [
    SHEETS.visits,
    SHEETS.pages,
    SHEETS.fields,
    SHEETS.choices,
    SHEETS.checks,
  ].map((name) => rowsOf(sheets, name))
  if (pages === undefined || fields === undefined || pages.length === 0) return failWith({ kind: 'empty' })
  if (fields.length > MAX_FIELDS || (choices?.length ?? 0) > MAX_CHOICES) return failWith({ kind: 'too-large' })
  try {
    const notCarried: NotCarried[] = []
    const built = new WorkbookBuilder({ lists: listsOf(choices ?? []), checks: checksOf(checks ?? []), notCarried })
    for (const page of pages) built.page(page)
    for (const field of fields) built.field(field)
    const result = checkStudy({ pages: built.pages(), folders: (visits ?? []).map(visitOf) })
    if (!result.ok) return result
    return { ok: true, definition: { ...result.study, notCarried, facts: factsOfPages(result.study.pages) } }
  } catch (error) {
    if (error instanceof WrongCell) return failWith({ kind: 'wrong-shape', path: error.path })
    throw error
  }
}

function failWith(error: DefinitionError): DefinitionResult {
  return { ok: false, error }
}

function rowsOf(sheets: readonly Sheet[], name: string): readonly Row[] {
  const [header, ...rows] = sheets.find((sheet) => sheet.name === name)?.rows ?? []
  const titles = header?.cells.map((title) => title.trim()) ?? []
  return rows.map(({ row, cells }): Row => ({
    sheet: name,
    row,
    cells: Object.fromEntries<string>(
      cells.flatMap((cell, at) =>
        cell === '' || (titles[at] ?? '') === '' ? [] : [[titles[at] ?? '', cell] as const],
      ),
    ),
  }))
}

function text({ cells }: Row, title: string): string {
  return cells[title] ?? ''
}

/** A code or a word of the format; blanks around it say nothing. */
function word(row: Row, title: string): string {
  return text(row, title).trim()
}

function jsonOf(row: Row, title: string): Readonly<Record<string, unknown>> | null {
  const source = text(row, title)
  if (source.trim() === '') return null
  const read = readBoundedJson(source)
  if (!read.ok || typeof read.value !== 'object' || read.value === null || Array.isArray(read.value))
    throw new WrongCell(row, title)
  return Object.fromEntries(Object.entries(read.value))
}

/** The key that a word of the format stands for. */
function keyOf<Key extends string>(words: Readonly<Record<Key, string>>, row: Row, title: string): Key {
  const keys = Object.keys(words).filter((key): key is Key => key in words)
  const found = keys.find((key) => words[key] === word(row, title) || key === word(row, title))
  if (found === undefined) throw new WrongCell(row, title)
  return found
}

function yesNo(row: Row, title: string): boolean | null {
  const said = word(row, title)
  if (said === '') return null
  if (said !== YES && said !== NO) throw new WrongCell(row, title)
  return said === YES
}

function number(row: Row, title: string): number {
  const said = word(row, title)
  if (!/^-?\d{1,6}$/.test(said)) throw new WrongCell(row, title)
  return Number(said)
}

function visitOf(row: Row): unknown {
  const sourceOid = text(row, VISITS.sourceOid)
  const own = {
    folderCode: word(row, VISITS.code),
    folderName: text(row, VISITS.name),
    ...(text(row, VISITS.english) === '' ? {} : { folderNameEn: text(row, VISITS.english) }),
    pages: word(row, VISITS.pages)
      .split(/[,，、]/)
      .map((code) => code.trim())
      .filter((code) => code !== ''),
    ...(sourceOid === '' ? {} : { sourceOid }),
  }
  if (word(row, VISITS.kind) === '') return own
  const kind = keyOf(KINDS, row, VISITS.kind)
  if (kind !== 'planned') return { ...own, schedule: { kind } }
  const anchor = word(row, VISITS.anchor)
  const from =
    anchor === ENROLMENT || anchor === ''
      ? { of: 'enrolment' }
      : {
          of: 'visit',
          folderCode: anchor,
          date: word(row, VISITS.date) === '' ? 'actual' : keyOf(DATES, row, VISITS.date),
        }
  const days = (title: string) => (word(row, title) === '' ? 0 : number(row, title))
  return {
    ...own,
    schedule: {
      kind,
      anchor: from,
      day: days(VISITS.day),
      before: days(VISITS.before),
      after: days(VISITS.after),
      repeating: yesNo(row, VISITS.repeating) ?? false,
    },
  }
}

function listsOf(rows: readonly Row[]): ReadonlyMap<string, readonly unknown[]> {
  const lists = new Map<string, unknown[]>()
  for (const row of rows) {
    const name = word(row, CHOICES.list)
    const list = lists.get(name) ?? []
    lists.set(name, list)
    const value = text(row, CHOICES.code)
    if (value === '' && text(row, CHOICES.label) === '' && text(row, CHOICES.rest) === '') continue
    const disabled = yesNo(row, CHOICES.disabled) === true ? { disabled: true } : {}
    list.push({ label: row.cells[CHOICES.label] ?? '', value, ...disabled, ...jsonOf(row, CHOICES.rest) })
  }
  return lists
}

/** The checks of each field, by its page and its path. */
function checksOf(rows: readonly Row[]): ReadonlyMap<string, readonly unknown[]> {
  const checks = new Map<string, unknown[]>()
  for (const row of rows) {
    const key = `${word(row, CHECKS.page)} ${word(row, CHECKS.field)}`
    const own = checks.get(key) ?? []
    checks.set(key, own)
    const en = text(row, CHECKS.en)
    const id = word(row, CHECKS.id)
    own.push({
      id: id === '' ? `check${own.length + 1}` : id,
      when: text(row, CHECKS.when),
      severity: word(row, CHECKS.severity) === '' ? 'error' : keyOf(SEVERITIES, row, CHECKS.severity),
      message: { zh: text(row, CHECKS.zh), ...(en === '' ? {} : { en }) },
    })
  }
  return checks
}

interface PageBuilt {
  readonly settings: Readonly<Record<string, unknown>>
  readonly looks: Readonly<Record<string, unknown>>
  readonly column: unknown[]
  readonly group: {
    readonly label: string
    readonly labelEn?: string
    readonly prop: string
    readonly column: unknown[]
  }[]
  /** The columns of tables, by their paths. */
  readonly tables: Map<string, unknown[]>
}

interface BuilderAround {
  readonly lists: ReadonlyMap<string, readonly unknown[]>
  readonly checks: ReadonlyMap<string, readonly unknown[]>
  readonly notCarried: NotCarried[]
}

class WorkbookBuilder {
  readonly #pages = new Map<string, PageBuilt>()
  readonly #around: BuilderAround

  constructor(around: BuilderAround) {
    this.#around = around
  }

  page(row: Row): void {
    const code = word(row, PAGES.code)
    if (this.#pages.has(code)) throw new WrongCell(row, PAGES.code)
    const repeatable = yesNo(row, PAGES.repeatable)
    this.#pages.set(code, {
      settings: {
        pageCode: code,
        pageName: text(row, PAGES.name),
        ...(text(row, PAGES.english) === '' ? {} : { pageNameEn: text(row, PAGES.english) }),
        ...(repeatable === null ? {} : { repeatable }),
      },
      looks: jsonOf(row, PAGES.rest) ?? PAGE_LOOKS,
      column: [],
      group: [],
      tables: new Map(),
    })
  }

  field(row: Row): void {
    const page = this.#pages.get(word(row, FIELDS.page))
    if (page === undefined) throw new WrongCell(row, FIELDS.page)
    const code = word(row, FIELDS.code)
    if (word(row, FIELDS.type) === SECTION) {
      page.group.push({
        label: text(row, FIELDS.label),
        ...(text(row, FIELDS.english) === '' ? {} : { labelEn: text(row, FIELDS.english) }),
        prop: code === '' ? `section_${page.group.length + 1}` : code,
        column: [],
        ...jsonOf(row, FIELDS.rest),
      })
      return
    }
    const table = word(row, FIELDS.table)
    const path = table === '' ? code : `${table}/${code}`
    const home = table === '' ? (page.group.at(-1)?.column ?? page.column) : page.tables.get(table)
    if (home === undefined) throw new WrongCell(row, FIELDS.table)
    home.push(this.#column(row, path, page))
  }

  pages(): readonly unknown[] {
    return [...this.#pages.values()].map(({ settings, looks, column, group }) => ({
      ...settings,
      option: { column, ...(group.length === 0 ? {} : { group }), ...looks },
    }))
  }

  #column(row: Row, path: string, page: PageBuilt): unknown {
    const type = this.#type(row)
    const rest = jsonOf(row, FIELDS.rest)
    const said = columnFromCells({ ...row.cells, [FIELDS.code]: word(row, FIELDS.code) }, type)
    const own = rest === null ? withDefaults(said) : withRest(said, rest)
    const list = word(row, FIELDS.list)
    const dicData = list === '' ? undefined : this.#around.lists.get(list)
    if (list !== '' && dicData === undefined) throw new WrongCell(row, FIELDS.list)
    const checks = this.#around.checks.get(`${word(row, FIELDS.page)} ${path}`)
    const full: Record<string, unknown> = { ...(own as object), ...(dicData === undefined ? {} : { dicData }) }
    if (checks !== undefined) full['zl'] = { ...(typeof full['zl'] === 'object' ? full['zl'] : {}), checks }
    if (type !== 'dynamic') return full
    const below: unknown[] = []
    page.tables.set(path, below)
    return { ...full, children: { ...(typeof full['children'] === 'object' ? full['children'] : {}), column: below } }
  }

  /** A type that there is not is text, which is said. */
  #type(row: Row): FieldType {
    const said = word(row, FIELDS.type)
    const types = Object.entries(TYPES).flatMap(([key, name]) => (key === said || name === said ? [key] : []))
    const found = Object.keys(TYPES).find((key): key is FieldType => key === types[0])
    if (found !== undefined) return found
    if (said !== '')
      this.#around.notCarried.push({
        row: row.row,
        field: word(row, FIELDS.code),
        what: 'field',
        why: 'unknown-type',
        text: said,
      })
    return 'input'
  }
}
