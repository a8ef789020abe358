import type { PageExtension } from '#core/form/definition/column.ts'
import { isRecord, list } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'
import type { PageError } from '#core/form/definition/option.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

/**
 * A version's definition as a designer holds it: visits, pages, sections, columns. It is never changed in place, so
 * that what an edit did not touch is the same object as before: undo keeps the old one, and a screen draws only what
 * differs.
 */

/** A column as it is stored. Properties that this product does not know stay as they are. */
export type DesignColumn = Raw & { readonly prop: string }

/** A part of a page. The first section has no title of its own and may be empty. */
export interface DesignSection {
  /** The section's `prop`; `''` for the untitled beginning of the page. Unique on the page. */
  readonly key: string
  /** The properties of the stored group besides its columns. */
  readonly rest: Raw
  readonly columns: readonly DesignColumn[]
}

/** The properties of a page besides its columns: label position, widths, `zl`. */
export interface DesignForm {
  readonly rest: Raw
  readonly sections: readonly DesignSection[]
}

export interface DesignPage {
  readonly id: string
  readonly pageName: string
  readonly pageNameEn: string | null
  readonly pageCode: string
  readonly repeatable: boolean
  /** Null where the stored option cannot be read: then it can only be replaced as a whole. */
  readonly form: DesignForm | null
  /** The stored option of a page that was not edited; null after an edit. */
  readonly stored: string | null
}

export interface DesignFolder {
  readonly id: string
  readonly folderName: string
  readonly folderNameEn: string | null
  readonly folderCode: string
  readonly schedule: FolderSchedule | null
  readonly pageIds: readonly string[]
}

export interface Design {
  readonly folders: readonly DesignFolder[]
  /** Every page of the visits, by its id. */
  readonly pages: ReadonlyMap<string, DesignPage>
}

/** Reads what a version defines. */
export function designOf(folders: readonly FolderRow[]): Design {
  const pages = new Map<string, DesignPage>()
  for (const { id, pageName, pageNameEn = null, pageCode, repeatable, option } of folders.flatMap(
    (folder) => folder.pages,
  )) {
    if (!pages.has(id))
      pages.set(id, { id, pageName, pageNameEn, pageCode, repeatable, form: readForm(option), stored: option })
  }
  return {
    folders: folders.map(({ id, folderName, folderNameEn = null, folderCode, schedule, pages: own }) => ({
      id,
      folderName,
      folderNameEn,
      folderCode,
      schedule: schedule ?? null,
      pageIds: own.map((page) => page.id),
    })),
    pages,
  }
}

/** The design as rows, for all code that reads a version. */
export function foldersOf({ folders, pages }: Design): readonly FolderRow[] {
  return folders.map(({ id, folderName, folderNameEn, folderCode, schedule, pageIds }, at) => ({
    id,
    folderName,
    ...(folderNameEn === null ? {} : { folderNameEn }),
    folderCode,
    sort: at + 1,
    ...(schedule === null ? {} : { schedule }),
    pages: pageIds.flatMap((pageId, order) => {
      const page = pages.get(pageId)
      return page === undefined
        ? []
        : [
            {
              id: page.id,
              pageName: page.pageName,
              ...(page.pageNameEn === null ? {} : { pageNameEn: page.pageNameEn }),
              pageCode: page.pageCode,
              repeatable: page.repeatable,
              option: optionText(page),
              sort: order + 1,
            },
          ]
    }),
  }))
}

/** A form from the text of an option; null where the text cannot be read. */
export function readForm(option: string): DesignForm | null {
  return parsePage(option).ok ? formOf(JSON.parse(option) as Raw) : null
}

/** The same for a text that a person has written, with its mistakes. */
export function parseForm(
  option: string,
): { readonly ok: true; readonly form: DesignForm } | { readonly ok: false; readonly error: PageError } {
  const parsed = parsePage(option)
  return parsed.ok ? { ok: true, form: formOf(JSON.parse(option) as Raw) } : parsed
}

/** Texts of forms: a form is never changed in place, so its text is made once. */
const texts = new WeakMap<DesignForm, string>()

