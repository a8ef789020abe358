/** Elements of XML as readers find them and writers make them. */

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  /** URI of its namespace; '' for none. */
  readonly namespace: string
  /** Line of the text on which its tag ends, from 1; 0 for one that was made here. */
  readonly line: number
  /** By name; those of a namespace as `{uri}name`, `xml:lang` as that. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Its own text, that of the elements in it left out. */
  readonly text: string
}

/** The value of an attribute; '' without one. */
export function attributeOf(element: XmlElement, name: string): string {
  return element.attributes.get(name) ?? ''
}

/** The elements directly in it that have that name, in whatever namespace it itself is. */
export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name && child.namespace === element.namespace)
}

/** The first of them; null without one. */
export function childOf(element: XmlElement, name: string): XmlElement | null {
  return childrenOf(element, name)[0] ?? null
}

/** Its text with that of all elements in it. */
export function deepText(element: XmlElement): string {
  return element.text + element.children.map(deepText).join('')
}
