import * as z from 'zod/mini'
import { day, filledText, id, prop } from '#core/wire/shapes.ts'

import { condition } from './conditions.ts'
import { dataFormatIds, isCasebookFormat, isSdtmFormat } from './formats.ts'
import type { DataFormatId } from './formats.ts'
import { checkMapping } from './sdtm/checkMapping.ts'
import { sdtmMapping } from './sdtm/mapping.ts'
import type { SdtmMapping } from './sdtm/mapping.ts'

/** What a data set holds, as it is saved, run and kept with every run (docs/adr/0049-datasets.md). */

/** A field of a page; in a table, of each of its rows. */
const chosenField = z.object({ table: z.nullable(prop), code: prop })
export type ChosenField = z.infer<typeof chosenField>

const placedField = z.object({ pageId: id, table: z.nullable(prop), code: prop })
export type PlacedField = z.infer<typeof placedField>

const chosenPage = z.object({
  pageId: id,
  /** Null for all of its fields, later ones included. */
  fields: z.nullable(z.array(chosenField).check(z.maxLength(20_000))),
})

/** What is told of each page of a subject besides its answers. */
export const aboutParts = ['version', 'status', 'submitted', 'saved', 'queries', 'review', 'conflicts'] as const

/** `long`: a table for each page and for each table of a page. `flat`: one row for each subject. */
export const dataShapes = ['long', 'flat'] as const

/** A search as it was when it was chosen: later changes of it do not change the data set. */
const foundBy = z.object({ name: filledText(100), condition })

/** What casebooks for paper hold beside what was entered. */
const printed = z.object({ queries: z.boolean(), photographs: z.boolean() })

const deidentification = z.object({
  on: z.boolean(),
  /** Texts that a person has judged to identify nobody: they are kept. */
  keepText: z.array(placedField).check(z.maxLength(5000)),
  /** Ages in years: 90 and more are written as 90. */
  ages: z.array(placedField).check(z.maxLength(5000)),
})

export const dataSetDefinition = z
  .object({
    /** Null for all pages, later ones included. */
    pages: z.nullable(z.array(chosenPage).check(z.minLength(1), z.maxLength(2000))),
    /** Null for all that the reader may see. */
    centers: z.nullable(z.array(id).check(z.minLength(1), z.maxLength(2000))),
    patients: z.nullable(z.array(id).check(z.minLength(1), z.maxLength(20_000))),
    /** Of these, whom a search finds when the data set is run; null for all. Absent from definitions of before. */
    found: z.exactOptional(z.nullable(foundBy)),
    versions: z.nullable(z.array(id).check(z.minLength(1), z.maxLength(1000))),
    entries: z.enum(['submitted', 'all']),
    /** Days on which the page was last saved, both included, in the study's time zone. */
    savedFrom: z.nullable(day),
    savedTo: z.nullable(day),
    shape: z.enum(dataShapes),
    values: z.enum(['codes', 'labels', 'both']),
    reasons: z.boolean(),
    about: z.array(z.enum(aboutParts)).check(z.maxLength(aboutParts.length)),
    /** `first`: what holds. `both`: the two passes of double entry, each by itself. */
    passes: z.enum(['first', 'both']),
    language: z.enum(['zh', 'en']),
    deidentify: deidentification,
    /** Absent from definitions of before there was paper: `printOf` says what then holds. */
    print: z.exactOptional(printed),
    formats: z.array(z.enum(dataFormatIds)).check(z.minLength(1), z.maxLength(20)),
    /** By which the tables of SDTM are made. Data sets of before have none. */
    sdtm: z.exactOptional(
      sdtmMapping.check(z.refine((mapping) => checkMapping(mapping).length === 0, { error: 'sdtm_mapping' })),
    ),
  })
  .check(z.refine((definition) => !hasUndeidentifiable(definition), { error: 'identified_only', path: ['formats'] }))
  .check(z.refine((definition) => !lacksMapping(definition), { error: 'sdtm_mapping_required', path: ['sdtm'] }))
export type DataSetDefinition = z.infer<typeof dataSetDefinition>

/** Whether a definition asks for casebooks without what identifies: they hold everything as it was entered. */
export function hasUndeidentifiable(of: {
  readonly formats: readonly DataFormatId[]
  readonly deidentify: { readonly on: boolean }
}): boolean {
  return of.deidentify.on && of.formats.some(isCasebookFormat)
}

/** Whether a definition asks for tables of SDTM and does not say how they are made. */
export function lacksMapping(of: {
  readonly formats: readonly DataFormatId[]
  readonly sdtm?: SdtmMapping | undefined
}): boolean {
  const { formats, sdtm } = of
  return sdtm === undefined && formats.some(isSdtmFormat)
}

export function foundOf({ found }: Pick<DataSetDefinition, 'found'>): z.infer<typeof foundBy> | null {
  return found ?? null
}

export function printOf({ print }: Pick<DataSetDefinition, 'print'>): z.infer<typeof printed> {
  return print ?? { queries: true, photographs: false }
}

/** A definition that somebody begins with: everything submitted, de-identified. */
export function newDefinition(language: 'zh' | 'en'): DataSetDefinition {
  return {
    pages: null,
    centers: null,
    patients: null,
    versions: null,
    entries: 'submitted',
    savedFrom: null,
    savedTo: null,
    shape: 'long',
    values: 'both',
    reasons: true,
    about: ['version', 'status'],
    passes: 'first',
    language,
    deidentify: { on: true, keepText: [], ages: [] },
    formats: ['csv'],
  }
}

/** Whether a page's field is wanted. */
export function isWanted({ pages }: Pick<DataSetDefinition, 'pages'>, { pageId, table, code }: PlacedField): boolean {
  if (pages === null) return true
  const page = pages.find((one) => one.pageId === pageId)
  if (page === undefined) return false
  return page.fields === null || page.fields.some((field) => field.table === table && field.code === code)
}

/** Key of a field within its page, as masks have it. */
export function keyOfField({ table, code }: ChosenField): string {
  return table === null ? code : `${table}.${code}`
}
