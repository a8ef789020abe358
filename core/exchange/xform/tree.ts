import { XmlFailure, readXml } from '#core/exchange/sheet/xmlEvents.ts'

/** An XML document as a tree, within bounds. */

export interface XmlNode {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly line: number
  readonly children: (XmlNode | string)[]
}

const MAX_NODES = 200_000
const MAX_LENGTH = 20_000_000

/** @throws XmlFailure */
export function xmlTree(text: string): XmlNode {
  if (text.length > MAX_LENGTH) throw new XmlFailure({ kind: 'too-large' })
  const root: XmlNode = { name: '', attributes: new Map(), line: 1, children: [] }
  const open: XmlNode[] = [root]
  let count = 0
  readXml(text.startsWith('\uFEFF') ? text.slice(1) : text, {
    open: (name, attributes, line) => {
      count += 1
      if (count > MAX_NODES) throw new XmlFailure({ kind: 'too-large' })
      const node: XmlNode = { name, attributes, line, children: [] }
      open.at(-1)?.children.push(node)
      open.push(node)
    },
    close: () => void open.pop(),
    text: (piece) => void open.at(-1)?.children.push(piece),
  })
  return elementsOf(root)[0] ?? root
}

/** The elements right below a node, all or those of a name. */
export function elementsOf({ children }: XmlNode, name?: string): readonly XmlNode[] {
  return children.flatMap((child) =>
    typeof child === 'string' || (name !== undefined && child.name !== name) ? [] : [child],
  )
}

/** All elements below a node, in their order. */
export function* below(node: XmlNode): Iterable<XmlNode> {
  for (const child of elementsOf(node)) {
    yield child
    yield* below(child)
  }
}

export function attribute({ attributes }: XmlNode, name: string): string {
  return attributes.get(name)?.trim() ?? ''
}

/** The text of a node and of all below it, with blanks as one. */
export function textIn(node: XmlNode, of: (element: XmlNode) => string = (element) => textIn(element)): string {
  return node.children
    .map((child) => (typeof child === 'string' ? child : of(child)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
