import type { SdtmDomain, SdtmSource, SdtmTest } from '#core/dataset/sdtm/mapping.ts'
import { variablesOf } from '#core/dataset/sdtm/variables.ts'
import type { SdtmVariable } from '#core/dataset/sdtm/variables.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { CellValue } from '#core/dataset/table.ts'
import type { Language } from '#core/language.ts'
import type { Missing } from '#core/form/definition/value.ts'

import { dataWords } from '../words.ts'
import { numberOf, originalText, readerOf, submitAnswer } from './cellValues.ts'
import type { Read, ValueReader } from './cellValues.ts'
import type { CellPlace, PageReader, SourceRow } from './pageReader.ts'

/** The rows that the pages of a source become, as values by the names of variables. */

export type SdtmRecord = Map<string, CellValue>

/** What a variable could not take. */
export interface RecordNote {
  readonly kind: 'value-not-of-type' | 'term-not-listed'
  readonly variable: string
  readonly text: string
}

/** A field that a mapping names and the data do not have. */
export interface LackingField {
  readonly variable: string
  readonly field: string
}

export interface TestReader {
  readonly test: SdtmTest
  readonly place: CellPlace
  readonly values: readonly ValueReader[]
}

/** A source with one of its pages. */
export class SourceReader {
  readonly page: PageReader
  readonly source: SdtmSource
  readonly values: readonly ValueReader[]
  readonly tests: readonly TestReader[]
  readonly lacking: readonly LackingField[]
  readonly #domain: SdtmDomain
  readonly #language: Language
  readonly #performed: { readonly place: CellPlace; readonly reason: CellPlace | null } | null

  constructor(page: PageReader, source: SdtmSource, domain: SdtmDomain, language: Language) {
    this.page = page
    this.source = source
    this.#domain = domain
    this.#language = language
    const lacking: LackingField[] = []
    const known = new Map(variablesOf(domain.domain, domain.class).map((one) => [one.name, one]))
    this.values = readValues(source.values, { page, known, lacking })
    this.tests = (source.tests ?? []).flatMap((test) => {
      const place = page.find(test.result)
      if (place !== null) return [{ test, place, values: readValues(test.values, { page, known, lacking }) }]
      lacking.push({ variable: test.code, field: test.result.field })
      return []
    })
    this.#performed = this.#findPerformed(lacking)
    this.lacking = lacking
  }

  #findPerformed(lacking: LackingField[]) {
    const { performed } = this.source
    if (performed === undefined) return null
    const place = this.page.find({ field: performed.field })
    if (place !== null)
      return { place, reason: performed.reason === undefined ? null : this.page.find({ field: performed.reason }) }
    lacking.push({ variable: `${this.#domain.domain}STAT`, field: performed.field })
    return null
  }

  /** The records of a row, with the notes on each. */
  recordsOf(row: SourceRow, note: (one: RecordNote) => void): readonly SdtmRecord[] {
    const common: SdtmRecord = new Map()
    const hasValue = putValues(common, this.values, row, note)
    if (this.#domain.class !== 'findings') return hasValue ? [common] : []
    const notDone = this.#notDone(row, common)
    if (notDone !== null) return [notDone]
    return this.tests.flatMap((test) => {
      const record = this.#resultOf(test, row, common, note)
      return record === null ? [] : [record]
    })
  }

  /** The one row that says that nothing was examined. */
  #notDone(row: SourceRow, common: SdtmRecord): SdtmRecord | null {
    if (this.#performed === null) return null
    const { place, reason } = this.#performed
    const cell = row.cells[place.at] ?? null
    const isNo = cell !== null && !isMissing(cell) && this.source.performed?.no.includes(String(cell)) === true
    if (!isNo) return null
    const { domain, label } = this.#domain
    const why = reason === null ? null : (row.cells[reason.at] ?? null)
    return new Map([
      ...common,
      [`${domain}TESTCD`, `${domain}ALL`],
      [`${domain}TEST`, label],
      [`${domain}STAT`, 'NOT DONE'],
      [`${domain}REASND`, why === null || isMissing(why) ? null : String(why)],
    ])
  }

  #resultOf(
    { test, place, values }: TestReader,
    row: SourceRow,
    common: SdtmRecord,
    note: (one: RecordNote) => void,
  ): SdtmRecord | null {
    const cell = row.cells[place.at] ?? null
    if (cell === null || cell === '') return null
    const { domain } = this.#domain
    const record: SdtmRecord = new Map([...common, [`${domain}TESTCD`, test.code], [`${domain}TEST`, test.name]])
    putValues(record, values, row, note)
    if (isMissing(cell)) {
      const words = place.reason === null ? null : (row.cells[place.reason] ?? null)
      record.set(`${domain}STAT`, 'NOT DONE')
      record.set(`${domain}REASND`, this.#reasonOf(cell, words))
      return record
    }
    const own = submitAnswer(cell, place.variable, test.result)
    putNote(`${domain}STRESC`, own, note)
    for (const [suffix, value] of resultValues(test, place, cell, own)) record.set(`${domain}${suffix}`, value)
    return record
  }

  /** Somebody's words where they leave, else the reason of the closed list. */
  #reasonOf({ m }: Missing, words: CellValue): string {
    return typeof words === 'string' && words !== '' ? words : dataWords(this.#language).reasons[m]
  }
}

