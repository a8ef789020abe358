import { requiredColumn } from '#core/form/definition/requiredColumn.ts'
import type { NotCarried, Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf } from '#core/exchange/xml/element.ts'
import type { Column } from '#core/form/definition/column.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { isFieldCode, readPage } from '#core/form/definition/page.ts'

import { repeats } from './counts.ts'
import type { ItemSurroundings } from './item.ts'
import { readItem } from './item.ts'
import type { ItemCodes } from './names.ts'
import { freeCode } from './names.ts'
import { ownWordsOf } from './ownWords.ts'
import type { OdmSource } from './source.ts'
import { MAX_FIELDS, inOrder } from './source.ts'
import type { SourceField, SourcePage, SourceSection } from './sourcePage.ts'
import { readBothTexts, readTexts } from './texts.ts'

/**
 * Forms as pages, without their rules: groups become sections, groups that repeat tables, groups within groups sections
 * after each other.
 */

/** More fields or choices than any study has were asked for, by references to references. */
export class TooManyFields extends Error {}

/** Deepest nesting of groups. */
const MAX_DEPTH = 20
/** Most choices of all fields together. */
const MAX_CHOICES = 500_000
/** Longest name of a page, a section or a visit, as the server takes it. */
export const MAX_NAME = 200

/** Reads the forms of a source. */
export class PageReader {
  readonly #source: OdmSource
  readonly #codes: ItemCodes
  readonly #surroundings: ItemSurroundings
  readonly #reports: NotCarried[]
  readonly #usedGroups = new Set<string>()
  readonly #usedItems = new Set<string>()
  #fields = 0
  #choices = 0

  constructor(source: OdmSource, codes: ItemCodes, surroundings: ItemSurroundings, reports: NotCarried[]) {
    this.#source = source
    this.#codes = codes
    this.#surroundings = surroundings
    this.#reports = reports
  }

  get usedGroups(): ReadonlySet<string> {
    return this.#usedGroups
  }

  get usedItems(): ReadonlySet<string> {
    return this.#usedItems
  }

  /** A report of what is lost of a definition. */
  reporter(definition: XmlElement, field = attributeOf(definition, 'OID')): Report {
    return (what, why, text) => this.#reports.push({ row: definition.line, field, what, why, text })
  }