/** The option of a page as it is stored: byte for byte the one that was read, unless it was edited. */
export function optionText({ form, stored }: Pick<DesignPage, 'form' | 'stored'>): string {
  if (stored !== null || form === null) return stored ?? ''
  const text = texts.get(form) ?? JSON.stringify(optionOf(form))
  texts.set(form, text)
  return text
}

/** The option of a form. */
export function optionOf({ rest, sections }: DesignForm): Raw {
  const [loose, ...titled] = sections
  const group = titled.map(({ rest: own, columns }) => ({ ...own, column: columns }))
  return { ...rest, column: loose?.columns ?? [], ...(group.length === 0 ? {} : { group }) }
}

/** The properties of a form that Avue does not have. */
export function extensionOf({ rest }: DesignForm): Partial<PageExtension> {
  return isRecord(rest.zl) ? rest.zl : {}
}

/**
 * Sections in reading order. A stock designer keeps groups among the columns. Written as groups of their own they mean
 * the same, if columns after a group become a group without a title.
 */
function formOf(option: Raw): DesignForm {
  const { column, group, ...rest } = option
  const taken = new Set<string>([''])
  const keyOf = (wanted: unknown): string => {
    const base = typeof wanted === 'string' && wanted !== '' ? wanted : 'group'
    let key = base
    for (let no = 2; taken.has(key); no += 1) key = `${base}${no}`
    taken.add(key)
    return key
  }
  const first: DesignColumn[] = []
  const sections: DesignSection[] = []
  let open: DesignColumn[] = first
  for (const item of list(column, 'column') as readonly DesignColumn[]) {
    if (item.type !== 'group') {
      if (open !== first && open.length === 0) {
        const key = keyOf('')
        sections.push({ key, rest: { prop: key, label: '' }, columns: open })
      }
      open.push(item)
      continue
    }
    const { children, ...own } = without(item, 'type')
    const key = keyOf(own.prop)
    sections.push({
      key,
      rest: { ...own, prop: key },
      columns: list((children as Raw).column, 'children') as readonly DesignColumn[],
    })
    open = []
  }
  for (const one of list(group, 'group') as readonly Raw[]) {
    const { column: columns, ...own } = one
    const key = keyOf(own.prop)
    sections.push({ key, rest: { ...own, prop: key }, columns: list(columns, 'column') as readonly DesignColumn[] })
  }
  return { rest, sections: [{ key: '', rest: {}, columns: first }, ...sections] }
}

function without(record: Raw, key: string): Raw {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

/** The columns of a row, where the column is a table to which a person adds rows. */
export function childrenOf(column: DesignColumn): readonly DesignColumn[] {
  return column.type === 'dynamic' && isRecord(column.children)
    ? (list(column.children.column, 'column') as readonly DesignColumn[])
    : []
}

/** All columns of a form with their table, in reading order: a table before its own columns. */
export function* columnsOf({
  sections,
}: DesignForm): Iterable<{ readonly table: DesignColumn | null; readonly column: DesignColumn }> {
  for (const { columns } of sections) {
    for (const column of columns) {
      yield { table: null, column }
      for (const child of childrenOf(column)) yield { table: column, column: child }
    }
  }
}

/** A field by its place: on the page, or in a table of it. Null where there is none. */
export function columnAt(form: DesignForm, table: string | null, prop: string): DesignColumn | null {
  const named = table ?? prop
  for (const { columns } of form.sections) {
    const found = columns.find((one) => one.prop === named)
    if (found !== undefined)
      return table === null ? found : (childrenOf(found).find((child) => child.prop === prop) ?? null)
  }
  return null
}

/** Whether two pages are equal. */
export function samePage(a: DesignPage, b: DesignPage): boolean {
  return (
    a === b ||
    (a.pageName === b.pageName &&
      a.pageNameEn === b.pageNameEn &&
      a.pageCode === b.pageCode &&
      a.repeatable === b.repeatable &&
      optionText(a) === optionText(b))
  )
}
