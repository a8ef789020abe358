import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { DefinedPage } from '#core/exchange/definition.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { root } from '#scripts/lib/run.ts'

/** The longest texts of real studies, for those who have the samples: they are not part of this repository. */

const SAMPLES = process.env['SAMPLES_DIR'] ?? path.resolve(root, '../shared/samples')
/** How a study is called in ODM. */
const TITLE = /StudyName="(?<attribute>[^"]+)"|<StudyName>(?<element>[^<]+)</g

export interface LongTexts {
  readonly projectName: string
  readonly definition: DefinitionInput
  /** Code and name of each of its pages. */
  readonly pages: readonly { readonly code: string; readonly name: string }[]
}

/**
 * The longest study title, and of each dictionary the page with the longest label and the one with the longest choice.
 * Null without samples.
 */
export function longestTexts(): LongTexts | null {
  const dictionaries = path.join(SAMPLES, 'redcap')
  if (!existsSync(dictionaries)) return null
  const pages = readdirSync(dictionaries)
    .filter((name) => name.endsWith('.csv') && !name.startsWith('data_'))
    .flatMap((name) => extremePages(readFileSync(path.join(dictionaries, name), 'utf8')))
    .map(({ pageName, option }, at) => ({
      pageName,
      pageCode: `long${at}`,
      repeatable: false,
      option: JSON.stringify(option, withoutRules),
    }))
  const titles = readdirSync(path.join(SAMPLES, 'odm'))
    .filter((name) => name.endsWith('.xml'))
    .flatMap((name) => [...readFileSync(path.join(SAMPLES, 'odm', name), 'utf8').matchAll(TITLE)])
    .map(({ groups }) => groups?.['attribute'] ?? groups?.['element'] ?? '')
  const folderName = longest(pages.map(({ pageName }) => pageName))
  return {
    projectName: longest(titles),
    definition: { folders: [{ folderName, folderCode: 'ALL', pages }] },
    pages: pages.map(({ pageCode, pageName }) => ({ code: pageCode, name: pageName })),
  }
}

/** A rule speaks of pages that are not taken over; and without rules everything is shown. */
const RULES: ReadonlySet<string> = new Set(['show', 'require', 'readOnlyWhen', 'calculate', 'checks'])

function withoutRules(key: string, value: unknown): unknown {
  return RULES.has(key) ? undefined : value
}

function extremePages(text: string): readonly DefinedPage[] {
  const read = readRedcapDictionary(text)
  if (!read.ok) return []
  const { pages } = read.definition
  const most = (lengthOf: (page: DefinedPage) => number): DefinedPage | undefined =>
    pages.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
  const found = [most(longestLabel), most(longestChoice)].filter((page) => page !== undefined)
  return [...new Set(found)]
}

function longestLabel({ option }: DefinedPage): number {
  return longestOf(option, 'label')
}

/** Of a choice's label: what lies in `dicData`. */
function longestChoice({ option }: DefinedPage): number {
  return Math.max(
    0,
    ...[...JSON.stringify(option).matchAll(/"dicData":\[(?<choices>.*?)\]/g)].map(({ groups }) =>
      longestOf(groups?.['choices'] ?? '', 'label'),
    ),
  )
}

function longestOf(option: unknown, key: string): number {
  const text = typeof option === 'string' ? option : JSON.stringify(option)
  return Math.max(
    0,
    ...[...text.matchAll(new RegExp(`"${key}":"(?<text>(?:[^"\\\\]|\\\\.)*)"`, 'g'))].map(
      ({ groups }) => groups?.['text']?.length ?? 0,
    ),
  )
}

function longest(texts: readonly string[]): string {
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? ''
}
