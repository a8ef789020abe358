/**
 * OpenEDC's language and the part of XPath that the examples of CDISC use, evaluated by other means than the
 * translation: by their own rules for values and blanks, over texts as a form holds them. For expressions that the
 * tests themselves write.
 */

export type Values = Readonly<Record<string, string>>

/** JavaScript's own operators are those of OpenEDC's evaluator, once `^` and words are written its way. */
export function openEdcCondition(expression: string, values: Values): boolean {
  return Boolean(evaluate(expression, (oid) => comparable(values[oid] ?? '')))
}

/** Computed only where every field that it names has a value; numbers are rounded to two digits. */
export function openEdcMethod(expression: string, values: Values): string {
  const named = [...expression.matchAll(/[A-Za-z_][A-Za-z0-9_.]*/g)]
    .map(([name]) => name)
    .filter((name) => name in values)
  if (named.some((name) => values[name] === '')) return ''
  const result = Number(evaluate(expression, (oid) => Number(values[oid])))
  return Number.isFinite(result) ? String(Math.round(result * 100) / 100) : ''
}

/** Numbers compare as numbers, all else as text. */
function comparable(text: string): string | number {
  return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}

type Value = string | number | boolean

/** A small machine of its own: it looks for the loosest operator outside of brackets and goes on on both sides. */
function evaluate(source: string, read: (oid: string) => Value): Value {
  const text = source.trim()
  for (const signs of [
    ['||', ' OR '],
    ['&&', ' AND '],
    ['==', '!=', '<=', '>=', '<', '>'],
    [' + ', ' - '],
    ['*', '/'],
    ['^'],
  ]) {
    const split = lastOutside(text, signs, signs[0] === '^')
    if (split === null) continue
    const [left, sign, right] = split
    return apply(
      sign.trim(),
      () => evaluate(left, read),
      () => evaluate(right, read),
    )
  }
  if (text.startsWith('!')) return evaluate(text.slice(1), read) !== true
  if (text.startsWith('(') && text.endsWith(')')) return evaluate(text.slice(1, -1), read)
  const quoted = /^"(.*)"$/.exec(text)?.[1]
  if (quoted !== undefined) return comparable(quoted)
  return /^\d/.test(text) ? Number(text) : read(text)
}

function lastOutside(text: string, signs: readonly string[], first: boolean): readonly [string, string, string] | null {
  let [depth, quoted] = [0, false]
  let found: readonly [string, string, string] | null = null
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted
    if (quoted) continue
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    const sign = depth === 0 && at > 0 ? signs.find((one) => text.startsWith(one, at)) : undefined
    if (sign === undefined) continue
    found = [text.slice(0, at), sign, text.slice(at + sign.length)]
    if (first) return found
    at += sign.length - 1
  }
  return found
}

function apply(sign: string, left: () => Value, right: () => Value): Value {
  if (sign === '||' || sign === 'OR') return left() === true || right() === true
  if (sign === '&&' || sign === 'AND') return left() === true && right() === true
  const [a, b] = [left(), right()]
  switch (sign) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '+':
      return Number(a) + Number(b)
    case '-':
      return Number(a) - Number(b)
    case '*':
      return Number(a) * Number(b)
    case '/':
      return Number(a) / Number(b)
    case '^':
      return Number(a) ** Number(b)
    default:
      return ordered(sign, a, b)
  }
}

/** An order with a blank does not hold. */
function ordered(sign: string, a: Value, b: Value): boolean {
  if (a === '' || b === '') return false
  if (sign === '<') return a < b
  if (sign === '<=') return a <= b
  return sign === '>' ? a > b : a >= b
}
