import type { Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { DictionaryItem } from '#core/form/definition/column.ts'

import { inOrder } from './source.ts'
import type { TextStyle } from './texts.ts'
import { readTexts, textsElement } from './texts.ts'

/** Code lists as choices. A list is read once, however many fields use it. */

export interface ReadCodeList {
  readonly items: readonly DictionaryItem[]
  /** The dictionary that the codes are kept in elsewhere; null for a list that is written down. */
  readonly external: string | null
}

/** Reports what is lost of a list; field and line are those of the list. */
export type ListReport = (list: XmlElement) => Report

export class CodeLists {
  readonly #elements: ReadonlyMap<string, XmlElement>
  readonly #report: ListReport
  readonly #read = new Map<string, ReadCodeList | null>()
  readonly #multi: ReadonlyMap<string, XmlElement>

  /** @param multi lists of OpenClinica, of which several may be chosen */
  constructor(
    elements: ReadonlyMap<string, XmlElement>,
    report: ListReport,
    multi: ReadonlyMap<string, XmlElement> = new Map(),
  ) {
    this.#elements = elements
    this.#report = report
    this.#multi = multi
  }

  /** The list of OpenClinica of that name; null where the file has none. */
  multi(id: string): ReadCodeList | null {
    const list = this.#multi.get(id)
    if (list === undefined) return null
    const items = list.children.filter(({ name }) => name === 'MultiSelectListItem')
    return { items: choicesOf(items, this.#report(list)), external: null }
  }

  /** The list of that OID; null where the file has none. */
  of(oid: string): ReadCodeList | null {
    const known = this.#read.get(oid)
    if (known !== undefined) return known
    const list = this.#elements.get(oid)
    const read = list === undefined ? null : readCodeList(list, this.#report(list))
    this.#read.set(oid, read)
    return read
  }
}

function readCodeList(list: XmlElement, report: Report): ReadCodeList {
  const external = childOf(list, 'ExternalCodeList')
  if (external !== null) {
    const dictionary = [attributeOf(external, 'Dictionary'), attributeOf(external, 'Version')]
      .filter((text) => text !== '')
      .join(' ')
    report('choices', 'query-of-source-system', dictionary)
    return { items: [], external: dictionary }
  }
  return {
    items: choicesOf(inOrder([...childrenOf(list, 'CodeListItem'), ...childrenOf(list, 'EnumeratedItem')]), report),
    external: null,
  }
}

function choicesOf(elements: readonly XmlElement[], report: Report): readonly DictionaryItem[] {
  const seen = new Set<string>()
  return elements.flatMap((one): readonly DictionaryItem[] => {
    const value = attributeOf(one, 'CodedValue') || attributeOf(one, 'CodedOptionValue')
    const texts = readTexts(one.children.find(({ name }) => name === 'Decode') ?? childOf(one, 'Description'), report)
    for (const [, text] of texts?.others ?? []) report('label', 'other-language', `${value}, ${text}`)
    const label = texts?.main ?? value
    if (seen.has(value)) {
      report('choices', 'duplicate-choice', `${value}, ${label}`)
      return []
    }
    seen.add(value)
    return [{ value, label, ...(texts === null || texts.en === null ? {} : { labelEn: texts.en }) }]
  })
}

/** Choices as a code list; one that is no longer offered, and those below others, are in no code list. */
export function codeListElement(
  oid: string,
  name: string,
  items: readonly DictionaryItem[],
  style: TextStyle,
): XmlElement {
  const isInteger = items.every(({ value }) => /^-?\d{1,15}$/.test(String(value)))
  const choices = items.map(({ value, label, labelEn }, at) => {
    const decode = textsElement('Decode', labelEn === undefined ? { zh: label } : { zh: label, en: labelEn }, style)
    return element('CodeListItem', { CodedValue: String(value), OrderNumber: String(at + 1) }, [decode])
  })
  return element('CodeList', { OID: oid, Name: name, DataType: isInteger ? 'integer' : 'text' }, choices)
}