  /**
   * @param form `FormDef`, or the group that is a form in ODM 2.0
   * @throws TooManyFields
   */
  page(form: XmlElement, code: string): SourcePage {
    const oid = attributeOf(form, 'OID')
    const page: SourcePage = {
      oid,
      code,
      ...namesOf(form, this.reporter(form)),
      repeatable: repeats(form),
      sections: [],
      words: pageWords(form),
    }
    this.#usedGroups.add(oid)
    this.#into(form, {
      page,
      sections: new Set(),
      taken: new Set(),
      table: null,
      target: null,
      conditions: [],
      above: [oid],
    })
    return page
  }

  /** What a group holds, in its order. */
  #into(group: XmlElement, around: Around): void {
    let target = around.target
    for (const reference of inOrder(
      group.children.filter(({ name }) => name === 'ItemRef' || name === 'ItemGroupRef'),
    )) {
      if (reference.name === 'ItemGroupRef') {
        this.#group(reference, around)
        // What follows a group stands after it, not with what came before.
        if (around.table === null && around.target === null) target = null
        continue
      }
      target ??= sectionFor(around.page, null, '')
      this.#item(reference, target.fields, around)
    }
  }

  #group(reference: XmlElement, around: Around): void {
    const oid = attributeOf(reference, 'ItemGroupOID')
    const group = this.#source.groups.get(oid)
    const report = this.reporter(reference, oid)
    if (group === undefined) return report('section', 'not-defined', oid)
    if (around.above.includes(oid)) return report('section', 'circular', oid)
    if (around.above.length > MAX_DEPTH || ++this.#fields > MAX_FIELDS) throw new TooManyFields()
    this.#usedGroups.add(oid)
    const condition = this.#condition(reference, report)
    const above = [...around.above, oid]
    if (repeats(group)) return this.#table(group, reference, { ...around, above, conditions: condition })
    const inner = { ...around, above, conditions: [...around.conditions, ...condition] }
    // Rows have no sections.
    if (around.table !== null) return this.#into(group, inner)
    const { name: label, nameEn: labelEn } = namesOf(group, this.reporter(group))
    const words = ownWordsOf(group)
    const target = sectionFor(
      around.page,
      words['in'] === undefined
        ? { label, labelEn, prop: codeOfSection(oid, around) }
        : sectionWords(words['in'], around),
      oid,
    )
    const before = target.fields.length
    this.#into(group, { ...inner, target })
    if (target.fields.length === before && words['empty'] !== true && words['in'] === undefined)
      target.fields.push(titleField(group, { label, labelEn }, around, this.reporter(group)))
  }

  #table(group: XmlElement, reference: XmlElement, around: Around): void {
    const { page } = around
    const oid = attributeOf(group, 'OID')
    const report = this.reporter(group)
    const words = ownWordsOf(group)
    const column = isRecord(words['column']) ? words['column'] : {}
    const prop = this.#propOf(
      oid,
      typeof column['prop'] === 'string' ? column['prop'] : freeCode(oid, 'table', inLowerCase(around.taken)),
      around,
      report,
      column['prop'] === undefined,
    )
    const texts = readTexts(childOf(group, 'Description'), report)
    const label = (texts?.main ?? attributeOf(group, 'Name')) || oid
    for (const [, text] of texts?.others ?? []) report('label', 'other-language', text)
    const name = attributeOf(group, 'Name')
    const kept = name === '' || name === oid ? {} : { kept: { 'odm.Name': name } }
    const zl = {
      ...(texts === null || texts.en === null ? {} : { labels: { zh: label, en: texts.en } }),
      ...(prop === oid ? {} : { sourceOid: oid }),
      ...kept,
    }
    if (attributeOf(group, 'Repeating') === 'Static') report('section', 'rows-of-source', `Repeating="Static" ${oid}`)
    const field: SourceField = {
      oid,
      report,
      place: { page: page.code, table: around.table, prop },
      above: around.above,
      method: null,
      conditions: around.conditions,
      checks: [],
      words: column,
      column: {
        prop,
        label,
        type: 'dynamic',
        span: 24,
        ...(attributeOf(reference, 'Mandatory') === 'Yes' ? requiredColumn(label) : {}),
        ...(Object.keys(zl).length === 0 ? {} : { zl }),
      },
      children: [],
    }
    if (around.table !== null) report('section', 'no-place', `${around.table} / ${oid}`)
    const target =
      around.target ??
      sectionFor(
        page,
        words['in'] === undefined
          ? { label: '', labelEn: null, prop: codeOfSection(oid, around) }
          : sectionWords(words['in'], around),
        oid,
      )
    target.fields.push(field)
    const rows = { label: null, labelEn: null, prop: '', fields: field.children }
    this.#into(group, { ...around, table: prop, target: rows, taken: new Set(), conditions: [] })
    if (field.children.length === 0) report('section', 'not-used-by-source', oid)
  }

  #item(reference: XmlElement, fields: SourceField[], around: Around): void {
    const oid = attributeOf(reference, 'ItemOID')
    const item = this.#source.items.get(oid)
    const code = this.#codes.of(oid)
    const report = item === undefined ? this.reporter(reference, oid) : this.reporter(item)
    if (item === undefined || code === null) return report('field', 'not-defined', oid)
    if (++this.#fields > MAX_FIELDS) throw new TooManyFields()
    this.#usedItems.add(oid)
    const words = ownWordsOf(item)
    if (words['placeholder'] === true) return
    const column = isRecord(words['column']) ? words['column'] : {}
    const prop = this.#propOf(
      oid,
      typeof column['prop'] === 'string' ? column['prop'] : code,
      around,
      report,
      column['prop'] === undefined,
    )
    const read = readItem(item, reference, { prop, inRow: around.table !== null, report }, this.#surroundings)
    this.#choices += read.column.dicData?.length ?? 0
    if (this.#choices > MAX_CHOICES) throw new TooManyFields()
    fields.push({
      oid,
      report,
      place: { page: around.page.code, table: around.table, prop },
      above: around.above,
      method: this.#named(reference, 'MethodOID', this.#source.methods, report, 'calculation'),
      conditions: [...around.conditions, ...this.#condition(reference, report)],
      checks: read.checks,
      words: column,
      column: read.column,
      children: [],
    })
  }

  /** The code for a field among those of its page or row. */
  #propOf(oid: string, wanted: string, { taken }: Around, report: Report, tell = false): string {
    const isFree = isFieldCode(wanted) && !taken.has(wanted)
    const prop = isFree ? wanted : freeCode(wanted, 'field', inLowerCase(taken))
    if (!isFree) report('field-name', 'duplicate-name', oid)
    else if (tell && prop !== oid) report('field-name', 'name-not-allowed', oid)
    taken.add(prop)
    return prop
  }

  #condition(reference: XmlElement, report: Report): readonly XmlElement[] {
    const condition = this.#named(
      reference,
      'CollectionExceptionConditionOID',
      this.#source.conditions,
      report,
      'branching',
    )
    return condition === null ? [] : [condition]
  }

  #named(
    reference: XmlElement,
    attribute: string,
    among: ReadonlyMap<string, XmlElement>,
    report: Report,
    what: 'branching' | 'calculation',
  ): XmlElement | null {
    const oid = attributeOf(reference, attribute)
    if (oid === '') return null
    const found = among.get(oid) ?? null
    if (found === null) report(what, 'not-defined', oid)
    return found
  }
}

