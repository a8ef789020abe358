import { isRecord } from '#core/form/definition/option.ts'

import type { FormalExpression } from './expressionElement.ts'

/** An expression in a language that nothing here understands, as it is kept with its field. */

export interface RememberedExpression extends FormalExpression {
  readonly name: string
}

/** The text under which it is kept. */
export function rememberText({ name, context, text }: RememberedExpression): string {
  return JSON.stringify({ name, context, text })
}

/** The expression of such a text; null for any other. */
export function readRemembered(kept: string | undefined): RememberedExpression | null {
  if (kept === undefined) return null
  try {
    const words: unknown = JSON.parse(kept)
    if (!isRecord(words)) return null
    const { name, context, text } = words
    if (typeof name !== 'string' || typeof context !== 'string' || typeof text !== 'string') return null
    const expression = { name, context, text }
    return rememberText(expression) === kept && name !== '' && text !== '' && text === text.trim() ? expression : null
  } catch {
    return null
  }
}
