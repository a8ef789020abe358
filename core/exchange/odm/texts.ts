import type { Report } from '#core/exchange/definition.ts'
import { hasMarkup, plainText } from '#core/exchange/redcap/text.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { BilingualText } from '#core/form/definition/column.ts'

/** Texts of ODM in several languages, as the two that a definition has here; and the way back. */

export interface ReadTexts {
  /** In Chinese where there is Chinese; else as it is, and without one in English too. */
  readonly main: string
  /** In English, where `main` is not. */
  readonly en: string | null
  /** Texts of other languages, by language. */
  readonly others: readonly (readonly [language: string, text: string])[]
}

/**
 * Texts of `Question`, `Description`, `Decode` and the like; null where there are none. Markup is taken out and
 * reported.
 */
export function readTexts(holder: XmlElement | null, report: Report): ReadTexts | null {
  if (holder === null) return null
  const found = new Map<string, string>()
  // ODM 2.0 may say the same twice, as plain text and with markup.
  for (const one of childrenOf(holder, 'TranslatedText').toSorted((a, b) => Number(isRich(a)) - Number(isRich(b)))) {
    const language = attributeOf(one, 'xml:lang')
    const source = deepText(one)
    const text = plainText(withoutIndent(source))
    if (text === '' || found.has(language)) continue
    if (hasMarkup(source)) report('label', 'markup-removed', source)
    found.set(language, text)
  }
  const [zh, en, plain] = [keyOf(found, 'zh'), keyOf(found, 'en'), found.has('') ? '' : undefined]
  const mainKey = zh ?? plain ?? en ?? [...found.keys()][0]
  const main = mainKey === undefined ? undefined : found.get(mainKey)
  if (main === undefined) return null
  return {
    main,
    en: en === undefined || en === mainKey ? null : (found.get(en) ?? null),
    others: [...found].filter(([language]) => language !== mainKey && language !== en),
  }
}

/** The text in both languages; those of others are reported. */
export function readBothTexts(holder: XmlElement | null, report: Report): ReadTexts | null {
  const texts = readTexts(holder, report)
  for (const [, text] of texts?.others ?? []) report('label', 'other-language', text)
  return texts
}

/** Both languages where there are two. */
export function bilingualOf({ main, en }: ReadTexts): BilingualText {
  return en === null ? { zh: main } : { zh: main, en }
}

/** How texts are written: ODM 2.0 says what kind of text each is. */
export interface TextStyle {
  readonly type?: 'text/plain'
}

/** A holder of texts, `Question` and the like. What no language is known of is written without one. */
export function textsElement(
  name: string,
  { zh, en }: BilingualText,
  { type }: TextStyle,
  others: readonly (readonly [string, string])[] = [],
): XmlElement {
  const one = (language: string | undefined, text: string) =>
    element('TranslatedText', { 'xml:lang': language, Type: type }, text)
  return element(name, {}, [
    one(languageOf(zh), zh),
    ...(en === undefined ? [] : [one('en', en)]),
    ...others.map(([language, text]) => one(language, text)),
  ])
}

/** A text without words of Chinese may be of any language. */
function languageOf(text: string): string | undefined {
  return /\p{Script=Han}/u.test(text) ? 'zh' : undefined
}

function keyOf(texts: ReadonlyMap<string, string>, language: string): string | undefined {
  return [...texts.keys()].find((key) => key.toLowerCase().split(/[-_]/)[0] === language)
}

function isRich(one: XmlElement): boolean {
  const type = attributeOf(one, 'Type')
  return type !== '' && type !== 'text/plain'
}

/** A line that goes on indented was broken by whoever laid out the file. */
function withoutIndent(text: string): string {
  return text.trim().replace(/\r?\n[ \t]+(?=\S)/g, ' ')
}
