import type { Environment } from '@marcbachmann/cel-js'

import { asNumber, asText, asTruth } from './xpathValues.ts'
import { xpathNumber } from './xpathNumbers.ts'
import { xpathString, xpathTest, xpathValue } from './xpathTexts.ts'

/**
 * Functions into which imported XPath (XLSForm, ODK XForms) is translated. A blank is '', and as a number NaN: no
 * comparison by order holds with it, but `!=` does. Two values are compared as numbers where one of them is a number,
 * as truth values where one is a truth value, else as text (docs/adr/0027-xlsform.md).
 */

/** Adds the functions named `xp…` to a CEL environment. */
export function registerXPathFunctions(env: Environment): void {
  env.registerFunction('xpEq(dyn, dyn): bool', equal)
  env.registerFunction('xpNe(dyn, dyn): bool', (a: unknown, b: unknown) => !equal(a, b))
  env.registerFunction('xpLt(dyn, dyn): bool', (a: unknown, b: unknown) => asNumber(a) < asNumber(b))
  env.registerFunction('xpLe(dyn, dyn): bool', (a: unknown, b: unknown) => asNumber(a) <= asNumber(b))
  env.registerFunction('xpGt(dyn, dyn): bool', (a: unknown, b: unknown) => asNumber(a) > asNumber(b))
  env.registerFunction('xpGe(dyn, dyn): bool', (a: unknown, b: unknown) => asNumber(a) >= asNumber(b))
  env.registerFunction('xpTrue(dyn): bool', asTruth)
  env.registerFunction('xpTruth(dyn): dyn', truthOf)
  env.registerFunction('xpNum(dyn): double', asNumber)
  env.registerFunction('xpText(dyn): string', asText)
  env.registerFunction('xpTest(string, list): bool', xpathTest)
  env.registerFunction('xpNumber(string, list): double', xpathNumber)
  env.registerFunction('xpString(string, list): string', xpathString)
  env.registerFunction('xpValue(string, list): dyn', xpathValue)
  env.registerFunction('xpColumn(dyn, string): list', columnOf)
}

/** A field that is calculated as a truth value holds the word for it. */
function truthOf(value: unknown): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

function equal(a: unknown, b: unknown): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return asTruth(a) === asTruth(b)
  if (isNumber(a) || isNumber(b)) return asNumber(a) === asNumber(b)
  return asText(a) === asText(b)
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The values of one field in the rows of a table; blanks are left out. */
function columnOf(rows: unknown, code: string): readonly unknown[] {
  if (!Array.isArray(rows)) return []
  return rows.flatMap((row: unknown) => {
    if (typeof row !== 'object' || row === null) return []
    const value: unknown = row instanceof Map ? row.get(code) : Object.entries(row).find(([name]) => name === code)?.[1]
    return value === undefined || value === '' ? [] : [value]
  })
}
