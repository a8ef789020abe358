import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { isRowList } from '#core/sync/entryData.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'

import { jsonText } from '#core/exchange/clinical/itemValue.ts'
import type { FilePage, FileVersions } from './fileVersions.ts'
import type { FormNode, GroupNode, SubjectNode } from './nodes.ts'
import { placeQueries } from './placeQueries.ts'
import type { ClinicalNoteKind, ClinicalPage, ClinicalSubject, TellNote } from '#core/exchange/clinical/subject.ts'
import { rowsNow } from '#core/exchange/clinical/rowsNow.ts'
import { SubjectTree, itemOf, tableOid, unplacedComment } from './subjectTree.ts'
import type { EntryPlace } from './subjectTree.ts'

/** What holds of a subject now, as data of ODM. */

/** A subject under each version that its pages are of, by id of the version. At least one, where the file has any. */
export function snapshotOf(
  subject: ClinicalSubject,
  { byId }: FileVersions,
  version: OdmVersion,
  tell: TellNote,
): ReadonlyMap<string, SubjectNode> {
  const trees = new Map<string, SubjectTree>()
  const treeOf = (versionId: string): SubjectTree | null => {
    const known = trees.get(versionId)
    const of = byId.get(versionId)
    if (known !== undefined || of === undefined) return known ?? null
    const tree = new SubjectTree(of, { key: subject.key, centerId: subject.centerId }, false)
    trees.set(versionId, tree)
    return tree
  }
  const latest = [...byId.keys()].at(-1)
  for (const page of subject.pages) {
    if (page.deleted) continue
    new SnapshotPage(page, subject, version, tell).write(treeOf(page.versionId))
  }
  if (trees.size === 0 && latest !== undefined) treeOf(latest)
  writeVisits(subject, [...trees.values()], tell)
  placeQueries(subject, treeOf, latest, { isTrail: false, tell })
  return new Map([...trees].map(([id, tree]) => [id, tree.node]))
}

/** One entry. */
class SnapshotPage {
  readonly #entry: ClinicalPage
  readonly #subject: ClinicalSubject
  readonly #version: OdmVersion
  readonly #tell: TellNote
  readonly #hidden: ReadonlySet<string>
  readonly #told = { folder: '', page: '' }

  constructor(entry: ClinicalPage, subject: ClinicalSubject, version: OdmVersion, tell: TellNote) {
    this.#entry = entry
    this.#subject = subject
    this.#version = version
    this.#tell = tell
    this.#hidden = new Set(entry.hidden)
  }

