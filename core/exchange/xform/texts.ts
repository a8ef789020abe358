import type { FormRow } from '#core/exchange/xlsform/table.ts'

import type { XmlNode } from './tree.ts'
import { attribute, elementsOf, textIn } from './tree.ts'

/** Texts of an XForm: written where they are shown, or by an id in each of its languages. */
export class Texts {
  readonly languages: readonly string[]
  /** The language that is marked as the form's own; '' without one. */
  readonly own: string
  readonly #byId = new Map<
    string,
    { readonly language: string; readonly name: string | null; readonly text: string }[]
  >()

  constructor(model: XmlNode) {
    const translations = elementsOf(model, 'itext').flatMap((itext) => elementsOf(itext, 'translation'))
    this.languages =
      translations.length === 0 ? [''] : translations.map((translation) => attribute(translation, 'lang'))
    this.own = attribute(translations.find((translation) => attribute(translation, 'default') !== '') ?? model, 'lang')
    for (const translation of translations) {
      for (const text of elementsOf(translation, 'text')) {
        const id = attribute(text, 'id')
        const said = this.#byId.get(id) ?? []
        this.#byId.set(id, said)
        for (const value of elementsOf(text, 'value'))
          said.push({
            language: attribute(translation, 'lang'),
            name: attribute(value, 'form') || null,
            text: writeText(value),
          })
      }
    }
  }

  /** What an element says, as cells of a row. */
  ofElement(name: string, element: XmlNode): FormRow['cells'] {
    const ref = attribute(element, 'ref')
    return ref === '' ? [plain(name, '', writeText(element))] : this.cells(name, ref)
  }

  /** What an attribute says: an id of texts, or the text itself. */
  cells(name: string, text: string): FormRow['cells'] {
    const id = /^\s*jr:itext\(\s*['"](.*)['"]\s*\)\s*$/s.exec(text)?.[1]
    if (id === undefined) return text === '' ? [] : [plain(name, '', text)]
    return (this.#byId.get(id) ?? []).map(({ language, name: form, text: said }) =>
      plain(
        form === null || form === 'long'
          ? name
          : form === 'guidance'
            ? 'guidance_hint'
            : form === 'short'
              ? `${name}_short`
              : form,
        language,
        said,
      ),
    )
  }
}

function plain(name: string, language: string, text: string): FormRow['cells'][number] {
  return { header: { name, language, title: language === '' ? name : `${name}::${language}` }, text }
}

/** A text with the values that it shows, in the words of an XLSForm. */
function writeText(element: XmlNode): string {
  return textIn(element, (child) =>
    child.name === 'output'
      ? `\${${(attribute(child, 'value') || attribute(child, 'ref')).trim().split('/').at(-1) ?? ''}}`
      : writeText(child),
  )
}
