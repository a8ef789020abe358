import type { Report } from '#core/exchange/definition.ts'
import { hasMarkup, plainText } from '#core/exchange/redcap/text.ts'
import type { BilingualText } from '#core/form/definition/column.ts'

import type { Header } from './headers.ts'
import { withoutMarkdown } from './markdown.ts'
import type { FormRow } from './table.ts'

/** A form in several languages as one in Chinese and English. What it says in others is kept and reported. */

export interface Languages {
  /** The language of labels. */
  readonly base: string
  /** The language of English labels, where it is another; null without. */
  readonly english: string | null
}

const CHINESE = /中文|汉语|漢語|简体|繁體|chinese|mandarin|^zh\b|\(zh/i
const ENGLISH = /english|英文|英语|^en\b|\(en/i

/**
 * Chinese before the form's own language, that before English. @param own what the settings call the form's own
 * language
 */
export function languagesOf(headers: readonly Header[], own: string): Languages {
  const languages = [...new Set(headers.filter(({ name }) => name === 'label').map(({ language }) => language))]
  const base =
    languages.find((one) => CHINESE.test(one)) ??
    languages.find((one) => own !== '' && one === own) ??
    languages.find((one) => one === '') ??
    languages.find((one) => ENGLISH.test(one)) ??
    languages[0] ??
    ''
  return { base, english: languages.find((one) => one !== base && ENGLISH.test(one)) ?? null }
}

export interface Spoken {
  /** In the base language, or the first that there is; '' where nothing is said. */
  readonly text: string
  readonly en: string | null
  /** What is said in other languages, by the titles of their columns. */
  readonly others: readonly { readonly title: string; readonly text: string }[]
}

/** What a column says, in plain text. Markup is taken away and reported. */
export function spokenIn(row: FormRow, name: string, { base, english }: Languages, report: Report): Spoken {
  const said = row.cells.filter(({ header }) => header.name === name)
  const own =
    said.find(({ header }) => header.language === base) ??
    said.find(({ header }) => header.language === '') ??
    said.find(({ header }) => header.language !== english) ??
    said[0]
  const other = said.find((one) => one !== own && one.header.language === english)
  const plain = (text: string) => {
    const unmarked = withoutMarkdown(text)
    if (hasMarkup(text) || unmarked !== text) report('label', 'markup-removed', text)
    return plainText(unmarked)
  }
  return {
    text: plain(own?.text ?? ''),
    en: other === undefined ? null : plain(other.text),
    // A column without a language beside one with the base language is kept as one of a language, as it would be taken
    // for the base's own.
    others: said.flatMap((one) =>
      one === own || one === other
        ? []
        : [{ title: one.header.language === '' ? `${name}::default` : one.header.title, text: one.text }],
    ),
  }
}

/** A text as it is said in both languages; null where nothing is said. */
export function bilingual({ text, en }: Spoken): BilingualText | null {
  if (text === '' && (en === null || en === '')) return null
  return { zh: text === '' ? (en ?? '') : text, ...(en === null || text === '' ? {} : { en }) }
}
