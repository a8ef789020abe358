import { isRecord } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'
import { newId } from '#core/ids.ts'
import type { ImportMode } from '#core/wire/importModes.ts'

import type { Design, DesignColumn, DesignFolder, DesignForm, DesignPage, DesignSection } from './design.ts'
import { childrenOf, columnAt } from './design.ts'
import { freeCode, setField } from './fields.ts'
import { renamePage } from './rename.ts'

/** The draft with the imported definition. */
export function designWithImport(draft: Design, incoming: Design, mode: ImportMode): Design {
  switch (mode) {
    case 'add':
      return addImport(draft, incoming)
    case 'merge':
      return mergeByCode(draft, incoming)
    case 'replace':
      return replaceDesign(draft, incoming)
  }
}

/**
 * Imported things are added beside the present ones: a page whose code is in use gets another, and the imported rules
 * are updated.
 */
function addImport(draft: Design, incoming: Design): Design {
  const own = new Set([...draft.pages.values()].map(({ pageCode }) => pageCode))
  const taken = new Set([...own, ...[...incoming.pages.values()].map(({ pageCode }) => pageCode)])
  let named = incoming
  for (const { id, pageCode } of incoming.pages.values()) {
    if (!own.has(pageCode)) continue
    const code = freeCode(pageCode, taken)
    taken.add(code)
    named = renamePage(named, id, code)
  }
  const ids = freshIds(named.pages.keys(), draft.pages)
  const pages = new Map(draft.pages)
  for (const page of named.pages.values()) pages.set(idIn(ids, page.id), { ...page, id: idIn(ids, page.id) })
  return { folders: joinedFolders(draft, named, ids, (mine) => mine), pages }
}

function mergeByCode(draft: Design, incoming: Design): Design {
  const byCode = new Map([...draft.pages.values()].map((page) => [page.pageCode, page]))
  const ids = new Map(
    [...incoming.pages.values()].map(({ id, pageCode }) => [
      id,
      byCode.get(pageCode)?.id ?? (draft.pages.has(id) ? newId() : id),
    ]),
  )
  const pages = new Map(draft.pages)
  for (const page of incoming.pages.values()) {
    const own = byCode.get(page.pageCode)
    const id = idIn(ids, page.id)
    pages.set(id, own === undefined ? { ...page, id } : mergedPage(own, page))
  }
  return {
    folders: joinedFolders(draft, incoming, ids, (mine, theirs) => ({
      ...mine,
      folderName: theirs.folderName,
      folderNameEn: theirs.folderNameEn ?? (theirs.folderName === mine.folderName ? mine.folderNameEn : null),
      schedule: theirs.schedule ?? mine.schedule,
    })),
    pages,
  }
}

/** Replaces the draft, except for the former codes of its fields: they lead to what was entered under them. */
function replaceDesign(draft: Design, incoming: Design): Design {
  const pages = [...incoming.pages].map(([id, page]): readonly [string, DesignPage] => {
    const before = draft.pages.get(id)?.form ?? null
    if (page.form === null || before === null) return [id, page]
    const form = mapForm(page.form, (column) => keepUnsaid(columnAt(before, null, column.prop), column, ['was']))
    return [id, form === page.form ? page : { ...page, form, stored: null }]
  })
  return { folders: incoming.folders, pages: new Map(pages) }
}

/** Visits by their codes: those of the draft with the imported pages at their end, then the new ones. */
function joinedFolders(
  draft: Design,
  incoming: Design,
  ids: ReadonlyMap<string, string>,
  join: (mine: DesignFolder, theirs: DesignFolder) => DesignFolder,
): readonly DesignFolder[] {
  const theirs = new Map(incoming.folders.map((folder) => [folder.folderCode, folder]))
  const known = new Set(draft.folders.map(({ folderCode }) => folderCode))
  const taken = new Set(draft.folders.map(({ id }) => id))
  const pageIds = (folder: DesignFolder): readonly string[] => folder.pageIds.map((id) => idIn(ids, id))
  const own = draft.folders.map((mine) => {
    const folder = theirs.get(mine.folderCode)
    return folder === undefined
      ? mine
      : {
          ...join(mine, folder),
          pageIds: [...mine.pageIds, ...pageIds(folder).filter((id) => !mine.pageIds.includes(id))],
        }
  })
  const fresh = incoming.folders.flatMap((folder) =>
    known.has(folder.folderCode)
      ? []
      : [{ ...folder, id: taken.has(folder.id) ? newId() : folder.id, pageIds: pageIds(folder) }],
  )
  return [...own, ...fresh]
}

function mergedPage(own: DesignPage, file: DesignPage): DesignPage {
  const { id, pageCode } = own
  const { pageName, repeatable } = file
  const pageNameEn = file.pageNameEn ?? (pageName === own.pageName ? own.pageNameEn : null)
  if (own.form === null || file.form === null) return { ...file, id }
  return { id, pageCode, pageName, pageNameEn, repeatable, form: mergedForm(own.form, file.form), stored: null }
}

