import { CEL_CONTEXT } from '#core/exchange/odm/namespaces.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'

/** Formal expressions as they stand in a file. */

export interface FormalExpression {
  readonly context: string
  readonly text: string
}

/** The expressions of a condition, a method or a check: the same in several languages. */
export function expressionsOf(definition: XmlElement): readonly FormalExpression[] {
  return childrenOf(definition, 'FormalExpression').map((one) => {
    const code = childOf(one, 'Code')
    return { context: attributeOf(one, 'Context'), text: deepText(code ?? one).trim() }
  })
}

/** How expressions are written: ODM 2.0 puts the text into an element of its own, after a signature. */
export interface ExpressionStyle {
  readonly version: '1.3.2' | '2.0'
}

/** The elements of an expression in our own language. */
export function celExpression(
  cel: string,
  style: ExpressionStyle,
  within: 'definition' | 'check' = 'definition',
): readonly XmlElement[] {
  return writtenExpression({ context: CEL_CONTEXT, text: cel }, style, within)
}

/** The elements of an expression in any language. */
export function writtenExpression(
  { context, text }: FormalExpression,
  { version }: ExpressionStyle,
  within: 'definition' | 'check' = 'definition',
): readonly XmlElement[] {
  if (version === '1.3.2') return [element('FormalExpression', { Context: context }, text)]
  const signature = within === 'definition' ? [element('MethodSignature')] : []
  return [...signature, element('FormalExpression', { Context: context }, [element('Code', {}, text)])]
}
