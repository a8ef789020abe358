import type { CheckRule, Column, FieldExtension } from '#core/form/definition/column.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { readPage } from '#core/form/definition/page.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'

import { OWN_CONTEXT } from './namespaces.ts'

/**
 * What ODM has no word for, in an alias of our own: the difference between a column and what a reader makes of the rest
 * of its definition. Other systems pass an alias on; what they change in words that ODM does have is read as they
 * changed it.
 */

type Words = Readonly<Record<string, unknown>>

/** Keys of a column that an alias may set: all that a column has. */
const COLUMN_KEYS: ReadonlySet<string> = new Set<keyof Column>([
  'prop',
  'label',
  'type',
  'span',
  'display',
  'addDisplay',
  'editDisplay',
  'viewDisplay',
  'disabled',
  'addDisabled',
  'editDisabled',
  'readonly',
  'required',
  'value',
  'rules',
  'dicData',
  'props',
  'emitPath',
  'parent',
  'multiple',
  'range',
  'dataType',
  'separator',
  'maxlength',
  'min',
  'max',
  'step',
  'precision',
  'placeholder',
  'format',
  'valueFormat',
  'children',
  'accept',
  'limit',
  'fileSize',
  'dicUrl',
  'remote',
  'filterable',
  'cascader',
  'unique',
  'encode',
  'fkCrfPageId',
  'fkCrfPageColumn',
  'groupPropId',
])
const EXTENSION_KEYS: ReadonlySet<string> = new Set<keyof FieldExtension>([
  'show',
  'require',
  'readOnlyWhen',
  'calculate',
  'checks',
  'unit',
  'min',
  'max',
  'plausible',
  'reference',
  'partial',
  'precision',
  'validation',
  'widget',
  'sourceOid',
  'matrix',
  'identifier',
  'rowKey',
  'labels',
  'note',
  'noteEn',
  'marks',
  'marksEn',
  'unitEn',
  'placeholderEn',
  'pipes',
  'kept',
])

/** An alias that holds words of our own. */
export function ownAlias(words: Words): XmlElement {
  return element('Alias', { Context: OWN_CONTEXT, Name: JSON.stringify(words) })
}

/** Words of our own that a definition holds; none where it has no such alias, or one that is not ours after all. */
export function ownWordsOf(definition: XmlElement): Words {
  const alias = childrenOf(definition, 'Alias').find((one) => attributeOf(one, 'Context') === OWN_CONTEXT)
  if (alias === undefined) return {}
  try {
    const words: unknown = JSON.parse(attributeOf(alias, 'Name'))
    return isRecord(words) ? words : {}
  } catch {
    return {}
  }
}

/**
 * What a column says that the one that was read from its definition does not; null where they say the same. What is to
 * be taken away is null.
 */
export function wordsBetween(read: Column, wanted: Column): Words | null {
  const { zl: readZl = {}, ...readRest } = read
  const { zl: wantedZl = {}, ...wantedRest } = wanted
  const checks = checkWords(readZl.checks, wantedZl.checks)
  const zl = difference(
    { ...readZl, ...(checks === null ? {} : { checks: [] }) },
    { ...wantedZl, ...(checks === null ? {} : { checks: [] }) },
  )
  const words = {
    ...difference(readRest, wantedRest),
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
    ...(checks === null || checks.length === 0 ? {} : { checks }),
  }
  return Object.keys(words).length === 0 ? null : words
}

function difference(read: object, wanted: object): Words {
  const [before, after] = [
    new Map<string, unknown>(Object.entries(read)),
    new Map<string, unknown>(Object.entries(wanted)),
  ]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => sortedText(before.get(key)) !== sortedText(after.get(key)),
  )
  return Object.fromEntries(changed.map((key) => [key, after.get(key) ?? null]))
}

/** Names and severities of checks, where nothing else of them differs; null where something does. */
function checkWords(
  read: readonly CheckRule[] = [],
  wanted: readonly CheckRule[] = [],
): readonly (readonly [id: string, severity: string])[] | null {
  const isSame = (check: CheckRule, at: number) =>
    read[at]?.when === check.when && sortedText(read[at].message) === sortedText(check.message)
  if (read.length !== wanted.length || !wanted.every(isSame)) return null
  const named = wanted.every(({ id, severity }, at) => read[at]?.id === id && read[at].severity === severity)
  return named ? [] : wanted.map(({ id, severity }) => [id, severity])
}

/** A column with the words of its alias. Null where that is no column any more: the alias was not written for it. */
export function withOwnWords(read: Column, words: Words): Column | null {
  const { zl: readZl = {}, ...readRest } = read
  const zl = applyWords(
    { ...readZl, ...nameChecks(readZl.checks, words['checks']) },
    isRecord(words['zl']) ? words['zl'] : {},
    EXTENSION_KEYS,
  )
  const rest = applyWords(readRest, words, COLUMN_KEYS)
  const column = { ...rest, ...(Object.keys(zl).length === 0 ? {} : { zl }) }
  return isColumn(column) && readPage({ column: [column] }).ok ? column : null
}

function nameChecks(checks: readonly CheckRule[] = [], names: unknown): { readonly checks?: readonly CheckRule[] } {
  if (checks.length === 0) return {}
  if (!Array.isArray(names) || names.length !== checks.length) return { checks }
  return {
    checks: checks.map((check, at) => {
      const name: unknown = names[at]
      if (!Array.isArray(name)) return check
      const parts: readonly unknown[] = name
      const [id, severity] = parts
      return {
        ...check,
        ...(typeof id === 'string' && id !== '' ? { id } : {}),
        ...(isSeverity(severity) ? { severity } : {}),
      }
    }),
  }
}

function isSeverity(value: unknown): value is CheckRule['severity'] {
  return value === 'error' || value === 'warning' || value === 'query'
}

function applyWords(read: object, words: Words, keys: ReadonlySet<string>): Words {
  const all = new Map<string, unknown>(Object.entries(read))
  for (const [key, value] of Object.entries(words)) {
    if (!keys.has(key)) continue
    if (value === null) all.delete(key)
    else all.set(key, value)
  }
  return Object.fromEntries(all)
}

/** What a page can be read of is a column; the rest of its keys are looked at with care wherever they are used. */
function isColumn(column: Words): column is Words & Column {
  return typeof column['prop'] === 'string' && typeof column['label'] === 'string' && typeof column['type'] === 'string'
}

/** One text for values that say the same, in whatever order their keys are. */
export function sortedText(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) =>
      isRecord(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
    ) ?? ''
  )
}