function mergedForm(own: DesignForm, file: DesignForm): DesignForm {
  let form: DesignForm = { rest: joinedRecord(own.rest, file.rest), sections: own.sections }
  for (const section of file.sections) {
    const place = form.sections.findIndex((one) => isSameSection(one, section))
    if (place >= 0)
      form = {
        ...form,
        sections: form.sections.map((one, at) =>
          at === place ? { ...one, rest: mergedTitle(one.rest, section.rest) } : one,
        ),
      }
    const fresh: DesignColumn[] = []
    for (const column of section.columns) {
      if (columnAt(form, null, column.prop) === null) fresh.push(column)
      else form = setField(form, { table: null, prop: column.prop }, (before) => mergedColumn(before, column))
    }
    if (place >= 0)
      form = {
        ...form,
        sections: form.sections.map((one, at) =>
          at === place ? { ...one, columns: [...one.columns, ...fresh] } : one,
        ),
      }
    else if (fresh.length > 0)
      form = { ...form, sections: [...form.sections, withFreeKey({ ...section, columns: fresh }, form)] }
  }
  return form
}

function mergedTitle(own: Raw, file: Raw): Raw {
  const { labelEn, ...rest } = own
  // English texts belong to the title that they translate.
  return {
    ...rest,
    ...(labelEn !== undefined && own.label === file.label ? { labelEn } : {}),
    ...file,
    ...(own.prop === undefined ? {} : { prop: own.prop }),
  }
}

function isSameSection(a: DesignSection, b: DesignSection): boolean {
  if (a.key === '' || b.key === '') return a.key === b.key
  return a.rest.label === b.rest.label || a.key === b.key
}

function withFreeKey(section: DesignSection, { sections }: DesignForm): DesignSection {
  const key = freeCode(section.key, new Set(sections.map((one) => one.key)))
  return { ...section, key, rest: { ...section.rest, prop: key } }
}

/** Rules that the file does not mention stay: most file formats cannot express them. */
const UNSAID = ['show', 'require', 'readOnlyWhen', 'calculate', 'checks', 'was'] as const

/**
 * English texts with the texts that they translate: where a file leaves the latter unchanged and has no English text,
 * both stay.
 */
const ENGLISH = [
  ['unitEn', 'unit'],
  ['noteEn', 'note'],
  ['marksEn', 'marks'],
] as const

function unsaidKeys(own: DesignColumn, file: DesignColumn): readonly string[] {
  const [before, says]: readonly [Raw, Raw] = [isRecord(own.zl) ? own.zl : {}, isRecord(file.zl) ? file.zl : {}]
  return [
    ...UNSAID,
    ...ENGLISH.flatMap(([english, of]) => (JSON.stringify(before[of]) === JSON.stringify(says[of]) ? [english] : [])),
    ...(own.placeholder === file.placeholder ? ['placeholderEn'] : []),
    ...(own.label === file.label ? ['labels'] : []),
  ]
}

function mergedColumn(own: DesignColumn, file: DesignColumn): DesignColumn {
  const column = keepUnsaid(own, file, unsaidKeys(own, file))
  if (own.type !== 'dynamic' || file.type !== 'dynamic') return column
  const theirs = new Map(childrenOf(file).map((child) => [child.prop, child]))
  const rows = [
    ...childrenOf(own).map((child) => {
      const other = theirs.get(child.prop)
      return other === undefined ? child : keepUnsaid(child, other, unsaidKeys(child, other))
    }),
    ...childrenOf(file).filter(({ prop }) => !childrenOf(own).some((child) => child.prop === prop)),
  ]
  return { ...column, children: { ...(isRecord(file.children) ? file.children : {}), column: rows } }
}

/** An imported column, with the present column's values for what the file does not mention. */
function keepUnsaid(own: DesignColumn | null, file: DesignColumn, keys: readonly string[]): DesignColumn {
  const before: Raw = own !== null && isRecord(own.zl) ? own.zl : {}
  const says: Raw = isRecord(file.zl) ? file.zl : {}
  const kept = keys.filter((key) => before[key] !== undefined && says[key] === undefined)
  return kept.length === 0
    ? file
    : { ...file, zl: { ...Object.fromEntries(kept.map((key) => [key, before[key]])), ...says } }
}

function mapForm(form: DesignForm, edit: (column: DesignColumn) => DesignColumn): DesignForm {
  let changed = false
  const sections = form.sections.map((section) => ({
    ...section,
    columns: section.columns.map((column) => {
      const next = edit(column)
      changed ||= next !== column
      return next
    }),
  }))
  return changed ? { ...form, sections } : form
}

function joinedRecord(own: Raw, file: Raw): Raw {
  return { ...own, ...file, ...(isRecord(own.zl) && isRecord(file.zl) ? { zl: { ...own.zl, ...file.zl } } : {}) }
}

function freshIds(incoming: Iterable<string>, taken: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  return new Map(Array.from(incoming, (id) => [id, taken.has(id) ? newId() : id]))
}

function idIn(ids: ReadonlyMap<string, string>, id: string): string {
  return ids.get(id) ?? id
}
