import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { PlainNames } from '#core/exchange/xpath/writePlain.ts'
import type { BilingualText, CheckRule, Column } from '#core/form/definition/column.ts'

import { CodeLists, codeListElement } from './codeLists.ts'
import type { FindField } from './formulas/expressions.ts'
import { calculationOf, showOf, wrongOf } from './formulas/expressions.ts'
import { celExpression, writtenExpression } from './formulas/expressionElement.ts'
import type { FormalExpression } from './formulas/expressionElement.ts'
import type { RememberedExpression } from './formulas/rememberedExpression.ts'
import { readRemembered } from './formulas/rememberedExpression.ts'
import { KEPT_ATTRIBUTES, KEPT_TYPES, TRUE_FALSE, readItem } from './item.ts'
import type { Oids } from './oids.ts'
import type { RulePlace } from './otherWords.ts'
import { ItemPaths, conditionInOtherWords, methodInOtherWords } from './otherWords.ts'
import { ownAlias, sortedText, wordsBetween } from './ownWords.ts'
import { isPending, negateCel, writeRanges } from './ranges.ts'
import type { RangeStyle } from './ranges.ts'
import { textsElement } from './texts.ts'
import type { Units } from './version/units.ts'
import type { ItemOid } from './version/versionOids.ts'

/** Columns as items, with the lists, units, conditions and methods that they share. */

/** What an alias of ours says of a field, and no other system reads. */
export interface OwnWord {
  readonly what: string
  readonly text: string
}

export interface WrittenItem extends ItemOid {
  readonly conditionOid: string | undefined
  readonly methodOid: string | undefined
  readonly mandatory: boolean
  readonly ownWords: readonly OwnWord[]
}

/** Keys of words that only say how something is called or drawn here. */
const QUIET: ReadonlySet<string> = new Set([
  'prop',
  'span',
  'format',
  'valueFormat',
  'rules',
  'sourceOid',
  'kept',
  'placeholder',
  'widget',
  'label',
  'checks',
  'maxlength',
])

/** Types that another type stands for, but for how it is drawn. */
const DRAWN: ReadonlySet<unknown> = new Set(['radio', 'select', 'input', 'textarea'])

/** A condition or a method on its way into the file. */
interface WrittenRule {
  readonly oid: string
  readonly name: string
  /** Where the fields stand that have it. */
  readonly places: RulePlace[]
  readonly expression: () => readonly XmlElement[]
}

const NOWHERE: FindField = () => ({ where: 'nowhere', why: 'unknown-field' })
const noReport = () => undefined

interface Definition {
  readonly definition: XmlElement
  readonly words: ReturnType<typeof wordsBetween>
}

/** The definitions of items as they come up. */
export class ItemWriter {
  readonly items: XmlElement[] = []
  readonly #conditions: WrittenRule[] = []
  readonly #methods: WrittenRule[] = []
  readonly #paths: ItemPaths
  readonly #style: RangeStyle
  readonly #oids: Oids
  readonly #lists = new Map<string, XmlElement>()
  readonly #units: Units
  readonly #types = new Map<string, Omit<ItemOid, 'oid'>>()
  /** OIDs by what they define, so that what is the same is defined once. */
  readonly #known = new Map<string, string>()

  constructor(style: RangeStyle, oids: Oids, units: Units) {
    this.#style = style
    this.#oids = oids
    this.#units = units
    this.#paths = new ItemPaths(style.version)
  }