  write(tree: SubjectTree | null): void {
    const { folderId, pageId, status, retired = {}, updatedBy, updatedAt } = this.#entry
    if (tree === null) return this.#note('no-version')
    const { folders, pages } = tree.version
    Object.assign(this.#told, { folder: folders.get(folderId)?.code ?? '', page: pages.get(pageId)?.code ?? '' })
    const found = tree.form(placeOfEntry(this.#entry))
    if (found === null) return this.#note(pages.has(pageId) ? 'no-visit' : 'no-page')
    const { page, form } = found
    form.audit = {
      userId: updatedBy,
      centerId: this.#subject.centerId,
      at: updatedAt,
      reason: null,
      source: null,
      isCalculated: false,
    }
    form.annotations.push({ kind: 'status', code: status, comment: null })
    const written = new Set<string>()
    for (const { oid, table, items } of page.form.groups) {
      if (table === null) for (const code of items.keys()) this.#field(tree, page, form, oid, code, written)
      else this.#table(tree, page, form, table, written)
    }
    this.#unplaced(form, written)
    for (const [address, value] of Object.entries(retired))
      form.annotations.push({ kind: 'retired', code: null, comment: jsonText({ address, ...value }) })
  }

  #field(
    tree: SubjectTree,
    page: FilePage,
    form: FormNode,
    groupOid: string,
    code: string,
    written: Set<string>,
  ): void {
    written.add(code)
    const content = this.#content(this.#entry.values[code], code)
    if (content === EMPTY_ITEM || this.#hidden.has(code)) return
    this.#item(page, tree.group(form, groupOid, null), { table: null, rid: null, code }, content)
  }

  #table(tree: SubjectTree, page: FilePage, form: FormNode, table: string, written: Set<string>): void {
    const value = this.#entry.values[table] ?? null
    const oid = tableOid(page, table)
    // A table has no item: a reason why there are no rows, or what is no rows, stands with the page.
    if (oid === null || !(isEmptyValue(value) || isRowList(value))) return
    if (this.#entry.missing[table] === undefined) written.add(table)
    if (this.#hidden.has(table) || !isRowList(value)) return
    if (this.#entry.missing[table] !== undefined) {
      written.add(table)
      this.#setAside(form, { table: null, rid: null, code: table }, this.#content(null, table))
    }
    rowsNow(this.#entry, table).forEach(({ rid, order, cells }, at) => {
      const group = tree.group(form, oid, rid, at + 1)
      group.annotations.push({ kind: 'rowOrder', code: null, comment: order })
      const codes = new Set(page.form.groups.find((one) => one.table === table)?.items.keys() ?? [])
      for (const code of [...codes, ...Object.keys(cells).filter((key) => !codes.has(key))]) {
        const content = this.#content(cells[code], `${rid}.${code}`)
        if (content === EMPTY_ITEM || this.#hidden.has(`${table}.${rid}.${code}`)) continue
        if (codes.has(code)) this.#item(page, group, { table, rid, code }, content)
        else this.#setAside(form, { table, rid, code }, content)
      }
    })
  }

  #item(
    page: FilePage,
    group: GroupNode,
    place: { readonly table: string | null; readonly rid: string | null; readonly code: string },
    content: ItemContent,
  ): void {
    const item = itemOf(page, place, content, this.#version)
    if (item === null) return
    group.items.push(item.node)
    if (item.problem !== null) this.#note(item.problem, place.table, place.code)
  }

  /** What stands in no field of the version. Reasons of rows that are deleted are no data of today. */
  #unplaced(form: FormNode, written: ReadonlySet<string>): void {
    const { values, missing } = this.#entry
    const codes = [...Object.keys(values), ...Object.keys(missing).filter((address) => !address.includes('.'))]
    for (const code of new Set(codes)) {
      const content = this.#content(values[code], code)
      if (written.has(code) || this.#hidden.has(code) || content === EMPTY_ITEM) continue
      this.#setAside(form, { table: null, rid: null, code }, content)
    }
  }

  #setAside(
    form: FormNode,
    place: { readonly table: string | null; readonly rid: string | null; readonly code: string },
    content: ItemContent,
  ): void {
    form.annotations.push({ kind: 'unplaced', code: null, comment: unplacedComment(place, content) })
    this.#note('no-field', place.table, place.code)
  }

  /** `EMPTY_ITEM` itself where there is neither a value nor a reason. */
  #content(value: JsonValue | undefined, address: string): ItemContent {
    const missing = this.#entry.missing[address] ?? null
    if (isEmptyValue(value) && missing === null) return EMPTY_ITEM
    return { value: value === undefined || isEmptyValue(value) ? null : value, missing }
  }

  #note(what: ClinicalNoteKind, table: string | null = null, field: string | null = null): void {
    this.#tell({ subject: this.#subject.key, ...this.#told, table, field, what })
  }
}

function placeOfEntry(entry: ClinicalPage): EntryPlace {
  const { folderId, folderRepeat, pageId, pageRepeat, pass, parentEntryId } = entry
  return { folderId, folderRepeat, pageId, pageRepeat, pass, parentEntryId }
}

function writeVisits({ key, visits }: ClinicalSubject, trees: readonly SubjectTree[], tell: TellNote): void {
  for (const { folderId, folderRepeat, actualDate, outcome, outcomeReason, removed } of visits) {
    if (removed || (actualDate === null && outcome === null)) continue
    // Under the version whose pages are of the visit, else under the last that has it.
    const tree =
      trees.find((one) => one.hasEvent(folderId, folderRepeat)) ??
      trees.findLast(({ version }) => version.folders.has(folderId))
    const event = tree?.event(folderId, folderRepeat) ?? null
    if (event === null) {
      tell({ subject: key, folder: '', page: '', table: null, field: null, what: 'no-visit' })
      continue
    }
    if (actualDate !== null) event.annotations.push({ kind: 'visitDate', code: null, comment: actualDate })
    if (outcome !== null) {
      const comment = outcomeReason === null || outcomeReason === '' ? outcome : `${outcome}: ${outcomeReason}`
      event.annotations.push({ kind: 'visitOutcome', code: null, comment })
    }
  }
}
