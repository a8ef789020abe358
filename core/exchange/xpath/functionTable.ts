/**
 * Functions of XForms (ODK's XPath) that become a call of the same name: how many arguments each takes and what it
 * gives.
 */

export interface XPathFunction {
  readonly gives: 'bool' | 'number' | 'text' | 'any'
  readonly least: number
  readonly most: number
  /** Its arguments may be a field of all rows of a table. */
  readonly rows?: true
}

/** As many as a list of a rule may have. */
const MANY = 1_000

/** CEL functions by what they give: `xpNumber("pow", [a, b])`. */
export const CALLS: Readonly<Record<XPathFunction['gives'], string>> = {
  bool: 'xpTest',
  number: 'xpNumber',
  text: 'xpString',
  any: 'xpValue',
}

const of = (gives: XPathFunction['gives'], least: number, most: number, names: readonly string[], rows?: true) =>
  names.map((name): readonly [string, XPathFunction] => [
    name,
    { gives, least, most, ...(rows === undefined ? {} : { rows }) },
  ])

export const XPATH_FUNCTIONS: ReadonlyMap<string, XPathFunction> = new Map([
  ...of('bool', 2, 2, ['selected', 'contains', 'starts-with', 'ends-with']),
  ...of('bool', 1, 1, ['boolean-from-string']),
  ...of('bool', 3, MANY, ['checklist']),
  ...of('bool', 4, MANY, ['weighted-checklist']),
  ...of('number', 0, 0, ['pi']),
  ...of('number', 1, 1, [
    'int',
    'floor',
    'ceiling',
    'abs',
    'sqrt',
    'exp',
    'exp10',
    'log',
    'log10',
    'sin',
    'cos',
    'tan',
    'asin',
    'acos',
    'atan',
  ]),
  ...of('number', 1, 2, ['round']),
  ...of('number', 2, 2, ['pow', 'atan2']),
  ...of('number', 1, 1, ['string-length', 'count-selected', 'decimal-date-time', 'decimal-time']),
  ...of('number', 1, 1, ['count', 'count-non-empty'], true),
  ...of('number', 1, MANY, ['sum', 'min', 'max'], true),
  ...of('text', 1, 1, ['normalize-space', 'date', 'date-time']),
  ...of('text', 2, 2, ['selected-at', 'substring-before', 'substring-after', 'format-date', 'format-date-time']),
  ...of('text', 2, 3, ['substr', 'substring']),
  ...of('text', 3, 3, ['translate']),
  ...of('text', 1, MANY, ['concat'], true),
  ...of('text', 2, MANY, ['join'], true),
  ...of('any', 2, 2, ['coalesce']),
])
