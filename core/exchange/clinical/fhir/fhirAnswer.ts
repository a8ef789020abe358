import type { Choice } from '#core/form/definition/choiceLists.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isRange } from '#core/form/definition/page.ts'
import { isList, valueKind } from '#core/form/definition/value.ts'
import { fileReference } from '#core/files/reference.ts'
import type { JsonValue } from '#core/json.ts'

import { fitsDataType, isXmlText } from '#core/exchange/clinical/dataTypes.ts'
import { jsonText, partsOf } from '#core/exchange/clinical/itemValue.ts'

/** Values of fields as answers of FHIR R4, in the types that a questionnaire has. */

/** `answer` of an item, with one key. */
export type FhirAnswer = Readonly<Record<string, JsonValue>>

export interface FhirAnswers {
  readonly answers: readonly FhirAnswer[]
  readonly problem: 'not-of-type' | 'not-in-list' | 'not-of-item' | null
}

/** Most of an integer in FHIR. */
const MAX_INTEGER = 2_147_483_647

/**
 * The answers of a field with a value, never none. What its type does not take is a text, and told of; so is what FHIR
 * has no type for: ranges, paths, and a time of a day, which FHIR has with its zone only.
 *
 * @param system of the codes of its choices
 */
export function fhirAnswers(field: Field, value: JsonValue, system: string): FhirAnswers {
  if (field.type === 'number' || (field.type === 'slider' && !isRange(field)))
    return typeof value === 'number' ? oneAnswer(numberOf(field, value)) : asText(value, 'not-of-type')
  if (valueKind(field) === 'files') return isList(value) ? files(value) : asText(value, 'not-of-type')
  const parts = partsOf(field, 'text', value)
  if (parts === null) return asText(value, 'not-of-type')
  if (isRange(field) || valueKind(field) === 'paths' || (field.type === 'cascader' && !field.lastStep))
    return { answers: parts.map(stringOf), problem: 'not-of-item' }
  if (field.choices.length > 0 && !isTextType(field)) return answersOfChoices(field, parts, system)
  switch (field.type) {
    case 'date':
    case 'week':
    case 'year':
    case 'month':
      if (field.monthOfYear) return { answers: parts.map(stringOf), problem: 'not-of-item' }
      return answersOfType('valueDate', 'partialDate', parts)
    case 'time':
      return answersOfType(
        'valueTime',
        'time',
        parts.map((part) => (/^\d\d:\d\d$/.test(part) ? `${part}:00` : part)),
      )
    case 'datetime':
      return { answers: parts.map(stringOf), problem: 'not-of-item' }
    case 'url':
      return parts.every((part) => part !== '' && !/\s/.test(part))
        ? { answers: parts.map((valueUri) => ({ valueUri })), problem: null }
        : { answers: parts.map(stringOf), problem: 'not-of-type' }
    case 'title':
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'upload':
    case 'array':
    case 'dynamic':
    case 'radio':
    case 'checkbox':
    case 'select':
    case 'cascader':
    case 'tree':
    case 'slider':
    case 'daterange':
    case 'timerange':
    case 'datetimerange':
    case 'table':
      return { answers: parts.map(stringOf), problem: null }
  }
}

/** Types whose value is words, whatever they offer. */
function isTextType({ type }: Field): boolean {
  return type === 'input' || type === 'autocomplete' || type === 'textarea'
}

function numberOf({ unit, precision }: Field, value: number): FhirAnswer {
  if (unit !== null && unit.trim() !== '') return { valueQuantity: { value, unit } }
  const isInteger = precision === 0 && Number.isInteger(value) && Math.abs(value) <= MAX_INTEGER
  return isInteger ? { valueInteger: value } : { valueDecimal: value }
}

function answersOfType(key: 'valueDate' | 'valueTime', dataType: string, parts: readonly string[]): FhirAnswers {
  return parts.every((part) => fitsDataType(part, dataType, '2.0'))
    ? { answers: parts.map((part) => ({ [key]: part })), problem: null }
    : { answers: parts.map(stringOf), problem: 'not-of-type' }
}

function answersOfChoices(field: Field, parts: readonly string[], system: string): FhirAnswers {
  const labels = new Map<string, string>()
  const add = (choices: readonly Choice[]) => {
    for (const choice of choices) {
      labels.set(choice.value, choice.label)
      add(choice.children)
    }
  }
  add(field.choices)
  const isYesNo = field.widget === 'yesno' && parts.every((part) => part === '1' || part === '0')
  if (isYesNo) return { answers: parts.map((part) => ({ valueBoolean: part === '1' })), problem: null }
  const isCode = (part: string) => labels.has(part) && /^\S+(\s\S+)*$/.test(part)
  return {
    answers: parts.map((code) => {
      if (!isCode(code)) return stringOf(code)
      const display = labels.get(code) ?? ''
      return { valueCoding: { system, code, ...(display.trim() === '' ? {} : { display }) } }
    }),
    problem: parts.every(isCode) ? null : 'not-in-list',
  }
}

function files(value: readonly JsonValue[]): FhirAnswers {
  return {
    answers: value.map((file) => {
      const read = fileReference.safeParse(file)
      if (!read.success) return stringOf(typeof file === 'string' ? file : jsonText(file))
      const { id, name, type, size } = read.data
      const titled = name.trim() === '' ? {} : { title: name }
      return { valueAttachment: { contentType: type, url: `urn:uuid:${id}`, size, ...titled } }
    }),
    problem: null,
  }
}

function asText(value: JsonValue, problem: FhirAnswers['problem']): FhirAnswers {
  return { answers: [stringOf(typeof value === 'string' ? value : jsonText(value))], problem }
}

/** FHIR has no text without a letter in it; such a one is said as JSON. */
function stringOf(text: string): FhirAnswer {
  return { valueString: text.trim() === '' || !isXmlText(text) ? jsonText(text) : text }
}

function oneAnswer(answer: FhirAnswer): FhirAnswers {
  return { answers: [answer], problem: null }
}
