import type { DefinedFolder, DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { writeXlsx } from '#core/exchange/sheet/writeXlsx.ts'
import type { Column, DictionaryItem, PageOption } from '#core/form/definition/column.ts'

import type { Cells } from './fieldCells.ts'
import { cellsFromColumn, columnFromCells, restOf, withDefaults } from './fieldCells.ts'
import { HELP } from './help.ts'
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
  VISITS,
  YES,
} from './layout.ts'

/**
 * Writes a study as our workbook (.xlsx): what a person fills in in cells, the rest beside it. Without pages it is the
 * template to be filled in.
 */

/** How a page looks of which nothing else is said. */
export const PAGE_LOOKS = { labelPosition: 'top', labelSuffix: '：', labelWidth: 120 } as const

/** Reading the bytes again gives the same pages and visits. */
export function writeWorkbook({ pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>): Uint8Array {
  const lists = new Lists()
  const fields = pages.flatMap((page) => pageRows(page, lists))
  return writeXlsx([
    { name: SHEETS.help, rows: HELP, widths: [16, 16, 60, 60] },
    { name: SHEETS.visits, rows: makeTable(VISITS, folders.map(visitCells)) },
    { name: SHEETS.pages, rows: makeTable(PAGES, pages.map(pageCells)) },
    { name: SHEETS.fields, rows: makeTable(FIELDS, fields) },
    { name: SHEETS.choices, rows: makeTable(CHOICES, lists.rows()) },
    { name: SHEETS.checks, rows: makeTable(CHECKS, pages.flatMap(checkRows)) },
  ])
}

function makeTable(titles: Readonly<Record<string, string>>, rows: readonly Cells[]): readonly (readonly string[])[] {
  const columns = Object.values(titles)
  return [columns, ...rows.map((row) => columns.map((title) => row[title] ?? ''))]
}

function visitCells({
  folderCode,
  folderName,
  folderNameEn = '',
  pages,
  schedule,
  sourceOid = '',
}: DefinedFolder): Cells {
  const own = {
    [VISITS.code]: folderCode,
    [VISITS.name]: folderName,
    [VISITS.english]: folderNameEn,
    [VISITS.pages]: pages.join(','),
    [VISITS.sourceOid]: sourceOid,
  }
  if (schedule === undefined) return own
  if (schedule.kind !== 'planned') return { ...own, [VISITS.kind]: KINDS[schedule.kind] }
  const { anchor, day, before, after, repeating } = schedule
  return {
    ...own,
    [VISITS.kind]: KINDS.planned,
    [VISITS.anchor]: anchor.of === 'enrolment' ? ENROLMENT : anchor.folderCode,
    [VISITS.date]: anchor.of === 'enrolment' ? '' : DATES[anchor.date],
    [VISITS.day]: String(day),
    [VISITS.before]: String(before),
    [VISITS.after]: String(after),
    [VISITS.repeating]: repeating ? YES : NO,
  }
}

function pageCells({ pageCode, pageName, pageNameEn = '', repeatable, option }: DefinedPage): Cells {
  const { column: _column, group, ...looks } = option
  // A page whose list of sections is empty says so.
  const rest = { ...looks, ...(group !== undefined && group.length === 0 ? { group } : {}) }
  return {
    [PAGES.code]: pageCode,
    [PAGES.name]: pageName,
    [PAGES.english]: pageNameEn,
    [PAGES.repeatable]: repeatable === undefined ? '' : repeatable ? YES : NO,
    [PAGES.rest]: JSON.stringify(rest) === JSON.stringify(PAGE_LOOKS) ? '' : JSON.stringify(rest),
  }
}

function pageRows({ pageCode, option }: DefinedPage, lists: Lists): readonly Cells[] {
  const rows = (columns: readonly Column[]) => columns.flatMap((column) => fieldRows(column, pageCode, '', lists))
  return [
    ...rows(option.column),
    ...(option.group ?? []).flatMap(({ label, labelEn = '', prop, column, ...rest }) => [
      {
        [FIELDS.page]: pageCode,
        [FIELDS.code]: prop,
        [FIELDS.label]: label,
        [FIELDS.english]: labelEn,
        [FIELDS.type]: SECTION,
        [FIELDS.rest]: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
      },
      ...rows(column),
    ]),
  ]
}

function fieldRows(column: Column, page: string, table: string, lists: Lists): readonly Cells[] {
  const { dicData, children, ...plain } = withoutChecks(column)
  const isTable = column.type === 'dynamic' && children !== undefined
  const { column: below = [], ...settings } = isTable ? children : {}
  const own: Column = {
    ...plain,
    ...(isTable
      ? Object.keys(settings).length === 0
        ? {}
        : { children: { column: [], ...settings } }
      : children === undefined
        ? {}
        : { children }),
  }
  const cells = cellsFromColumn(own)
  const said = columnFromCells(cells, own.type)
  const isPlain =
    restOf(own, withDefaults(said)) === null &&
    restOf(withDefaults(said), own) === null &&
    (!isTable || Object.keys(settings).length === 0)
  const row = {
    [FIELDS.page]: page,
    [FIELDS.table]: table,
    ...cells,
    [FIELDS.list]: dicData === undefined ? '' : lists.nameFor(dicData, column.prop),
    // A row that says all by itself is read with the defaults of one that a person filled in.
    [FIELDS.rest]: isPlain ? '' : (restOf(own, said) ?? '{}'),
  }
  return [
    row,
    ...below.flatMap((child) => fieldRows(child, page, table === '' ? column.prop : `${table}/${column.prop}`, lists)),
  ]
}

function withoutChecks(column: Column): Column {
  const { zl, ...plain } = column
  if (zl?.checks === undefined || zl.checks.length === 0) return column
  const { checks: _checks, ...rest } = zl
  return Object.keys(rest).length === 0 ? plain : { ...plain, zl: rest }
}

function checkRows({ pageCode, option }: DefinedPage): readonly Cells[] {
  const of = (column: Column, table: string): readonly Cells[] => {
    const path = table === '' ? column.prop : `${table}/${column.prop}`
    const own = (column.zl?.checks ?? []).map(({ id, when, severity, message }) => ({
      [CHECKS.page]: pageCode,
      [CHECKS.field]: path,
      [CHECKS.id]: id,
      [CHECKS.when]: when,
      [CHECKS.severity]: SEVERITIES[severity],
      [CHECKS.zh]: message.zh,
      [CHECKS.en]: message.en ?? '',
    }))
    return [
      ...own,
      ...(column.type === 'dynamic' ? (column.children?.column ?? []) : []).flatMap((child) => of(child, path)),
    ]
  }
  return columnsOf(option).flatMap((column) => of(column, ''))
}

function columnsOf({ column, group = [] }: PageOption): readonly Column[] {
  return [...column, ...group.flatMap((one) => one.column)]
}

class Lists {
  readonly #lists = new Map<string, readonly DictionaryItem[]>()
  readonly #byContent = new Map<string, string>()

  nameFor(items: readonly DictionaryItem[], wish: string): string {
    const content = JSON.stringify(items)
    const known = this.#byContent.get(content)
    if (known !== undefined) return known
    let name = wish
    for (let number = 2; this.#lists.has(name); number += 1) name = `${wish}_${number}`
    this.#lists.set(name, items)
    this.#byContent.set(content, name)
    return name
  }

  rows(): readonly Cells[] {
    return [...this.#lists].flatMap(([name, items]) =>
      // A list without choices stands there by its name alone.
      items.length === 0
        ? [{ [CHOICES.list]: name }]
        : items.map(({ value, label, disabled, ...rest }) => {
            const more = {
              ...rest,
              ...(typeof value === 'string' ? {} : { value }),
              ...(disabled === false ? { disabled } : {}),
            }
            return {
              [CHOICES.list]: name,
              [CHOICES.code]: String(value),
              [CHOICES.label]: label,
              [CHOICES.disabled]: disabled === true ? YES : '',
              [CHOICES.rest]: Object.keys(more).length === 0 ? '' : JSON.stringify(more),
            }
          }),
    )
  }
}
