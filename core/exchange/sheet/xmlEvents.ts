import { SaxesParser } from 'saxes'

/**
 * XML as events, within bounds: no document types and so no entities of a file's own, no depth beyond any real file.
 * Names come without their prefix: which one a writer chose says nothing.
 */

export interface XmlHandler {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, line: number) => void
  readonly close: (name: string) => void
  readonly text: (text: string) => void
}

export type XmlError =
  | { readonly kind: 'not-xml'; readonly line: number }
  | { readonly kind: 'document-type' }
  | { readonly kind: 'too-large' }

/** A text that is no XML, or XML that is not read. */
export class XmlFailure extends Error {
  readonly reason: XmlError
  constructor(reason: XmlError) {
    super(reason.kind)
    this.reason = reason
  }
}

const MAX_DEPTH = 200
const PIECE = 65_536
/** Most attributes of one element. */
const MAX_ATTRIBUTES = 200

/** Reads XML as its text comes. Throws XmlFailure, from `write` and `end`. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  readonly #handler: XmlHandler
  #depth = 0
  #attributes = 0

  constructor(handler: XmlHandler) {
    this.#handler = handler
    const parser = this.#parser
    parser.on('error', () => {
      throw new XmlFailure({ kind: 'not-xml', line: parser.line })
    })
    parser.on('doctype', () => {
      throw new XmlFailure({ kind: 'document-type' })
    })
    parser.on('opentagstart', () => {
      this.#depth += 1
      this.#attributes = 0
      if (this.#depth > MAX_DEPTH) throw new XmlFailure({ kind: 'too-large' })
    })
    parser.on('attribute', () => {
      this.#attributes += 1
      if (this.#attributes > MAX_ATTRIBUTES) throw new XmlFailure({ kind: 'too-large' })
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.#handler.open(
        local(name),
        new Map(Object.entries(attributes).map(([key, value]) => [local(key), value])),
        parser.line,
      )
    })
    parser.on('closetag', ({ name }) => {
      this.#depth -= 1
      this.#handler.close(local(name))
    })
    parser.on('text', (text) => this.#handler.text(text))
    parser.on('cdata', (text) => this.#handler.text(text))
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  end(): void {
    this.#parser.close()
  }
}

/** @throws XmlFailure */
export function readXml(text: string, handler: XmlHandler): void {
  const reader = new XmlReader(handler)
  // In pieces, so that a text that is refused at its beginning is not looked at to its end.
  for (let at = 0; at < text.length; at += PIECE) reader.write(text.slice(at, at + PIECE))
  reader.end()
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
