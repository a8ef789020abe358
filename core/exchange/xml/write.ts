import type { XmlElement } from './element.ts'

/**
 * Writes XML. What XML has no character for is written as the sign for an unknown one, so that the text is always
 * well-formed.
 */

/**
 * An element without a namespace of its own: it takes that of the document it is written into. Attributes without a
 * value are left out.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  content: readonly XmlElement[] | string = [],
): XmlElement {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, characters(value)] as const],
  )
  const [children, text] = typeof content === 'string' ? [[], characters(content)] : [content, '']
  return { name, namespace: '', line: 0, attributes: new Map(given), children, text }
}

/** The text of a document, in UTF-8. An element holds other elements or text. */
export function xmlText(root: XmlElement): string {
  const lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>']
  write(root, '', lines)
  return `${lines.join('\n')}\n`
}

function write({ name, attributes, children, text }: XmlElement, indent: string, lines: string[]): void {
  const tag = `${indent}<${name}${Array.from(attributes, ([key, value]) => ` ${key}="${escapeText(value, ATTRIBUTE)}"`).join('')}`
  if (children.length > 0) {
    lines.push(`${tag}>`)
    for (const child of children) write(child, `${indent}  `, lines)
    lines.push(`${indent}</${name}>`)
  } else lines.push(text === '' ? `${tag}/>` : `${tag}>${escapeText(text, TEXT)}</${name}>`)
}

const TEXT = /[&<>\r]/g
/** White space in an attribute is read as blanks unless it is written by its number. */
const ATTRIBUTE = /[&<>"\r\n\t]/g
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string, pattern: RegExp): string {
  return text.replace(pattern, (char) => ESCAPES[char] ?? `&#${char.charCodeAt(0)};`)
}

function characters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that XML has not
  return text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
}
