import { withoutFilled } from '#core/exchange/redcap/circles.ts'
import { writeExpression } from '#core/exchange/redcap/writeExpression.ts'
import type { PlainNames } from '#core/exchange/xpath/writePlain.ts'
import { writePlainNumber, writePlainTest } from '#core/exchange/xpath/writePlain.ts'

import type { FormalExpression } from './formulas/expressionElement.ts'
import { negateCel } from './ranges.ts'

/**
 * Rules of ours in languages that other systems read, beside our own: XPath, and REDCap's logic. Where a language has
 * no words for a rule, it is not in it.
 */

export const REDCAP_CONTEXT = 'REDCap'
export const XPATH_CONTEXT = 'XPath'

/** When a field is not asked for. @param places how each of the fields that have this rule sees others */
export function conditionInOtherWords(
  show: string,
  prop: string,
  places: readonly PlainNames[],
): readonly FormalExpression[] {
  const test = sameIn(places, (names) => writePlainTest(show, names))
  return [
    ...inXPath(test === null ? null : `not(${test})`),
    ...inRedcap(writeExpression(negateCel(withoutFilled(show, prop)))),
  ]
}

/**
 * What a field is calculated by. @param isNumber whether it is one; a plus between texts joins them here and nowhere
 * else
 */
export function methodInOtherWords(
  calculate: string,
  isNumber: boolean,
  places: readonly PlainNames[],
): readonly FormalExpression[] {
  if (!isNumber) return []
  return [
    ...inXPath(sameIn(places, (names) => writePlainNumber(calculate, names))),
    ...inRedcap(writeExpression(calculate)),
  ]
}

/** The text that a rule has in all its places; null where these differ. */
function sameIn(places: readonly PlainNames[], write: (names: PlainNames) => string | null): string | null {
  const [first, ...others] = places.map(write)
  return first !== undefined && others.every((one) => one === first) ? first : null
}

function inXPath(text: string | null): readonly FormalExpression[] {
  return text === null ? [] : [{ context: XPATH_CONTEXT, text }]
}

function inRedcap(text: string | null): readonly FormalExpression[] {
  return text === null ? [] : [{ context: REDCAP_CONTEXT, text }]
}

/** Where the fields of a page and of a table's rows stand, by their OIDs. */
export class ItemPaths {
  readonly #oids = new Map<string, string>()
  readonly #value: string

  constructor(version: '1.3.2' | '2.0') {
    this.#value = version === '2.0' ? 'Value' : '@Value'
  }

  add({ page, table }: RulePlace, prop: string, oid: string): void {
    this.#oids.set(key(page, table, prop), oid)
  }

  /** As the rules of a field see others: from its item, or, for a table, from its group. */
  namesAt({ page, table, ofTable = false }: RulePlace): PlainNames {
    const path = (group: string, oid: string | undefined) =>
      oid === undefined || /['"]/.test(oid) ? null : `${group}ItemData[@ItemOID='${oid}']/${this.#value}`
    return {
      field: (prop) =>
        path(ofTable ? '../ItemGroupData/' : '../../ItemGroupData/', this.#oids.get(key(page, '', prop))),
      row: (prop) => (table === '' ? null : path('../', this.#oids.get(key(page, table, prop)))),
    }
  }
}

/** Where a field with rules stands. */
export interface RulePlace {
  readonly page: string
  /** The table in whose rows it stands; '' for a field of the page. */
  readonly table: string
  /** The rule is a table's own. */
  readonly ofTable?: boolean
}

function key(page: string, table: string, prop: string): string {
  return [page, table, prop].join('/')
}
