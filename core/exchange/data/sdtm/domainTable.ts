import { subjectKeys } from '#core/dataset/aboutColumns.ts'
import type { LeavingEntry, LeavingSubject } from '#core/dataset/aboutColumns.ts'
import type { Leaving } from '#core/dataset/pagePlan.ts'
import { findPlace, leavingSubjects } from '#core/dataset/rowsOf.ts'
import type { Reading } from '#core/dataset/rowsOf.ts'
import type { SdtmDomain, SdtmMapping } from '#core/dataset/sdtm/mapping.ts'
import { topicOf, variablesOf } from '#core/dataset/sdtm/variables.ts'
import type { SdtmVariable } from '#core/dataset/sdtm/variables.ts'
import type { StudyPages, SubjectEntry } from '#core/dataset/source.ts'
import type { CellValue, DataTable, Row, Variable } from '#core/dataset/table.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'

import { cellText } from '../cells.ts'
import type { WriteNote } from '../contract.ts'
import { factOf } from './cellValues.ts'
import { SourceReader } from './domainRows.ts'
import type { SdtmRecord } from './domainRows.ts'
import { PageReader } from './pageReader.ts'
import type { PagePlans } from './pageReader.ts'
import { ValueCount } from './tableFacts.ts'
import type { ValueFacts } from './tableFacts.ts'

/**
 * A table of SDTM: rows subject by subject, in the order of the casebook. It is read in batches, as all tables are, and
 * whoever goes through it sees the same each time.
 */

/** Notes of one table are cut here. */
const MOST_NOTES = 10_000

export interface SdtmStudy {
  readonly study: StudyPages
  readonly leaving: Leaving
  readonly reading: Reading
  readonly mapping: SdtmMapping
}

/** The same with the pages as they leave. */
export interface PlannedStudy extends SdtmStudy {
  readonly plans: PagePlans
}

export class DomainTable implements DataTable {
  readonly domain: SdtmDomain
  readonly sources: readonly SourceReader[]
  /** Those that the table has, in SDTM's order. */
  readonly columns: readonly SdtmVariable[]
  readonly variables: readonly Variable[]
  readonly #of: PlannedStudy
  readonly #visits: ReadonlyMap<string, SdtmMapping['visits'][number]>
  /** Of visits and of pages in them. */
  readonly #order: ReadonlyMap<string, number>
  readonly #unlisted = new Set<string>()
  #notes: WriteNote[] = []
  #counts = new Map<string, ValueCount>()

  constructor(of: PlannedStudy, domain: SdtmDomain) {
    this.#of = of
    this.domain = domain
    this.#order = orderOf(of.study.places)
    this.#visits = new Map(of.mapping.visits.map((visit) => [visit.visit, visit]))
    const { study, leaving, plans } = of
    const pages = Map.groupBy(study.pages, ({ code }) => code)
    this.sources = domain.sources.flatMap((source) =>
      (pages.get(source.page) ?? []).map((page) => {
        const reader = new PageReader(page, plans, source)
        return new SourceReader(reader, source, domain, leaving.definition.language)
      }),
    )
    this.columns = this.#chooseColumns()
    this.variables = this.columns.map(({ name, label, type }) => ({
      name,
      label,
      type: type === 'number' ? 'number' : 'text',
      decimals: name.endsWith('SEQ') ? 0 : null,
      unit: null,
      codes: [],
      role: /^(STUDYID|USUBJID|..SEQ)$/.test(name) ? 'key' : 'item',
      field: null,
    }))
  }

  get name(): string {
    return this.domain.domain
  }

  get label(): string {
    return this.domain.label
  }

