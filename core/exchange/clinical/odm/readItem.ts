import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import type { Field } from '#core/form/definition/page.ts'
import { MISSING_CODES, valueKind } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent, MissingReason } from '#core/sync/entryChange.ts'

import type { Annotation, AnnotationKind } from './annotations.ts'
import { OWN_LIST, annotationKinds } from './annotations.ts'
import { fitsDataType } from '#core/exchange/clinical/dataTypes.ts'
import { readValueTexts } from '#core/exchange/clinical/itemValue.ts'

/** Items and annotations as they come in. */

/** Annotations that we wrote: their flags are of lists of ours. */
export function ownAnnotations(element: XmlElement): readonly Annotation[] {
  return childrenOf(element, 'Annotation').flatMap((annotation): readonly Annotation[] => {
    const flag = childOf(annotation, 'Flag')
    const value = flag === null ? null : childOf(flag, 'FlagValue')
    const type = flag === null ? null : childOf(flag, 'FlagType')
    const named = type ?? value
    if (value === null || named === null || !OWN_LIST.test(attributeOf(named, 'CodeListOID'))) return []
    const kind = kindOf(deepText(named))
    const comment = childOf(annotation, 'Comment')
    return kind === null
      ? []
      : [{ kind, code: type === null ? null : deepText(value), comment: comment === null ? null : textOf(comment) }]
  })
}

/** In ODM 2.0 a comment holds its text in an element, with white space around it that means nothing. */
function textOf(comment: XmlElement): string {
  const text = childOf(comment, 'TranslatedText')
  return text === null ? comment.text : deepText(text)
}

function kindOf(text: string): AnnotationKind | null {
  return annotationKinds.find((kind) => kind === text) ?? null
}

/** The value that stands word for word in a comment; undefined where it is none. */
export function enteredValue(form: string | null, text: string): JsonValue | undefined {
  if (form !== 'json') return text
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

interface ReadContent {
  readonly content: ItemContent
  readonly problem: 'not-of-type' | 'annotation' | null
}

/** What an item holds: its texts in words of its field, or word for word as it was entered. */
export function contentOfItem(
  item: XmlElement,
  own: readonly Annotation[],
  field: Field,
  dataType: string,
  version: OdmVersion,
): ReadContent {
  const missing = missingOf(own)
  const entered = own.find(({ kind }) => kind === 'asEntered')
  const exact = entered === undefined ? undefined : enteredValue(entered.code, entered.comment ?? '')
  if (exact !== undefined) return { content: { value: exact, missing }, problem: null }
  const texts = textsOf(item)
  const problem = entered === undefined ? null : ('annotation' as const)
  if (texts.length === 0 || attributeOf(item, 'IsNull') === 'Yes') return { content: { value: null, missing }, problem }
  const value = readValueTexts(field, dataType, texts, version)
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const isNumber = valueKind(field) === 'number'
  const fits = isNumber ? typeof value === 'number' : texts.every((text) => fitsDataType(text, dataType, version))
  return {
    content: { value: isEmpty ? null : value, missing },
    problem: problem ?? (isEmpty || fits || (valueKind(field) !== 'text' && !isNumber) ? null : 'not-of-type'),
  }
}

function missingOf(own: readonly Annotation[]): MissingReason | null {
  const found = own.find(({ kind }) => kind === 'missing')
  const m = MISSING_CODES.find((code) => code === found?.code)
  return found === undefined || m === undefined ? null : { m, reason: found.comment ?? '' }
}

/** `Value` as an attribute, as elements, or the text of an item that has its type by its name. */
function textsOf(item: XmlElement): readonly string[] {
  const value = item.attributes.get('Value')
  if (value !== undefined) return [value]
  const values = childrenOf(item, 'Value')
  if (values.length > 0) {
    const place = (one: XmlElement) => Number(attributeOf(one, 'SeqNum') || 0)
    return values.toSorted((a, b) => place(a) - place(b)).map(deepText)
  }
  return item.name === 'ItemData' || item.text.trim() === '' ? [] : [item.text]
}
