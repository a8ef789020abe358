import * as z from 'zod/mini'

/**
 * A mapping: which pages and fields feed which variables of SDTM's tables. A person edits it as a file of JSON, so its
 * shape is closed and everything in it is named by codes (docs/adr/0055-sdtm.md).
 */

export const sdtmClasses = ['special-purpose', 'findings', 'events', 'interventions'] as const
export type SdtmClass = (typeof sdtmClasses)[number]

/** Versions of the implementation guide that the tables may follow. */
const STANDARDS = ['3.2', '3.3', '3.4'] as const

function text(most: number, least = 1) {
  return z.string().check(z.minLength(least), z.maxLength(most))
}

/** What agencies take in identifiers and names: printable ASCII. */
function plain(most: number) {
  return text(most).check(z.regex(/^[\x20-\x7E]+$/))
}

const variableName = z.string().check(z.regex(/^[A-Z][A-Z0-9]{0,7}$/))
/** Of a page or a field; whether it is there is asked of the study. */
const code = text(100)
/** Submission values by codes of choices; an empty one leaves the variable empty. */
const terms = z.record(text(200), text(200, 0))

const fieldSource = {
  /** A field of the source's table, or of its page. */
  field: z.exactOptional(code),
  /** Of a range. */
  part: z.exactOptional(z.enum(['start', 'end'])),
  /** Of several choices: whether this one was chosen, as Y or N. */
  choice: z.exactOptional(text(200)),
  terms: z.exactOptional(terms),
}

/** Where a value comes from: a field, the same words in every row, or what is known of the subject. */
const value = z.strictObject({
  ...fieldSource,
  /** The field with the time of the day, for a date. */
  time: z.exactOptional(code),
  constant: z.exactOptional(text(200)),
  fact: z.exactOptional(z.enum(['center', 'sex', 'enrolled'])),
})
export type SdtmValue = z.infer<typeof value>

const values = z.record(variableName, value)

/** A field that becomes rows of a test. */
const test = z.strictObject({
  code: variableName,
  /** Also the label of the test in define.xml. */
  name: plain(40),
  result: z.strictObject({ ...fieldSource, field: code }),
  /** Of the original result. */
  unit: z.exactOptional(text(40)),
  /** The result in standard units: times the factor, plus the offset. */
  standard: z.exactOptional(
    z.strictObject({
      unit: text(40),
      factor: z.number().check(z.refine((factor) => factor !== 0)),
      offset: z.exactOptional(z.number()),
    }),
  ),
  values: z.exactOptional(values),
})
export type SdtmTest = z.infer<typeof test>

const source = z.strictObject({
  page: code,
  /** Each row of this table of the page; without it each page. */
  table: z.exactOptional(code),
  values: z.exactOptional(values),
  tests: z.exactOptional(z.array(test).check(z.maxLength(500))),
  /** The question whether the examination was made: with one of these answers there is one row that says so. */
  performed: z.exactOptional(
    z.strictObject({
      field: code,
      no: z.array(text(200)).check(z.minLength(1), z.maxLength(20)),
      reason: z.exactOptional(code),
    }),
  ),
})
export type SdtmSource = z.infer<typeof source>

const domain = z.strictObject({
  domain: z.string().check(z.regex(/^[A-Z][A-Z0-9]$/)),
  class: z.enum(sdtmClasses),
  label: plain(40),
  sources: z.array(source).check(z.minLength(1), z.maxLength(300)),
})
export type SdtmDomain = z.infer<typeof domain>

export const sdtmMapping = z.strictObject({
  format: z.literal('zhenglu-sdtm'),
  version: z.literal(1),
  /** STUDYID. */
  study: plain(40),
  /** Version of the SDTM implementation guide. */
  standard: z.enum(STANDARDS),
  /** VISITNUM and VISIT of the visits, by their codes. */
  visits: z
    .array(
      z.strictObject({ visit: code, number: z.number().check(z.minimum(-999), z.maximum(99_999)), name: text(100) }),
    )
    .check(z.maxLength(1000)),
  domains: z.array(domain).check(z.minLength(1), z.maxLength(60)),
})
export type SdtmMapping = z.infer<typeof sdtmMapping>

/** A mapping as the file that a person edits. */
export function mappingText(mapping: SdtmMapping): string {
  return `${JSON.stringify(mapping, null, 2)}\n`
}

/** How many variables of each table are fed by a mapping, the tests of findings counted apart. */
export function countMapped({ domains }: SdtmMapping): readonly {
  readonly domain: string
  readonly label: string
  readonly variables: number
  readonly tests: number
}[] {
  return domains.map(({ domain: name, label, sources }) => ({
    domain: name,
    label,
    variables: new Set(
      sources.flatMap(({ values: own = {}, tests = [] }) => [
        ...Object.keys(own),
        ...tests.flatMap((one) => Object.keys(one.values ?? {})),
      ]),
    ).size,
    tests: new Set(sources.flatMap(({ tests = [] }) => tests.map((one) => one.code))).size,
  }))
}
