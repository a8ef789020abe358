import { requiredColumn } from '#core/form/definition/requiredColumn.ts'
import type { DefinedFolder, DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import type { NotWritten } from '#core/exchange/notWritten.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { BilingualText, Column, DictionaryItem, PageOption } from '#core/form/definition/column.ts'

import { codeListElement } from '#core/exchange/odm/codeLists.ts'
import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { Oids } from '#core/exchange/odm/oids.ts'
import type { RulePlace } from '#core/exchange/odm/otherWords.ts'
import { ownAlias, sortedText, wordsBetween } from '#core/exchange/odm/ownWords.ts'
import { namesOf } from '#core/exchange/odm/pages.ts'
import type { RangeStyle } from '#core/exchange/odm/ranges.ts'
import { LAYOUT } from '#core/exchange/odm/sourcePage.ts'
import { textsElement } from '#core/exchange/odm/texts.ts'
import type { Units } from './units.ts'
import type { EventOids, FormOids, GroupOids, ItemOid, VersionOids } from './versionOids.ts'
import { ItemWriter, spokenWords } from '#core/exchange/odm/writeItem.ts'

/** One version of a definition as an element of ODM, with the OIDs that it has there. */

/** A code list that a file has beside those of its definition. */
export interface AddedList {
  /** Wanted; what it has is among the OIDs of the version. */
  readonly oid: string
  readonly items: readonly DictionaryItem[]
}

export interface WrittenVersion {
  readonly metaDataVersion: XmlElement
  readonly oids: VersionOids
  readonly notWritten: readonly NotWritten[]
}

/**
 * One version of a definition as an element for a file. The same definition has the same OIDs in every file.
 *
 * @param units those of the whole study, to which the version adds its own
 */
export function writeMetaDataVersion(
  { pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>,
  about: {
    readonly version: OdmVersion
    readonly oid: string
    readonly name: string
    readonly lists?: readonly AddedList[]
  },
  units: Units,
): WrittenVersion {
  return new OdmWriter(pages, about.version, units).write(folders, about)
}

/** How texts and checks are written in a version of ODM. */
export function styleOf(version: OdmVersion): RangeStyle {
  return version === '2.0' ? { version, type: 'text/plain' } : { version }
}

type FieldGroup = 'loose' | 'same' | { readonly label: string; readonly labelEn?: string; readonly prop: string }

/** A name, in English too where there is one. */
interface NamedIn {
  readonly zh: string
  readonly en: string | undefined
}

/** Fields of a section that stand together: those in no table, or one table. */
type Run =
  | { readonly kind: 'fields'; readonly columns: readonly Column[] }
  | { readonly kind: 'table'; readonly column: Column }

const noReport = () => undefined

class OdmWriter {
  readonly #pages: readonly DefinedPage[]
  readonly #style: RangeStyle
  readonly #oids: Oids
  readonly #items: ItemWriter
  readonly #groups: XmlElement[] = []
  readonly #forms: XmlElement[] = []
  readonly #eventOids = new Map<string, EventOids>()
  readonly #formOids = new Map<string, FormOids>()
  readonly #notWritten: NotWritten[] = []
  /** Groups of the form that is being written. */
  #groupOids: GroupOids[] = []
  #placeholder: string | null = null

  constructor(pages: readonly DefinedPage[], version: OdmVersion, units: Units) {
    this.#pages = pages
    this.#style = styleOf(version)
    this.#oids = new Oids(pages.flatMap(({ option }) => columnsOf(option).flatMap(itemOids)))
    this.#items = new ItemWriter(this.#style, this.#oids, units)
  }

  write(
    folders: readonly DefinedFolder[],
    { oid, name, lists = [] }: { readonly oid: string; readonly name: string; readonly lists?: readonly AddedList[] },
  ): WrittenVersion {
    for (const page of this.#pages) this.#form(page)
    const events = folders.map((folder) => this.#event(folder))
    const added = lists.map((list) => ({ ...list, taken: this.#oids.take(list.oid) }))
    const metaDataVersion = element('MetaDataVersion', { OID: oid, Name: name }, [
      ...(this.#is2 || events.length === 0 ? [] : [element('Protocol', {}, events.map(eventReference))]),
      ...events,
      ...this.#forms,
      ...this.#definitions(added.map(({ taken, items }) => codeListElement(taken, taken, items, this.#style))),
    ])
    return {
      metaDataVersion,
      oids: {
        events: this.#eventOids,
        forms: this.#formOids,
        lists: new Map(added.map((list) => [list.oid, list.taken])),
      },
      notWritten: this.#notWritten,
    }
  }

  get #is2(): boolean {
    return this.#style.version === '2.0'
  }

  #definitions(added: readonly XmlElement[]): readonly XmlElement[] {
    const { items, codeLists, conditions, methods } = this.#items
    const placeholder =
      this.#placeholder === null
        ? []
        : [
            element('ItemDef', { OID: this.#placeholder, Name: this.#placeholder, DataType: 'text' }, [
              ownAlias({ placeholder: true }),
            ]),
          ]
    return [...this.#groups, ...items, ...placeholder, ...codeLists, ...added, ...conditions, ...methods]
  }

  #event({ folderCode, folderName, folderNameEn, pages, schedule, sourceOid }: DefinedFolder): XmlElement {
    const oid = this.#oids.take(sourceOid ?? folderCode)
    const words = {
      ...(oid === folderCode ? {} : { code: folderCode, ...(sourceOid === undefined ? {} : { sourceOid }) }),
      ...(schedule?.kind === 'planned' ? { schedule } : {}),
    }
    const isRepeating = schedule?.kind === 'unscheduled' || (schedule?.kind === 'planned' && schedule.repeating)
    this.#eventOids.set(folderCode, { oid, repeats: isRepeating })
    const type = schedule?.kind === 'log' ? 'Common' : schedule?.kind === 'unscheduled' ? 'Unscheduled' : 'Scheduled'
    const references = pages.flatMap((code, at) => {
      const form = this.#formOids.get(code)?.oid
      if (form === undefined) return []
      const order = { OrderNumber: String(at + 1), Mandatory: 'Yes' }
      return [
        this.#is2
          ? element('ItemGroupRef', { ItemGroupOID: form, ...order })
          : element('FormRef', { FormOID: form, ...order }),
      ]
    })
    return this.#named(
      'StudyEventDef',
      { OID: oid, Repeating: isRepeating ? 'Yes' : 'No', Type: type },
      { zh: folderName, en: folderNameEn },
      references,
      words,
    )
  }

  #form({ pageCode, pageName, pageNameEn, option, repeatable = false }: DefinedPage): void {
    const wanted = option.zl?.sourceOid ?? pageCode
    const oid = this.#oids.take(wanted)
    this.#groupOids = []
    const { column: _column, group: _group, zl = {}, ...layout } = option
    const expected = oid === pageCode ? {} : { sourceOid: oid }
    const words = {
      ...(oid === pageCode ? {} : { code: pageCode }),
      ...(sortedText(layout) === sortedText(LAYOUT) ? {} : { layout }),
      ...(sortedText(zl) === sortedText(expected) ? {} : { zl }),
    }
    const content = this.#sections(pageCode, option)
    this.#formOids.set(pageCode, { oid, repeats: repeatable, groups: this.#groupOids })
    const attributes = {
      OID: oid,
      Repeating: repeatable ? (this.#is2 ? 'Simple' : 'Yes') : 'No',
      ...(this.#is2 ? { Type: 'Form' } : {}),
    }
    this.#forms.push(
      this.#named(
        this.#is2 ? 'ItemGroupDef' : 'FormDef',
        attributes,
        { zh: pageName, en: pageNameEn },
        this.#atLeastOne(content),
        words,
      ),
    )
  }

  #sections(page: string, option: PageOption): readonly XmlElement[] {
    const sections = [
      ...(option.column.length === 0 ? [] : [{ place: 'loose' as const, columns: option.column }]),
      ...(option.group ?? []).map(({ label, labelEn, prop, column }) => ({
        place: { label, ...(labelEn === undefined ? {} : { labelEn }), prop },
        columns: column,
      })),
    ]
    const references: XmlElement[] = []
    for (const { place, columns } of sections) {
      const runs = runsOf(columns)
      runs.forEach((run, at) => {
        const own: FieldGroup = at === 0 || place === 'loose' ? place : 'same'
        references.push(
          run.kind === 'table' ? this.#table(page, run.column, own) : this.#section(page, run.columns, own),
        )
      })
    }
    return references.map((reference, at) => ({
      ...reference,
      attributes: new Map([...reference.attributes, ['OrderNumber', String(at + 1)]]),
    }))
  }

  #section(page: string, columns: readonly Column[], place: FieldGroup): XmlElement {
    const title = typeof place === 'string' ? page : place.label === '' ? place.prop : place.label
    const oid = this.#oids.take(typeof place === 'string' || place.prop === '' ? `IG.${page}` : place.prop)
    const labelEn = typeof place === 'string' || place.label === '' ? undefined : place.labelEn
    const group = this.#group(
      oid,
      title,
      columns,
      { page, table: '' },
      { zh: title, ...(labelEn === undefined ? {} : { en: labelEn }) },
    )
    const read = namesOf(group, noReport)
    // What is read without words of ours: a section of that title, its OID as code.
    const isPlain =
      typeof place === 'object' &&
      place.prop === oid &&
      place.label !== '' &&
      read.name === place.label &&
      (read.nameEn ?? undefined) === place.labelEn &&
      columns.length > 0
    const words = isPlain ? {} : { in: place, ...(columns.length === 0 ? { empty: true } : {}) }
    this.#groups.push(withWords(group, words))
    return element('ItemGroupRef', { ItemGroupOID: oid, Mandatory: 'No' })
  }

  #table(page: string, column: Column, place: FieldGroup): XmlElement {
    const { children: { column: rows, ...drawing } = { column: [] }, ...table } = column
    const oid = this.#oids.take(column.zl?.sourceOid ?? column.prop)
    const { label, zl = {} } = column
    const group = this.#group(
      oid,
      zl.kept?.['odm.Name'] ?? oid,
      rows,
      { page, table: column.prop },
      zl.labels ?? { zh: label },
    )
    const mandatory = column.required === true
    const name = attributeOf(group, 'Name')
    const read: Column = {
      prop: column.prop,
      label: namesOf(group, noReport).name,
      type: 'dynamic',
      span: 24,
      ...(mandatory ? requiredColumn(namesOf(group, noReport).name) : {}),
      zl: {
        ...(zl.labels?.en === undefined ? {} : { labels: zl.labels }),
        ...(column.prop === oid ? {} : { sourceOid: oid }),
        ...(name === oid ? {} : { kept: { 'odm.Name': name } }),
        ...(zl.show === undefined ? {} : { show: zl.show }),
      },
    }
    const words = wordsBetween(read, {
      ...table,
      ...(Object.keys(drawing).length === 0 ? {} : { children: { ...drawing, column: [] } }),
    })
    const all = { ...words, ...(column.prop === oid ? {} : { prop: column.prop }) }
    this.#tell(page, column.prop, spokenWords(words))
    this.#groups.push(withWords(group, { in: place, ...(Object.keys(all).length === 0 ? {} : { column: all }) }))
    return element('ItemGroupRef', {
      ItemGroupOID: oid,
      Mandatory: mandatory ? 'Yes' : 'No',
      CollectionExceptionConditionOID: this.#items.condition(column, { page, table: '', ofTable: true }),
    })
  }

  #group(
    oid: string,
    name: string,
    columns: readonly Column[],
    place: RulePlace,
    texts: BilingualText = { zh: name },
  ): XmlElement {
    const isTable = place.table !== ''
    const items = new Map<string, ItemOid>()
    this.#groupOids.push({ oid, table: isTable ? place.table : null, items })
    const references = columns.map((column, at) => {
      const item = this.#items.write(column, place)
      items.set(column.prop, { oid: item.oid, dataType: item.dataType, codes: item.codes })
      this.#tell(place.page, column.prop, item.ownWords)
      return element('ItemRef', {
        ItemOID: item.oid,
        OrderNumber: String(at + 1),
        Mandatory: item.mandatory ? 'Yes' : 'No',
        MethodOID: item.methodOid,
        CollectionExceptionConditionOID: item.conditionOid,
      })
    })
    const repeating = isTable ? (this.#is2 ? 'Simple' : 'Yes') : 'No'
    return element(
      'ItemGroupDef',
      { OID: oid, Name: name === '' ? oid : name, Repeating: repeating, ...(this.#is2 ? { Type: 'Section' } : {}) },
      [...(texts.zh === '' ? [] : [textsElement('Description', texts, this.#style)]), ...this.#atLeastOne(references)],
    )
  }

  /** ODM 2.0 knows no group without anything in it. */
  #atLeastOne(references: readonly XmlElement[]): readonly XmlElement[] {
    if (references.length > 0 || !this.#is2) return references
    this.#placeholder ??= this.#oids.take('PLACEHOLDER')
    return [element('ItemRef', { ItemOID: this.#placeholder, Mandatory: 'No' })]
  }

  #named(
    kind: string,
    { OID, ...attributes }: Readonly<Record<string, string>>,
    { zh: name, en }: NamedIn,
    content: readonly XmlElement[],
    words: Readonly<Record<string, unknown>>,
  ): XmlElement {
    const described = element(kind, { OID, Name: name.trim() === '' ? OID : name, ...attributes }, [
      ...(name.trim() === ''
        ? []
        : [textsElement('Description', { zh: name, ...(en === undefined ? {} : { en }) }, this.#style)]),
      ...content,
    ])
    const read = namesOf(described, noReport)
    return withWords(described, {
      ...words,
      ...(read.name === name ? {} : { name }),
      ...(en === undefined || read.nameEn === en ? {} : { nameEn: en }),
    })
  }

  #tell(page: string, field: string, words: readonly { readonly what: string; readonly text: string }[]): void {
    for (const { what, text } of words) this.#notWritten.push({ page, field, what, text })
  }
}

function withWords(definition: XmlElement, words: Readonly<Record<string, unknown>>): XmlElement {
  return Object.keys(words).length === 0
    ? definition
    : { ...definition, children: [...definition.children, ownAlias(words)] }
}

function eventReference(event: XmlElement, at: number): XmlElement {
  return element('StudyEventRef', {
    StudyEventOID: attributeOf(event, 'OID'),
    OrderNumber: String(at + 1),
    Mandatory: 'Yes',
  })
}

function columnsOf({ column, group = [] }: PageOption): readonly Column[] {
  return [...column, ...group.flatMap((one) => one.column)]
}

function itemOids(column: Column): readonly string[] {
  if (column.type === 'dynamic')
    return (column.children?.column ?? []).map((child) => child.zl?.sourceOid ?? child.prop)
  return [column.zl?.sourceOid ?? column.prop]
}

function runsOf(columns: readonly Column[]): readonly Run[] {
  const runs: Run[] = []
  let fields: Column[] = []
  for (const column of columns) {
    if (column.type !== 'dynamic') {
      if (fields.length === 0) runs.push({ kind: 'fields', columns: fields })
      fields.push(column)
      continue
    }
    runs.push({ kind: 'table', column })
    fields = []
  }
  return runs.length === 0 ? [{ kind: 'fields', columns: [] }] : runs
}