interface Around {
  readonly page: SourcePage
  /** Codes of the sections of the page. */
  readonly sections: Set<string>
  /** Codes of the fields of the page, or of the row. */
  readonly taken: Set<string>
  readonly table: string | null
  readonly target: SourceSection | null
  readonly conditions: readonly XmlElement[]
  readonly above: readonly string[]
}

type WantedSection = Pick<SourceSection, 'labelEn' | 'prop'> & { readonly label: string }

/** A section to go on with: a new one, or the last one where `wanted` is null and it stands in no group either. */
function sectionFor(page: SourcePage, wanted: SourceSection | WantedSection | null, prop: string): SourceSection {
  if (wanted !== null && 'fields' in wanted) return wanted
  // Fields in no group come first on a page here; what follows a group is in one without a title.
  const label = wanted === null && page.sections.length > 0 ? '' : (wanted?.label ?? null)
  const section: SourceSection = {
    label,
    labelEn: wanted?.labelEn ?? null,
    prop: wanted?.prop ?? (prop || `section_${page.sections.length + 1}`),
    fields: [],
  }
  page.sections.push(section)
  return section
}

/**
 * Where words of our own say that a group belongs: to no section, to the one before it, or to one of that code and
 * title.
 */
function sectionWords(words: unknown, { page }: Around): SourceSection | WantedSection | null {
  if (words === 'loose') return page.sections.at(0)?.label === null ? (page.sections[0] ?? null) : null
  if (words === 'same') return page.sections.at(-1) ?? null
  if (!isRecord(words)) return null
  const { label, labelEn, prop } = words
  return {
    label: typeof label === 'string' ? label : '',
    labelEn: typeof labelEn === 'string' && labelEn !== '' ? labelEn : null,
    prop: typeof prop === 'string' ? prop : '',
  }
}

function codeOfSection(oid: string, { sections }: Around): string {
  const code = freeCode(oid, 'section', sections)
  sections.add(code.toLowerCase())
  return code
}

function inLowerCase(codes: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(Array.from(codes, (code) => code.toLowerCase()))
}

/** A group without fields is a text of the page. */
function titleField(
  group: XmlElement,
  { label, labelEn }: Pick<WantedSection, 'label' | 'labelEn'>,
  { page, taken, conditions, above }: Around,
  report: Report,
): SourceField {
  const oid = attributeOf(group, 'OID')
  const prop = freeCode(oid, 'text', inLowerCase(taken))
  taken.add(prop)
  const zl = {
    ...(labelEn === null ? {} : { labels: { zh: label, en: labelEn } }),
    ...(prop === oid ? {} : { sourceOid: oid }),
  }
  const column: Column = { prop, label, type: 'title', span: 24, ...(Object.keys(zl).length === 0 ? {} : { zl }) }
  return {
    oid,
    report,
    place: { page: page.code, table: null, prop },
    above,
    method: null,
    conditions,
    checks: [],
    words: {},
    column,
    children: [],
  }
}

/** What something is called, and in English where it is described in both languages. */
export interface Names {
  readonly name: string
  readonly nameEn: string | null
}

/** What a form, a group or a visit is called: described in Chinese or otherwise, else by its name. */
export function namesOf(definition: XmlElement, report: Report): Names {
  const { name: own, nameEn: ownEn } = ownWordsOf(definition)
  const texts = readBothTexts(childOf(definition, 'Description'), report)
  const name = typeof own === 'string' && own !== '' ? own : (texts?.main ?? attributeOf(definition, 'Name'))
  return {
    name: name === '' ? attributeOf(definition, 'OID') : name,
    nameEn: typeof ownEn === 'string' && ownEn !== '' ? ownEn : (texts?.en ?? null),
  }
}

/** What the alias of a form says, as far as a page with it can be read. */
function pageWords(form: XmlElement): Readonly<Record<string, unknown>> {
  const words = ownWordsOf(form)
  return readPage({
    ...(isRecord(words['layout']) ? words['layout'] : {}),
    column: [],
    ...(isRecord(words['zl']) ? { zl: words['zl'] } : {}),
  }).ok
    ? words
    : {}
}
