import type { SaxesTagNS } from 'saxes'
import { SaxesParser } from 'saxes'

import type { XmlElement } from './element.ts'

/**
 * Reads XML in one pass, in time and memory that the limits bound. No entity is ever defined and nothing is fetched: a
 * document type that defines entities is refused, one that only names itself is passed over.
 */

export interface XmlLimits {
  /** Longest text, in UTF-16 units. */
  readonly length: number
  /** Deepest nesting of elements. */
  readonly depth: number
  /** Most elements that are kept. */
  readonly elements: number
  /** Most attributes of one element. */
  readonly attributes: number
}

export type XmlError =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-xml'; readonly line: number }
  | { readonly kind: 'xml-entities'; readonly line: number }

export type XmlResult =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly error: XmlError }

/**
 * What a reader does with an element when its tag was read. Of what is skipped nothing is kept, but its elements are
 * still told of.
 */
export type OnElement = (element: XmlElement, parent: XmlElement | null) => 'keep' | 'skip'

class XmlFailure extends Error {
  readonly reason: XmlError
  constructor(reason: XmlError) {
    super(reason.kind)
    this.reason = reason
  }
}

/** How much is handed to the parser at once. */
const CHUNK = 65_536
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** An element that is still open. */
interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

/**
 * Reads the text of a file. Any failure is a value: what is not XML names the line.
 *
 * @param onElement told of every element in the order of the file; an error it throws is the caller's
 */
export function readXml(text: string, limits: XmlLimits, onElement: OnElement = () => 'keep'): XmlResult {
  if (text.length > limits.length) return { ok: false, error: { kind: 'too-large' } }
  try {
    return { ok: true, root: parse(text, limits, onElement) }
  } catch (error) {
    if (error instanceof XmlFailure) return { ok: false, error: error.reason }
    throw error
  }
}

function parse(text: string, limits: XmlLimits, onElement: OnElement): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const fail = (kind: XmlError['kind']): never => {
    throw new XmlFailure(kind === 'too-large' ? { kind } : { kind, line: parser.line })
  }
  const open: OpenElement[] = []
  let root: XmlElement | null = null
  let [kept, skipping, attributes] = [0, 0, 0]
  const addText = (piece: string) => {
    const current = open.at(-1)
    if (current !== undefined && skipping === 0) current.text += piece
  }

  parser.on('error', () => fail('not-xml'))
  parser.on('doctype', (doctype) => (/<!ENTITY|%/i.test(doctype) ? fail('xml-entities') : undefined))
  parser.on('opentagstart', () => (attributes = 0))
  parser.on('attribute', () => (++attributes > limits.attributes ? fail('too-large') : undefined))
  parser.on('opentag', (tag: SaxesTagNS) => {
    if (open.length >= limits.depth) fail('too-large')
    const parent = open.at(-1) ?? null
    const element: OpenElement = {
      name: tag.local,
      namespace: tag.uri,
      line: parser.line,
      attributes: attributesOf(tag),
      children: [],
      text: '',
    }
    const told = onElement(element, parent)
    if (skipping > 0 || told === 'skip') skipping += 1
    else {
      if (++kept > limits.elements) fail('too-large')
      parent?.children.push(element)
    }
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
    if (skipping > 0) skipping -= 1
  })
  parser.on('text', addText)
  parser.on('cdata', addText)

  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  parser.close()
  return root ?? fail('not-xml')
}

function attributesOf(tag: SaxesTagNS): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  for (const { name, local, uri, prefix, value } of Object.values(tag.attributes)) {
    // How namespaces are written down is no part of what the element says.
    if (prefix === 'xmlns' || name === 'xmlns') continue
    all.set(uri === '' ? local : uri === XML_NAMESPACE ? `xml:${local}` : `{${uri}}${local}`, value)
  }
  return all
}
