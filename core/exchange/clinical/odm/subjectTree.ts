import type { FilePage, FileVersion } from './fileVersions.ts'
import { filePlaceOf } from './fileVersions.ts'
import type { WrittenValue } from '#core/exchange/clinical/itemValue.ts'
import { enteredOf, writeValue } from '#core/exchange/clinical/itemValue.ts'
import type { EventNode, FormNode, GroupNode, ItemNode, SubjectNode, Transaction } from './nodes.ts'
import { emptyNode } from './nodes.ts'
import type { ClinicalPage } from '#core/exchange/clinical/subject.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { ItemContent, MissingReason } from '#core/sync/entryChange.ts'

/** The data of a subject under one version, as they come up: what stands around an item is made with the first. */

/** Where an entry stands. */
export type EntryPlace = Pick<ClinicalPage, 'folderId' | 'folderRepeat' | 'pageId' | 'pageRepeat' | 'pass'> & {
  readonly parentEntryId: string | null
}

/** The first of visits, and of pages in a visit. */
const FIRST = '0'

interface FormPlace {
  readonly page: FilePage
  readonly form: FormNode
}

export class SubjectTree {
  readonly version: FileVersion
  readonly node: SubjectNode
  readonly #isTrail: boolean
  #events = new Map<string, EventNode>()
  #forms = new Map<string, FormNode>()

  /** @param isTrail whether it is of a file of transactions, in which everything says what becomes of it */
  constructor(version: FileVersion, subject: Pick<SubjectNode, 'key' | 'centerId'>, isTrail: boolean) {
    this.version = version
    this.#isTrail = isTrail
    this.node = { ...emptyNode(), ...subject, events: [], transaction: this.#said('Upsert') }
  }

  /** What comes next stands after all that is there, even where it is in the same visit. */
  beginAnew(): void {
    this.#events = new Map()
    this.#forms = new Map()
  }

  hasEvent(folderId: string, folderRepeat: string): boolean {
    return this.#events.has(`${folderId} ${folderRepeat}`)
  }

  /** A visit; null where the version has none of it. */
  event(folderId: string, folderRepeat: string): EventNode | null {
    const known = this.#events.get(`${folderId} ${folderRepeat}`)
    if (known !== undefined) return known
    const folder = this.version.folders.get(folderId)
    if (folder === undefined) return null
    const { oid, repeats } = folder.event
    const repeat = repeats || folderRepeat !== FIRST ? folderRepeat : null
    const event: EventNode = { ...emptyNode(), oid, repeat, forms: [], transaction: this.#said('Upsert') }
    this.node.events.push(event)
    this.#events.set(`${folderId} ${folderRepeat}`, event)
    return event
  }

  /** A page of a visit; null where the version has no such page or visit. */
  form(place: EntryPlace): FormPlace | null {
    const { folderId, folderRepeat, pageId, pageRepeat, pass, parentEntryId } = place
    const page = this.version.pages.get(pageId)
    const event = page === undefined ? null : this.event(folderId, folderRepeat)
    if (page === undefined || event === null) return null
    const repeat = [
      pageRepeat,
      ...(parentEntryId === null ? [] : [parentEntryId]),
      ...(pass === 1 ? [] : ['pass2']),
    ].join('.')
    const key = `${folderId} ${folderRepeat} ${pageId} ${repeat}`
    const known = this.#forms.get(key)
    if (known !== undefined) return { page, form: known }
    const form: FormNode = {
      ...emptyNode(),
      oid: page.form.oid,
      repeat: page.form.repeats || repeat !== FIRST ? repeat : null,
      groups: [],
      transaction: this.#said('Context'),
    }
    if (pass !== 1) form.annotations.push({ kind: 'pass', code: null, comment: String(pass) })
    if (parentEntryId !== null) form.annotations.push({ kind: 'parent', code: null, comment: parentEntryId })
    event.forms.push(form)
    this.#forms.set(key, form)
    return { page, form }
  }

  /** The group of a form with that OID: of a table the row with that id. */
  group(form: FormNode, oid: string, rid: string | null, place: number | null = null): GroupNode {
    const known = form.groups.find((group) => group.oid === oid && group.repeat === rid)
    if (known !== undefined) return known
    const transaction = this.#said(rid === null ? 'Upsert' : 'Context')
    const group: GroupNode = { ...emptyNode(), oid, repeat: rid, place, items: [], transaction }
    form.groups.push(group)
    return group
  }

  #said(transaction: Transaction): Transaction | null {
    return this.#isTrail ? transaction : null
  }
}

/** What became of an item on its way into a file. */
export interface PlacedItem {
  readonly node: ItemNode
  readonly problem: WrittenValue['problem']
}

/**
 * The item that says what a field holds.
 *
 * @returns null where the version has no such field
 */
export function itemOf(
  page: FilePage,
  { table, code }: { readonly table: string | null; readonly code: string },
  { value, missing }: ItemContent,
  version: OdmVersion,
): (PlacedItem & { readonly groupOid: string }) | null {
  const place = filePlaceOf(page, table, code)
  if (place === null) return null
  const written = isEmptyValue(value) ? null : writeValue(place.field, place.item, value, version)
  const texts = written?.texts ?? []
  const node: ItemNode = { ...emptyNode(), oid: place.item.oid, texts, isNull: texts.length === 0 }
  const entered = written?.entered ?? null
  if (entered !== null) node.annotations.push({ kind: 'asEntered', code: entered.form, comment: entered.text })
  if (missing !== null) node.annotations.push(...missingAnnotations(missing))
  return { node, problem: written?.problem ?? null, groupOid: place.group.oid }
}

function missingAnnotations({ m, reason }: MissingReason): ItemNode['annotations'] {
  return [{ kind: 'missing', code: m, comment: reason === '' ? null : reason }]
}

/** The OID of the group that is a table; null where the version has no such table. */
export function tableOid({ form }: FilePage, table: string): string | null {
  return form.groups.find((group) => group.table === table)?.oid ?? null
}

/** What has no field in the version, as JSON: where it stood, and what it was. */
export function unplacedComment(
  place: { readonly table: string | null; readonly rid: string | null; readonly code: string },
  content: { readonly value: JsonValue; readonly missing: MissingReason | null },
): string {
  return enteredOf({
    ...place,
    value: content.value,
    missing: content.missing === null ? null : { ...content.missing },
  }).text
}
