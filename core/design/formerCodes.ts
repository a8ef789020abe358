import type { Raw } from '#core/form/definition/option.ts'
import { isRecord } from '#core/form/definition/option.ts'

import type { DesignColumn } from './design.ts'

/**
 * Codes that a field or a choice had before a designer gave it another. They are kept in the definition itself, so that
 * they follow it everywhere (saving, undo, joining with a colleague, a template, a file of our own). From them a
 * release proposes what was entered under which code (docs/adr/0029-designer.md).
 */

/** How many former codes of one thing are kept: the latest. */
const MOST = 8

/** The former codes of a field, the latest last. */
export function formerCodesOf({ zl }: DesignColumn): readonly string[] {
  return isRecord(zl) ? texts(zl.was) : []
}

/** The former values of a choice, as it is stored. */
export function formerValuesOf(item: Raw): readonly string[] {
  return texts(item.was)
}

/** A field under another code, with its former code added. */
export function withCode(column: DesignColumn, code: string): DesignColumn {
  const was = rememberCode(formerCodesOf(column), column.prop, code)
  return { ...column, prop: code, zl: { ...(isRecord(column.zl) ? column.zl : {}), was } }
}

/** A choice under another value, with its former value added. */
export function withValue(item: Raw, before: string, value: string): Raw {
  return { ...item, value, ...(before === '' ? {} : { was: rememberCode(formerValuesOf(item), before, value) }) }
}

/** A copy of a field is another field: it has no former codes. */
export function withoutFormerCodes(column: DesignColumn): DesignColumn {
  if (!isRecord(column.zl) || column.zl.was === undefined) return column
  const { was: _, ...zl } = column.zl
  const { zl: _own, ...rest } = column
  return Object.keys(zl).length === 0 ? { ...rest, prop: column.prop } : { ...column, zl }
}

function rememberCode(former: readonly string[], before: string, now: string): readonly string[] {
  return [...former.filter((code) => code !== before && code !== now), before].slice(-MOST)
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
