import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Studies that tests read: small ones of our own, which are always there, and real ones where they are, which are not
 * part of the product.
 */

const TWINS = join(import.meta.dirname, '../../samples')

const SAMPLES = process.env['SAMPLES_DIR'] ?? join(import.meta.dirname, '../../../../shared/samples')

/** For tests of what is in a certain real study. */
export const HAS_SAMPLES = existsSync(join(SAMPLES, 'facts.json'))

if (!HAS_SAMPLES)
  process.stderr.write(`${SAMPLES} is not on this machine: tests read the small studies of tests/samples alone.\n`)

const FOLDERS = HAS_SAMPLES ? [TWINS, SAMPLES] : [TWINS]

/** Where a sample is, by its place in either collection. */
export function samplePath(...place: readonly string[]): string {
  const ours = join(TWINS, ...place)
  return existsSync(ours) ? ours : join(SAMPLES, ...place)
}

/** The names of all samples in a folder, ours first. */
export function samplesIn(folder: string): readonly string[] {
  return FOLDERS.flatMap((one) => readdirSync(join(one, folder)))
}

/** The dictionaries among the samples; what begins with `data_` are records. */
export const DICTIONARIES = samplesIn('redcap').filter((name) => name.endsWith('.csv') && !name.startsWith('data_'))

/** The forms in XLSForm's family; those of OpenClinica are another format. */
export const XLS_FORMS = samplesIn('xlsform').filter((name) => !name.includes('oc_crf'))

interface SampleFacts {
  readonly facts: Readonly<Record<string, unknown>>
}

/** What was counted in each sample without our readers, by its place. */
export const FACTS: Readonly<Record<string, SampleFacts>> = Object.assign(
  {},
  ...FOLDERS.map((folder): unknown => JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))),
) as Readonly<Record<string, SampleFacts>>

export interface SampleExpression {
  readonly no: string
  readonly kind: string
  readonly file: string
  readonly field: string
  readonly source: string
}

/** Expressions of the samples whose kind begins so. */
export function sampleExpressions(...kinds: readonly string[]): readonly SampleExpression[] {
  return FOLDERS.flatMap((folder) => readFileSync(join(folder, 'expressions.txt'), 'utf8').split('\n'))
    .map((line) => line.split('\t'))
    .flatMap(([no = '', kind = '', , file = '', field = '', json = '']) =>
      kinds.some((one) => kind.startsWith(one)) ? [{ no, kind, file, field, source: String(JSON.parse(json)) }] : [],
    )
}