/** The result as it was entered and in its standard form. */
function resultValues(
  { unit, standard, result }: SdtmTest,
  { variable }: CellPlace,
  cell: string | number,
  own: Read,
): readonly (readonly [string, CellValue])[] {
  const original = originalText(cell, variable, result.choice)
  const isCoded = variable.codes.length > 0
  const taken = 'value' in own && own.value !== null ? own.value : original
  const text = isCoded && result.terms === undefined && result.choice === undefined ? original : String(taken)
  const number = isCoded ? null : numberOf(taken)
  const inStandard = number === null || standard === undefined ? number : toStandard(number, standard)
  return [
    ['ORRES', original],
    ['ORRESU', isCoded ? null : (unit ?? null)],
    ['STRESC', inStandard === null ? text : String(inStandard)],
    ['STRESN', inStandard],
    ['STRESU', isCoded ? null : (standard?.unit ?? unit ?? null)],
  ]
}

/** Without the digits that come of computing with fractions of two. */
function toStandard(value: number, { factor, offset = 0 }: NonNullable<SdtmTest['standard']>): number {
  return Number((value * factor + offset).toPrecision(12))
}

function readValues(
  values: SdtmSource['values'],
  of: {
    readonly page: PageReader
    readonly known: ReadonlyMap<string, SdtmVariable>
    readonly lacking: LackingField[]
  },
): readonly ValueReader[] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    const variable = of.known.get(name)
    if (variable === undefined) return []
    const reader = readerOf(variable, value, of.page)
    if (reader !== null) return [reader]
    of.lacking.push({ variable: name, field: value.field ?? '' })
    return []
  })
}

/** @returns whether any of them came from a field */
function putValues(
  record: SdtmRecord,
  readers: readonly ValueReader[],
  row: SourceRow,
  note: (one: RecordNote) => void,
): boolean {
  let hasValue = false
  for (const { variable, place, read } of readers) {
    const found = read(row)
    putNote(variable.name, found, note)
    if (!('value' in found) || found.value === null || found.value === '') continue
    record.set(variable.name, found.value)
    if (place !== null) hasValue = true
  }
  return hasValue
}

function putNote(variable: string, read: Read, note: (one: RecordNote) => void): void {
  if ('unfit' in read) note({ kind: 'value-not-of-type', variable, text: read.unfit })
  if ('unlisted' in read) note({ kind: 'term-not-listed', variable, text: read.unlisted })
}