  /** Of the last time that the rows were gone through, and what is known without them. */
  notes(): readonly WriteNote[] {
    const table = this.name
    const known = new Set(this.sources.map(({ source }) => source))
    const absent = this.domain.sources.filter((source) => !known.has(source))
    return [
      ...absent.map(({ page }) => ({ kind: 'field-not-in-data', table, variable: '', text: page }) as const),
      ...this.sources.flatMap(({ lacking, source }) =>
        lacking.map(({ variable, field }): WriteNote => {
          const within = source.table === undefined ? source.page : `${source.page}.${source.table}`
          return { kind: 'field-not-in-data', table, variable, text: `${within}.${field}` }
        }),
      ),
      ...[...this.#unlisted].map((text) => ({ kind: 'visit-not-listed', table, variable: 'VISITNUM', text }) as const),
      ...this.#notes,
    ]
  }

  /** What was seen of a variable's values; of a test alone where one is named. */
  factsOf(variable: string, test = ''): ValueFacts {
    return (this.#counts.get(`${variable} ${test}`) ?? new ValueCount()).facts()
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    this.#notes = []
    this.#counts = new Map()
    let row = 0
    for await (const subjects of this.#of.reading.source.subjects(null)) {
      const entries = Map.groupBy(await this.#entriesOf(subjects), ({ patientId }) => patientId)
      const rows: Row[] = []
      for (const who of leavingSubjects(this.#of.reading, subjects)) {
        for (const record of this.#recordsOf(who, entries.get(who.subject.id) ?? [], row + rows.length))
          rows.push(this.#rowOf(record))
      }
      row += rows.length
      if (rows.length > 0) yield rows
    }
  }

  /** What the entries of each page that the sources name are, in their order. */
  async #entriesOf(subjects: Parameters<Reading['source']['entries']>[0]): Promise<readonly SubjectEntry[]> {
    const entries: SubjectEntry[] = []
    for (const pageId of new Set(this.sources.map(({ page }) => page.page.pageId)))
      entries.push(...(await this.#of.reading.source.entries(subjects, { pageId })))
    // Of double entry the first pass holds.
    return entries.filter(({ pass }) => pass === 1).toSorted((a, b) => this.#compare(a, b))
  }

  /** The order of the casebook: by visit, then by page. */
  #compare(a: SubjectEntry, b: SubjectEntry): number {
    const folder = (entry: SubjectEntry) => this.#order.get(entry.folderId) ?? Infinity
    const page = (entry: SubjectEntry) => this.#order.get(`${entry.folderId} ${entry.pageId}`) ?? Infinity
    if (a.folderId !== b.folderId) return folder(a) - folder(b)
    return a.visitNo - b.visitNo || page(a) - page(b) || a.pageNo - b.pageNo
  }

  /** @param before rows of the table before the subject's */
  #recordsOf(who: LeavingSubject, entries: readonly SubjectEntry[], before: number): readonly SdtmRecord[] {
    const { domain, class: of } = this.domain
    const identified = this.#identify(who)
    if (of === 'special-purpose') return [this.#demographicsOf(who, entries, identified, before + 1)]
    const records: SdtmRecord[] = []
    for (const entry of entries) {
      const at: LeavingEntry = { who, entry, place: findPlace(this.#of.study.places, entry) }
      const visit = of === 'findings' ? this.#visitOf(at) : []
      for (const source of this.sources) {
        if (source.page.page.pageId !== entry.pageId) continue
        for (const row of source.page.rowsOf(at)) {
          const made = source.recordsOf(row, (note) =>
            this.#note({ ...note, table: domain, row: before + records.length + 1 }),
          )
          for (const record of made)
            records.push(new Map([...identified, ...record, ...visit, [`${domain}SEQ`, records.length + 1]]))
        }
      }
    }
    return records
  }

  #identify(who: LeavingSubject): readonly (readonly [string, CellValue])[] {
    const { leaving, mapping } = this.#of
    const [key] = subjectKeys(leaving.definition.language, leaving.definition.deidentify.on)
    const subject = cellText(key?.read(who) ?? null)
    return [
      ['STUDYID', mapping.study],
      ['DOMAIN', this.domain.domain],
      ['USUBJID', `${mapping.study}-${subject}`],
      ...(this.domain.class === 'special-purpose' ? [['SUBJID', subject] as const] : []),
    ]
  }

  /** One row for a subject: of each variable the first value. Another one beside it is told of. */
  #demographicsOf(
    who: LeavingSubject,
    entries: readonly SubjectEntry[],
    identified: readonly (readonly [string, CellValue])[],
    row: number,
  ): SdtmRecord {
    const record: SdtmRecord = new Map(identified)
    const noteAt = { table: this.name, row }
    const take = (source: SourceReader, at: LeavingEntry): void => {
      for (const found of source.page
        .rowsOf(at)
        .flatMap((one) => source.recordsOf(one, (note) => this.#note({ ...note, ...noteAt }))))
        for (const [variable, value] of found) {
          const known = record.get(variable)
          if (known === undefined) record.set(variable, value)
          else if (known !== value) this.#note({ kind: 'second-value', variable, ...noteAt, text: cellText(value) })
        }
    }
    for (const entry of entries)
      for (const source of this.sources)
        if (source.page.page.pageId === entry.pageId)
          take(source, { who, entry, place: findPlace(this.#of.study.places, entry) })
    for (const [variable, value] of this.#constants(who)) if (!record.has(variable)) record.set(variable, value)
    if (!record.has('AGE')) record.delete('AGEU')
    return record
  }

  /** What stands in the row of each subject, also of one of whom no page was begun. */
  #constants(who: LeavingSubject): readonly (readonly [string, CellValue])[] {
    return this.sources.flatMap(({ values }) =>
      values.flatMap(({ variable: { name }, value: { fact, constant } }) => {
        if (fact !== undefined) return [[name, factOf(fact, who)] as const]
        return constant === undefined ? [] : [[name, constant] as const]
      }),
    )
  }

  #visitOf({ entry, place }: LeavingEntry): readonly (readonly [string, CellValue])[] {
    if (place === null) return []
    const { language } = this.#of.leaving.definition
    const visit = this.#visits.get(place.folderCode)
    if (visit === undefined) this.#unlisted.add(place.folderCode)
    const name = visit?.name ?? inLanguage(language, place.folderName, place.folderNameEn)
    const repeat = entry.visitNo - 1
    return [
      ['VISITNUM', visit === undefined ? null : Number((visit.number + repeat / 100).toFixed(2))],
      ['VISIT', repeat === 0 ? name : `${name} (${String(entry.visitNo)})`],
    ]
  }

  #rowOf(record: SdtmRecord): Row {
    const test = cellText(record.get(`${this.name}TESTCD`) ?? null)
    return this.columns.map(({ name }) => {
      const cell = record.get(name) ?? null
      this.#count(`${name} `, cell)
      if (test !== '' && /^..(ORRES|STRESC)$/.test(name)) this.#count(`${name} ${test}`, cell)
      return cell
    })
  }

  #count(key: string, cell: CellValue): void {
    const known = this.#counts.get(key) ?? new ValueCount()
    known.add(cell)
    this.#counts.set(key, known)
  }

  #note(note: WriteNote): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push(note)
  }

  /** What is written by itself, what a source feeds, and what the rows are about. */
  #chooseColumns(): readonly SdtmVariable[] {
    const { domain, class: of } = this.domain
    const fed = new Set(
      this.sources.flatMap(({ values, tests }) =>
        [...values, ...tests.flatMap((test) => test.values)].map(({ variable }) => variable.name),
      ),
    )
    const topic = topicOf(domain, of)
    return variablesOf(domain, of).filter(({ name, isOwn }) => isOwn || fed.has(name) || name === topic)
  }
}

function orderOf(places: StudyPages['places']): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const [at, { folderId, pageId }] of places.entries())
    for (const key of [folderId, `${folderId} ${pageId}`]) if (!order.has(key)) order.set(key, at)
  return order
}
