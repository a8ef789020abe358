import type { DesignColumn } from '#core/design/design.ts'
import { childrenOf, readForm } from '#core/design/design.ts'
import { renamedChoices, renamedFields } from '#core/design/renames.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { Language } from '#core/language.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'
import type { FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'

import type { AspectChange, ChangeWeight, PlacedField } from './fieldDifference.ts'
import { fieldChanges, weightOf } from './fieldDifference.ts'

/**
 * How two versions of a project's forms differ: visits, pages and fields. Folder and page ids are the same in all
 * versions of a project, so a visit or page with another code or name is still the same one; a field is identified by
 * its code.
 */

/** What happened to something between two versions. */
export type Fate = 'added' | 'removed' | 'changed'

/** One aspect of a visit or page that differs. */
export interface SideChange<Side extends string> {
  readonly side: Side
  readonly weight: ChangeWeight
  readonly from: JsonValue
  readonly to: JsonValue
}

export type FolderSide = 'name' | 'nameEn' | 'code' | 'schedule' | 'pages'
export interface FolderDifference {
  readonly folderId: string
  /** Its present name; for something removed, its former name. */
  readonly name: string
  readonly fate: Fate
  readonly weight: ChangeWeight
  readonly changes: readonly SideChange<FolderSide>[]
}

export type PageSide = 'name' | 'nameEn' | 'code' | 'repeatable' | 'order' | 'layout' | 'unreadable'
export interface PageDifference {
  readonly pageId: string
  readonly name: string
  readonly fate: Fate
  readonly weight: ChangeWeight
  readonly changes: readonly SideChange<PageSide>[]
  readonly fields: readonly FieldDifference[]
}

export interface FieldDifference {
  /** The field's code; for a column of a table, the table's code and a dot come before it. */
  readonly code: string
  readonly label: string
  readonly fate: Fate
  readonly weight: ChangeWeight
  readonly changes: readonly AspectChange[]
}

export interface VersionDifference {
  /** Names of the visits that both have, where their order differs; null where it does not. */
  readonly order: { readonly from: readonly string[]; readonly to: readonly string[] } | null
  readonly folders: readonly FolderDifference[]
  readonly pages: readonly PageDifference[]
}

/** The parts of a version that are compared. */
export type ComparedVersion = Pick<VersionRow, 'folders'>

/**
 * All differences of two versions, in the order of the later one; removed things come last.
 *
 * @param language of the names of visits, pages and fields: without it the definition's own language
 */
export function versionDifference(
  from: ComparedVersion,
  to: ComparedVersion,
  language: Language = 'zh',
): VersionDifference {
  const pagesBefore = pagesOf(from)
  const pagesAfter = pagesOf(to)
  const [foldersBefore, foldersAfter] = [byId(from.folders), byId(to.folders)]
  const pageName = (id: string) => nameOfPage(language, pagesAfter.get(id) ?? pagesBefore.get(id)) || id
  return {
    order: orderDifference(foldersBefore, foldersAfter, language),
    folders: matchThings(foldersBefore, foldersAfter).flatMap(([before, after]) =>
      folderDifference(before, after, pageName, language),
    ),
    pages: matchThings(pagesBefore, pagesAfter).flatMap(([before, after]) => pageDifference(before, after, language)),
  }
}

/** Whether nothing differs. */
export function isSame({ order, folders, pages }: VersionDifference): boolean {
  return order === null && folders.length === 0 && pages.length === 0
}

function orderDifference(
  before: ReadonlyMap<string, FolderRow>,
  after: ReadonlyMap<string, FolderRow>,
  language: Language,
): VersionDifference['order'] {
  const was = [...before.keys()].filter((id) => after.has(id))
  const is = [...after.keys()].filter((id) => before.has(id))
  if (jsonEqual(was, is)) return null
  const names = (ids: readonly string[]) => ids.map((id) => nameOfVisit(language, after.get(id)) || id)
  return { from: names(was), to: names(is) }
}

function folderDifference(
  before: FolderRow | undefined,
  after: FolderRow | undefined,
  pageName: (id: string) => string,
  language: Language,
): readonly FolderDifference[] {
  const folderId = after?.id ?? before?.id ?? ''
  const name = nameOfVisit(language, after ?? before)
  if (before === undefined) return [{ folderId, name, fate: 'added', weight: 'none', changes: [] }]
  if (after === undefined) return [{ folderId, name, fate: 'removed', weight: 'values', changes: [] }]
  const pages = (folder: FolderRow) => folder.pages.map(({ id }) => pageName(id))
  const stays = new Set(after.pages.map(({ id }) => id))
  const changes = [
    ...side('name', 'none', before.folderName, after.folderName),
    ...side('nameEn', 'none', before.folderNameEn ?? null, after.folderNameEn ?? null),
    ...side('code', 'check', before.folderCode, after.folderCode),
    ...side('schedule', 'check', scheduleOf(before), scheduleOf(after)),
    // Data of a page belong to the visit in which they were entered.
    ...side('pages', before.pages.some(({ id }) => !stays.has(id)) ? 'values' : 'none', pages(before), pages(after)),
  ]
  return changes.length === 0 ? [] : [{ folderId, name, fate: 'changed', weight: weightOf(changes), changes }]
}

function scheduleOf({ schedule }: FolderRow): JsonValue {
  return schedule === undefined ? null : { ...schedule }
}

function pageDifference(
  before: PageRow | undefined,
  after: PageRow | undefined,
  language: Language,
): readonly PageDifference[] {
  const pageId = after?.id ?? before?.id ?? ''
  const name = nameOfPage(language, after ?? before)
  if (before === undefined)
    return [{ pageId, name, fate: 'added', weight: 'none', changes: [], fields: fieldsOf(after, 'added', language) }]
  if (after === undefined)
    return [
      { pageId, name, fate: 'removed', weight: 'values', changes: [], fields: fieldsOf(before, 'removed', language) },
    ]
  const { changes: inside, fields } = optionDifference(before, after, language)
  const changes = [
    ...side('name', 'none', before.pageName, after.pageName),
    ...side('nameEn', 'none', before.pageNameEn ?? null, after.pageNameEn ?? null),
    ...side('code', 'check', before.pageCode, after.pageCode),
    // A page that is no longer repeatable has a place only for the first of several entries.
    ...side('repeatable', after.repeatable ? 'none' : 'values', before.repeatable, after.repeatable),
    ...inside,
  ]
  return changes.length === 0 && fields.length === 0
    ? []
    : [{ pageId, name, fate: 'changed', weight: weightOf([...changes, ...fields]), changes, fields }]
}

function optionDifference(
  before: PageRow,
  after: PageRow,
  language: Language,
): Pick<PageDifference, 'changes' | 'fields'> {
  if (before.option === after.option) return { changes: [], fields: [] }
  const [was, is] = [parsePage(before.option), parsePage(after.option)]
  // Of an unreadable page only the text is known.
  if (!was.ok || !is.ok)
    return {
      changes: side('unreadable', 'values', was.ok ? null : was.error.kind, is.ok ? null : is.error.kind),
      fields: [],
    }
  const fields = fieldDifferences(
    placeFields(was.page),
    placeFields(is.page),
    readForm(after.option)?.sections.flatMap(({ columns }) => columns) ?? [],
    language,
  )
  const listCommon = (model: PageModel, other: PageModel) =>
    model.fields.filter(({ code }) => other.byCode.has(code)).map(({ code }) => code)
  const changes = [
    ...side<PageSide>('order', 'none', listCommon(was.page, is.page), listCommon(is.page, was.page)),
    ...side<PageSide>('layout', 'none', layoutOf(before.option), layoutOf(after.option)),
  ]
  return { changes, fields }
}

/** The settings of a form itself, not of its fields: where labels are, whether it takes attachments. */
function layoutOf(option: string): JsonValue {
  const {
    column: _columns,
    group: _groups,
    ...settings
  } = JSON.parse(option) as { readonly column?: JsonValue; readonly group?: JsonValue } & Readonly<
    Record<string, JsonValue>
  >
  return settings
}

type FieldsByCode = ReadonlyMap<string, PlacedField>

function placeFields(page: PageModel): FieldsByCode {
  return new Map(
    page.sections.flatMap(({ label, labelEn, fields }) =>
      fields.map((field) => [field.code, { field, section: label, sectionEn: labelEn }] as const),
    ),
  )
}

function columnsOf(table: Field): FieldsByCode {
  return new Map(table.children.map((field) => [field.code, { field, section: '', sectionEn: null }] as const))
}

function fieldDifferences(
  before: FieldsByCode,
  after: FieldsByCode,
  columns: readonly DesignColumn[],
  language: Language,
  table = '',
): readonly FieldDifference[] {
  const stored = new Map(columns.map((column) => [column.prop, column]))
  return matchThings(underNewCodes(before, after, columns), after).flatMap(([was, is]): readonly FieldDifference[] => {
    const field = (is ?? was)?.field
    if (field === undefined) return []
    const code = `${table}${field.code}`
    if (was === undefined || is === undefined)
      return [wholeField(field, code, was === undefined ? 'added' : 'removed', language)]
    const column = stored.get(field.code)
    const changes = withRenamedChoices(fieldChanges(was, is), was.field, is.field, column)
    const own: readonly FieldDifference[] =
      changes.length === 0
        ? []
        : [
            {
              code,
              label: inLanguage(language, field.label, field.labelEn),
              fate: 'changed',
              weight: weightOf(changes),
              changes,
            },
          ]
    return [
      ...own,
      ...fieldDifferences(
        columnsOf(was.field),
        columnsOf(is.field),
        column === undefined ? [] : childrenOf(column),
        language,
        `${code}.`,
      ),
    ]
  })
}

/** The fields before, by their present codes: a field that a designer renamed is the same field. */
function underNewCodes(before: FieldsByCode, after: FieldsByCode, columns: readonly DesignColumn[]): FieldsByCode {
  const fields = (placed: FieldsByCode) => Array.from(placed.values(), ({ field }) => field)
  const renamed = renamedFields(fields(before), fields(after), columns)
  if (renamed.size === 0) return before
  const now = new Map(Array.from(renamed, ([to, from]) => [from, to]))
  return new Map(Array.from(before, ([code, one]) => [now.get(code) ?? code, one]))
}

/** A choice whose value a designer changed is one line, not a removed and an added one. */
function withRenamedChoices(
  changes: readonly AspectChange[],
  was: Field,
  is: Field,
  column: DesignColumn | undefined,
): readonly AspectChange[] {
  if (column === undefined) return changes
  return changes.map((change): AspectChange => {
    if (change.aspect !== 'choices') return change
    const gone = change.choices.flatMap(({ value, to }) => (to === null ? [value] : []))
    const renamed = renamedChoices(was, is, column, gone)
    if (renamed.length === 0) return change
    const [from, to] = [new Map(renamed.map((one) => [one.to, one.from])), new Set(renamed.map((one) => one.from))]
    const labels = new Map(change.choices.map((one) => [one.value, one.from]))
    const choices = change.choices.flatMap((one) => {
      const before = from.get(one.value)
      if (before !== undefined)
        return [{ value: `${before} → ${one.value}`, from: labels.get(before) ?? null, to: one.to }]
      return to.has(one.value) ? [] : [one]
    })
    return { ...change, choices, weight: choices.some((one) => one.to === null) ? 'values' : 'check' }
  })
}

function fieldsOf(
  page: PageRow | undefined,
  fate: 'added' | 'removed',
  language: Language,
): readonly FieldDifference[] {
  const parsed = page === undefined ? null : parsePage(page.option)
  return parsed?.ok === true ? parsed.page.fields.map((field) => wholeField(field, field.code, fate, language)) : []
}

function wholeField(field: Field, code: string, fate: 'added' | 'removed', language: Language): FieldDifference {
  // A text on the page holds no value that could be lost.
  return {
    code,
    label: inLanguage(language, field.label, field.labelEn),
    fate,
    weight: fate === 'removed' && field.type !== 'title' ? 'values' : 'none',
    changes: [],
  }
}

function nameOfVisit(language: Language, folder: FolderRow | undefined): string {
  return folder === undefined ? '' : visitNameIn(language, folder)
}

function nameOfPage(language: Language, page: PageRow | undefined): string {
  return page === undefined ? '' : pageNameIn(language, page)
}

function side<Side extends string>(
  name: Side,
  weight: ChangeWeight,
  from: JsonValue,
  to: JsonValue,
): readonly SideChange<Side>[] {
  return jsonEqual(from, to) ? [] : [{ side: name, weight, from, to }]
}

function pagesOf({ folders }: ComparedVersion): ReadonlyMap<string, PageRow> {
  return byId(folders.flatMap(({ pages }) => pages))
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** Each thing before and after, in the order of after; then the removed ones. */
function matchThings<Thing>(
  before: ReadonlyMap<string, Thing>,
  after: ReadonlyMap<string, Thing>,
): readonly (readonly [Thing | undefined, Thing | undefined])[] {
  const now = [...after].map(([key, thing]) => [before.get(key), thing] as const)
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, thing]) => [thing, undefined] as const)
  return [...now, ...gone]
}