  /** To be asked for once all items are written, as a rule may name a later one. */
  get conditions(): readonly XmlElement[] {
    return this.#conditions.map(({ oid, name, expression }) =>
      element('ConditionDef', { OID: oid, Name: name }, expression()),
    )
  }

  get methods(): readonly XmlElement[] {
    return this.#methods.map(({ oid, name, expression }) =>
      element('MethodDef', { OID: oid, Name: name, Type: 'Computation' }, expression()),
    )
  }

  get codeLists(): readonly XmlElement[] {
    return [...this.#lists.values()]
  }

  /** Defines the item of a column where no column was the same. */
  write(column: Column, place: RulePlace): WrittenItem {
    const inRow = place.table !== ''
    const conditionOid = this.condition(column, place)
    const methodOid = this.#method(column, place)
    const mandatory = column.required === true || (column.rules ?? []).some(({ required }) => required === true)
    const reference = element('ItemRef', { Mandatory: mandatory ? 'Yes' : 'No' })
    const writeDefinition = (oid: string) => this.#definition(column, inRow, oid, reference)
    const wanted = column.zl?.sourceOid ?? column.prop
    const { words } = writeDefinition(wanted)
    const oid = this.#once(`item ${sortedText([itemPart(column), words, inRow])}`, () => {
      const taken = this.#oids.take(wanted, true)
      const { definition } = writeDefinition(taken)
      this.items.push(definition)
      this.#types.set(taken, this.#typeOfData(definition))
      return taken
    })
    this.#paths.add(place, column.prop, oid)
    const type = this.#types.get(oid) ?? { dataType: 'text', codes: null }
    return { oid, ...type, conditionOid, methodOid, mandatory, ownWords: spokenWords(words) }
  }

  #typeOfData(item: XmlElement): Omit<ItemOid, 'oid'> {
    const reference = childOf(item, 'CodeListRef')
    const list = reference === null ? undefined : this.#lists.get(attributeOf(reference, 'CodeListOID'))
    const codes =
      list === undefined
        ? null
        : new Set(childrenOf(list, 'CodeListItem').map((choice) => attributeOf(choice, 'CodedValue')))
    return { dataType: attributeOf(item, 'DataType'), codes }
  }

  /** The condition by which a field or a table is not asked for; undefined for one that always is. */
  condition({ prop, zl = {} }: Column, place: RulePlace): string | undefined {
    const kept = zl.show === undefined ? readRemembered(zl.kept?.['odm.Condition']) : null
    if (zl.show === undefined && kept === null) return undefined
    const { show = '' } = zl
    return this.#rule('C', this.#conditions, show, kept, place, (places) =>
      this.#inAllWords(negateCel(show), conditionInOtherWords(show, prop, places)),
    )
  }

  #method({ type, zl = {} }: Column, place: RulePlace): string | undefined {
    const kept = zl.calculate === undefined ? readRemembered(zl.kept?.['odm.Method']) : null
    if (zl.calculate === undefined && kept === null) return undefined
    const { calculate = '' } = zl
    return this.#rule('M', this.#methods, calculate, kept, place, (places) =>
      this.#inAllWords(calculate, methodInOtherWords(calculate, type === 'number', places)),
    )
  }

  /** One definition for all fields with the same rule. */
  #rule(
    letter: string,
    rules: WrittenRule[],
    cel: string,
    kept: RememberedExpression | null,
    place: RulePlace,
    write: (places: readonly PlainNames[]) => readonly XmlElement[],
  ): string {
    const places: RulePlace[] = []
    const oid = this.#once(`${letter} ${kept === null ? cel : JSON.stringify(kept)}`, () => {
      const taken = this.#oids.take(`${letter}.${rules.length + 1}`)
      const expression = () => (kept === null ? write(places.map((one) => this.#paths.namesAt(one))) : this.#kept(kept))
      rules.push({ oid: taken, name: kept === null || kept.name === '' ? taken : kept.name, places, expression })
      return taken
    })
    rules.find((rule) => rule.oid === oid)?.places.push(place)
    return oid
  }

  /** In our own language, then in those that others read. */
  #inAllWords(cel: string, others: readonly FormalExpression[]): readonly XmlElement[] {
    return this.#expression(cel, [
      ...celExpression(cel, this.#style),
      ...others.flatMap((one) => writtenExpression(one, this.#style, 'check')),
    ])
  }

  #kept({ context, text }: { readonly context: string; readonly text: string }): readonly XmlElement[] {
    if (context !== '') return this.#expression(text, writtenExpression({ context, text }, this.#style))
    return this.#expression(text, this.#style.version === '2.0' ? [element('MethodSignature')] : [])
  }

  /** Every expression is described; by itself where nobody did. */
  #expression(text: string, expression: readonly XmlElement[]): readonly XmlElement[] {
    return [textsElement('Description', { zh: text }, this.#style), ...expression]
  }

  #definition(column: Column, inRow: boolean, oid: string, reference: XmlElement): Definition {
    const plain = this.#item(column, inRow, oid, [])
    const read = this.#readAgain(plain, reference, column, inRow)
    const words = wordsBetween(read, column)
    const all = { ...words, ...(oid === column.prop ? {} : { prop: column.prop }) }
    if (Object.keys(all).length === 0) return { definition: plain, words }
    return { definition: this.#item(column, inRow, oid, [ownAlias({ column: all })]), words }
  }

  #item(column: Column, inRow: boolean, oid: string, own: readonly XmlElement[]): XmlElement {
    const { label, zl = {} } = column
    const { version } = this.#style
    const kept = new Map(Object.entries(zl.kept ?? {}))
    const of = (prefix: string) =>
      [...kept].flatMap(([key, text]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), text] as const] : []))
    const list = this.#list(column)
    const note =
      zl.note === undefined
        ? []
        : [
            textsElement(
              version === '2.0' ? 'CRFCompletionInstructions' : 'Description',
              { zh: zl.note, ...(zl.noteEn === undefined ? {} : { en: zl.noteEn }) },
              this.#style,
            ),
          ]
    const texts: BilingualText = zl.labels ?? { zh: label }
    const question = texts.zh === '' ? [] : [textsElement('Question', texts, this.#style, of('odm.Question.'))]
    const unit =
      zl.unit === undefined || version === '2.0'
        ? []
        : [element('MeasurementUnitRef', { MeasurementUnitOID: this.#units.define(zl.unit, zl.unitEn) })]
    return element(
      'ItemDef',
      {
        OID: oid,
        Name: kept.get('odm.Name') || oid,
        ...this.#typeOf(column, list !== null),
        ...this.#keptAttributes(kept),
      },
      [
        ...(version === '2.0' ? [...question, ...note] : [...note, ...question]),
        ...unit,
        ...writeRanges(column, inRow, this.#style),
        ...(list === null ? [] : [element('CodeListRef', { CodeListOID: list })]),
        ...of('odm.Alias.').map(([context, name]) => element('Alias', { Context: context, Name: name })),
        ...own,
      ],
    )
  }

  #typeOf(column: Column, hasList: boolean): Readonly<Record<string, string | undefined>> {
    const { zl = {}, dicData = [], maxlength } = column
    const kept = /^[1-9]\d{0,8}$/.test(zl.kept?.['odm.Length'] ?? '') ? zl.kept?.['odm.Length'] : undefined
    if (hasList)
      return {
        DataType: dicData.every(({ value }) => /^-?\d{1,15}$/.test(String(value))) ? 'integer' : 'text',
        Length: kept,
      }
    switch (column.type) {
      case 'number':
      case 'slider': {
        if (zl.precision === 0) return { DataType: 'integer', Length: kept }
        const digits = zl.precision === undefined ? undefined : String(zl.precision)
        if (this.#style.version === '1.3.2') return { DataType: 'float', Length: kept, SignificantDigits: digits }
        return { DataType: 'float', Length: kept, DisplayFormat: digits === undefined ? undefined : `.${digits}` }
      }
      case 'date':
        return { DataType: zl.partial === undefined ? 'date' : 'partialDate', Length: kept }
      case 'week':
        return { DataType: 'date' }
      case 'year':
      case 'month':
        return { DataType: 'partialDate' }
      case 'time':
        return { DataType: 'time', Length: kept }
      case 'datetime':
        return { DataType: 'datetime', Length: kept }
      case 'radio':
        return { DataType: isTrueFalse(column) ? 'boolean' : 'text', Length: kept }
      case 'input':
      case 'textarea':
      case 'autocomplete': {
        const dataType = zl.kept?.['odm.DataType'] ?? 'text'
        if (KEPT_TYPES.has(dataType) && dataType !== 'string') return { DataType: dataType, Length: kept }
        return {
          DataType: dataType === 'string' ? dataType : 'text',
          Length:
            maxlength !== undefined && Number.isInteger(maxlength) && maxlength > 0 ? String(maxlength) : undefined,
        }
      }
      case 'select':
      case 'checkbox':
      case 'array':
      case 'url':
      case 'upload':
      case 'dynamic':
      case 'table':
      case 'cascader':
      case 'tree':
      case 'daterange':
      case 'timerange':
      case 'datetimerange':
      case 'title':
        return { DataType: 'text' }
    }
  }

  #keptAttributes(kept: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
    const isSas = (key: string) => key === 'SASFieldName' || key === 'SDSVarName'
    const written = KEPT_ATTRIBUTES.flatMap((key) => {
      const value = kept.get(`odm.${key}`)
      const isOfVersion = (this.#style.version === '2.0') === (key === 'DisplayFormat' || key === 'VariableSet')
      return value === undefined || !isOfVersion || (isSas(key) && !/^[A-Za-z_][A-Za-z0-9_]{0,7}$/.test(value))
        ? []
        : [[key, value] as const]
    })
    return Object.fromEntries(written)
  }

  #list({ prop, type, dicData = [], ...column }: Column): string | null {
    if (
      (type !== 'radio' && type !== 'select' && type !== 'checkbox') ||
      dicData.length === 0 ||
      isTrueFalse({ ...column, prop, type, dicData })
    )
      return null
    const items = [...new Map(dicData.toReversed().map((item) => [String(item.value), item])).values()].toReversed()
    return this.#once(`list ${sortedText(items)}`, () => {
      const oid = this.#oids.take(`CL.${prop}`)
      this.#lists.set(oid, codeListElement(oid, oid, items, this.#style))
      return oid
    })
  }

  /** What a reader makes of an item before it looks at words of our own. */
  #readAgain(item: XmlElement, reference: XmlElement, { prop, zl = {} }: Column, inRow: boolean): Column {
    const surroundings = { codeLists: new CodeLists(this.#lists, () => noReport), units: this.#units.byOid }
    const { column, checks } = readItem(item, reference, { prop, inRow, report: noReport }, surroundings)
    const rules = checks.flatMap((check): readonly CheckRule[] => {
      if (!isPending(check)) return [check]
      const { expressions, ...words } = check
      const wrong = wrongOf(expressions, NOWHERE)
      return wrong.ok ? [{ ...words, when: wrong.cel }] : []
    })
    const style = this.#style
    const show =
      zl.show === undefined
        ? null
        : showOf(element('ConditionDef', {}, celExpression(negateCel(zl.show), style)), NOWHERE)
    const calculate =
      zl.calculate === undefined
        ? null
        : calculationOf(element('MethodDef', {}, celExpression(zl.calculate, style)), NOWHERE)
    const keptRules = Object.fromEntries(
      (['odm.Condition', 'odm.Method'] as const).flatMap((key) => {
        const isWritten =
          (key === 'odm.Condition' ? zl.show : zl.calculate) === undefined && readRemembered(zl.kept?.[key]) !== null
        return isWritten ? [[key, zl.kept?.[key] ?? '']] : []
      }),
    )
    const kept = { ...column.zl?.kept, ...keptRules }
    const all = {
      ...column.zl,
      ...(show?.ok === true ? { show: show.cel } : {}),
      ...(calculate?.ok === true ? { calculate: calculate.cel } : {}),
      ...(rules.length === 0 ? {} : { checks: rules }),
      ...(Object.keys(kept).length === 0 ? {} : { kept }),
    }
    return { ...column, ...(Object.keys(all).length === 0 ? {} : { zl: all }) }
  }

  #once(key: string, make: () => string): string {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const oid = make()
    this.#known.set(key, oid)
    return oid
  }
}

/**
 * A column without what a reference to its item says: the same item may be asked for elsewhere under another condition.
 */
function itemPart({ required: _required, rules: _rules, zl = {}, ...column }: Column): unknown {
  const { show: _show, calculate: _calculate, ...rest } = zl
  return { ...column, zl: rest }
}

function isTrueFalse({ type, dicData, zl }: Column): boolean {
  return type === 'radio' && zl?.widget === 'yesno' && sortedText(dicData) === sortedText(TRUE_FALSE)
}

/** Words that mean something beyond how a field is drawn, each by itself. */
export function spokenWords(words: Readonly<Record<string, unknown>> | null): readonly OwnWord[] {
  if (words === null) return []
  const { zl, ...rest } = words
  const all = [...Object.entries(rest), ...(typeof zl === 'object' && zl !== null ? Object.entries(zl) : [])]
  const isQuiet = (what: string, value: unknown) =>
    QUIET.has(what) || value === null || (what === 'type' && DRAWN.has(value))
  return all.flatMap(([what, value]) =>
    isQuiet(what, value) ? [] : [{ what, text: typeof value === 'string' ? value : JSON.stringify(value) }],
  )
}
