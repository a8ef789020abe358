import { readXml } from '#core/exchange/xml/read.ts'
import type { XmlError } from '#core/exchange/xml/read.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import { TooManyFields } from '#core/exchange/odm/pages.ts'
import { readOdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { PageOfVersion, PlacesOfVersion } from '#core/exchange/odm/version/versionPlaces.ts'
import { placesOfVersions, versionKey } from '#core/exchange/odm/version/versionPlaces.ts'
import { entryStatus } from '#core/sync/entryMark.ts'

import { Besides, timeOf, userOf } from './readBeside.ts'
import type { NotRead } from './readBeside.ts'
import { contentOfItem, enteredValue, ownAnnotations } from './readItem.ts'
import type { ReadChange, ReadPage, ReadPlace, ReadQuery, ReadSubject } from './readPages.ts'
import { PagesOfSubject } from './readPages.ts'

/**
 * Reads data of subjects from CDISC ODM 1.3 and 2.0: what we write comes back as it was, and of other systems what lies
 * in the definition that the file holds. A file of transactions is followed from its beginning to what holds at its
 * end.
 */

/** As many elements as sixty million characters can hold of data. */
const LIMITS = { length: 60_000_000, depth: 100, elements: 4_000_000, attributes: 500 }

export interface ClinicalRead {
  readonly fileType: 'Snapshot' | 'Transactional'
  /** In the order in which they come up. */
  readonly subjects: readonly ReadSubject[]
  /** Every element that had an audit record, in the order of the file. */
  readonly changes: readonly ReadChange[]
  readonly queries: readonly ReadQuery[]
  readonly notRead: readonly NotRead[]
}

export type ClinicalReadError =
  | XmlError
  | { readonly kind: 'not-odm' }
  | { readonly kind: 'odm-version'; readonly version: string }
  /** No definition: data alone mean nothing. */
  | { readonly kind: 'no-metadata' }
  | { readonly kind: 'no-data' }

export type ClinicalReadResult =
  | { readonly ok: true; readonly data: ClinicalRead }
  | { readonly ok: false; readonly error: ClinicalReadError }

/** Reads the text of a file with its definitions and its data. */
export function readClinicalOdm(text: string): ClinicalReadResult {
  const read = readXml(text, LIMITS)
  if (!read.ok) return read
  const { root } = read
  if (root.name !== 'ODM') return { ok: false, error: { kind: 'not-odm' } }
  const { version, isRead } = readOdmVersion(root)
  if (!isRead) return { ok: false, error: { kind: 'odm-version', version } }
  if (childrenOf(root, 'ClinicalData').length === 0) return { ok: false, error: { kind: 'no-data' } }
  try {
    const versions = placesOfVersions(root, version)
    if (versions.size === 0) return { ok: false, error: { kind: 'no-metadata' } }
    return { ok: true, data: new ClinicalReader(versions, version.startsWith('2.') ? '2.0' : '1.3.2').read(root) }
  } catch (error) {
    if (error instanceof TooManyFields) return { ok: false, error: { kind: 'too-large' } }
    throw error
  }
}

class ClinicalReader {
  readonly #versions: ReadonlyMap<string, PlacesOfVersion>
  readonly #version: OdmVersion
  readonly #subjects = new Map<string, PagesOfSubject>()
  readonly #besides = new Besides()

  constructor(versions: ReadonlyMap<string, PlacesOfVersion>, version: OdmVersion) {
    this.#versions = versions
    this.#version = version
  }

  read(root: XmlElement): ClinicalRead {
    for (const data of childrenOf(root, 'ClinicalData')) this.#clinicalData(data)
    for (const one of childrenOf(root, 'Association')) this.#not(one, '', 'association')
    for (const one of childrenOf(root, 'ReferenceData')) this.#not(one, '', 'reference-data')
    return {
      fileType: attributeOf(root, 'FileType') === 'Transactional' ? 'Transactional' : 'Snapshot',
      subjects: [...this.#subjects.values()].map((pages) => pages.subject),
      changes: this.#besides.changes,
      queries: this.#besides.queries,
      notRead: this.#besides.notRead,
    }
  }

  #clinicalData(data: XmlElement): void {
    const versionOid = attributeOf(data, 'MetaDataVersionOID')
    const places = this.#versions.get(versionKey(attributeOf(data, 'StudyOID'), versionOid))
    if (places === undefined) return this.#not(data, versionOid, 'no-version')
    for (const element of childrenOf(data, 'SubjectData')) {
      const key = attributeOf(element, 'SubjectKey')
      const site = childOf(element, 'SiteRef')
      const known = this.#subjects.get(key)
      if (attributeOf(element, 'TransactionType') === 'Remove') {
        this.#subjects.delete(key)
        continue
      }
      const pages = known ?? new PagesOfSubject(key, site === null ? null : attributeOf(site, 'LocationOID'))
      this.#subjects.set(key, pages)
      this.#besides.take(element, placeOfSubject(key))
      for (const event of childrenOf(element, 'StudyEventData')) this.#event(event, pages, places, versionOid)
      // A study without visits has forms right here, in files of REDCap.
      this.#forms(element, pages, places, { folder: '', folderRepeat: '0', versionOid })
    }
  }

  #event(event: XmlElement, pages: PagesOfSubject, places: PlacesOfVersion, versionOid: string): void {
    const oid = attributeOf(event, 'StudyEventOID')
    const folder = places.folders.get(oid)
    if (folder === undefined) return this.#not(event, oid, 'no-event')
    const folderRepeat = attributeOf(event, 'StudyEventRepeatKey') || '0'
    if (attributeOf(event, 'TransactionType') === 'Remove') return pages.removeVisit(folder, folderRepeat)
    const place = { ...placeOfSubject(pages.key), folder, folderRepeat }
    for (const { kind, comment } of this.#besides.take(event, place)) {
      if (kind === 'visitDate') pages.visit(folder, folderRepeat, { actualDate: comment })
      if (kind === 'visitOutcome') pages.visit(folder, folderRepeat, { outcome: comment })
    }
    this.#forms(event, pages, places, { folder, folderRepeat, versionOid })
  }

  #forms(
    holder: XmlElement,
    pages: PagesOfSubject,
    places: PlacesOfVersion,
    at: { readonly folder: string; readonly folderRepeat: string; readonly versionOid: string },
  ): void {
    // Forms of ODM 2.0 are groups in an event.
    for (const form of [...childrenOf(holder, 'FormData'), ...childrenOf(holder, 'ItemGroupData')]) {
      const formOid = attributeOf(form, 'FormOID') || attributeOf(form, 'ItemGroupOID')
      const page = places.pages.get(formOid)
      if (page === undefined) this.#not(form, formOid, 'no-form')
      else this.#form(form, pages, page, { ...at, formOid })
    }
  }

  #form(
    form: XmlElement,
    pages: PagesOfSubject,
    page: PageOfVersion,
    at: {
      readonly folder: string
      readonly folderRepeat: string
      readonly versionOid: string
      readonly formOid: string
    },
  ): void {
    const own = ownAnnotations(form)
    const repeatKey = attributeOf(form, 'FormRepeatKey') || attributeOf(form, 'ItemGroupRepeatKey') || '0'
    const parent = own.find(({ kind }) => kind === 'parent')?.comment ?? null
    const isSecond = own.some(({ kind, comment }) => kind === 'pass' && comment === '2')
    const place = {
      folder: at.folder,
      folderRepeat: at.folderRepeat,
      page: page.code,
      pageRepeat: parent === null && !isSecond ? repeatKey : (repeatKey.split('.')[0] ?? '0'),
      parentEntryId: parent,
      pass: isSecond ? (2 as const) : (1 as const),
    }
    const transaction = attributeOf(form, 'TransactionType')
    this.#besides.take(form, this.#at(pages, place, null, null, null))
    if (transaction === 'Remove') return pages.removePage(place)
    // What only stands around a line that changes nothing is no page yet.
    if (transaction === 'Context' && !pages.has(place) && !changesItems(form)) return
    const target = pages.page(place, at.versionOid, transaction === 'Insert')
    const status = entryStatus.safeParse(own.find(({ kind }) => kind === 'status')?.code)
    if (status.success) target.setStatus(status.data)
    const audit = childOf(form, 'AuditRecord')
    if (audit !== null) target.setSaved(userOf(audit), timeOf(audit))
    for (const { kind, comment } of own) {
      if (kind === 'unplaced' && !target.setUnplaced(comment)) this.#not(form, at.formOid, 'annotation')
      if (kind === 'retired') target.addRetired(enteredValue('json', comment ?? ''))
    }
    // Fields of ODM 2.0 may stand in the form itself.
    this.#items(form, at.formOid, null, null, { pages, page, place, target })
    for (const group of childrenOf(form, 'ItemGroupData')) this.#group(group, { pages, page, place, target })
  }

  #group(group: XmlElement, around: AroundItems): void {
    const { page, place, pages, target } = around
    const oid = attributeOf(group, 'ItemGroupOID')
    const table = page.tables.get(oid) ?? null
    if (table === null) {
      if (!page.items.has(oid) && childrenOf(group, 'ItemData').length > 0) return this.#not(group, oid, 'no-group')
      this.#besides.take(group, this.#at(pages, place, null, null, null))
      this.#items(group, oid, null, null, around)
      for (const inner of childrenOf(group, 'ItemGroupData')) this.#group(inner, around)
      return
    }
    const transaction = attributeOf(group, 'TransactionType')
    const rid = attributeOf(group, 'ItemGroupRepeatKey') || target.nextRow(table)
    const own = this.#besides.take(group, this.#at(pages, place, table, rid, null))
    const order = own.find(({ kind }) => kind === 'rowOrder')?.comment ?? null
    if (transaction === 'Remove') return target.removeRow(table, rid)
    if (transaction === 'Context' && childrenOf(group, 'ItemData').length === 0) return
    target.setRow(table, rid, order, transaction === 'Insert')
    this.#items(group, oid, table, rid, around)
  }

  #items(holder: XmlElement, groupOid: string, table: string | null, rid: string | null, around: AroundItems): void {
    const { page, place, pages, target } = around
    const fields = table === null ? page.model.fields : (page.model.byCode.get(table)?.children ?? [])
    for (const item of holder.children.filter(({ name }) => name.startsWith('ItemData'))) {
      const oid = attributeOf(item, 'ItemOID')
      const known = page.items.get(groupOid)?.get(oid)
      const field = fields.find(({ code }) => code === known?.code)
      if (known === undefined || field === undefined) {
        this.#not(item, oid, 'no-item')
        continue
      }
      const own = this.#besides.take(item, this.#at(pages, place, table, rid, known.code))
      const transaction = attributeOf(item, 'TransactionType')
      if (transaction === 'Context') continue
      const read = contentOfItem(item, own, field, known.dataType, this.#version)
      if (read.problem !== null) this.#not(item, oid, read.problem)
      target.setItem({ table, rid, code: known.code }, transaction === 'Remove' ? null : read.content)
    }
  }

  #at(
    { key: subject }: PagesOfSubject,
    { folder, folderRepeat, page, pageRepeat, pass }: PlaceOfPage,
    table: string | null,
    rid: string | null,
    code: string | null,
  ): ReadPlace {
    return { subject, folder, folderRepeat, page, pageRepeat, pass, table, rid, code }
  }

  #not(element: XmlElement, oid: string, why: NotRead['why']): void {
    this.#besides.not(element, oid, why)
  }
}

/** The place of a subject as a whole. */
function placeOfSubject(subject: string): ReadPlace {
  return {
    subject,
    folder: null,
    folderRepeat: null,
    page: null,
    pageRepeat: null,
    pass: null,
    table: null,
    rid: null,
    code: null,
  }
}

type PlaceOfPage = Pick<ReadPage, 'folder' | 'folderRepeat' | 'page' | 'pageRepeat' | 'parentEntryId' | 'pass'>

interface AroundItems {
  readonly pages: PagesOfSubject
  readonly page: PageOfVersion
  readonly place: PlaceOfPage
  readonly target: ReturnType<PagesOfSubject['page']>
}

/** Whether something within says that it is made or changed. */
function changesItems(element: XmlElement): boolean {
  return element.children.some((child) => {
    const transaction = attributeOf(child, 'TransactionType')
    if (child.name.startsWith('ItemData')) return transaction !== 'Context'
    return child.name === 'ItemGroupData' && (/^(Insert|Update)$/.test(transaction) || changesItems(child))
  })
}
