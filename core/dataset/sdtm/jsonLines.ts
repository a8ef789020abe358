/** Where in a text of JSON each value stands, and which names are there twice: a parser keeps the last of them. */

export type JsonPath = readonly (string | number)[]

export interface JsonLines {
  /** The line of a value, from 1; of what is not there that of the nearest value around it. */
  lineOf(path: JsonPath): number
  readonly repeated: readonly JsonPath[]
}

/** A path as a person reads it: `domains[1].sources[0].page`. */
export function pathText(path: JsonPath): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${String(part)}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** @param text JSON that can be read */
export function linesOfJson(text: string): JsonLines {
  const scan = new JsonScan(text)
  scan.readValue([])
  const { lines, repeated } = scan
  return {
    repeated,
    lineOf: (path) => {
      for (let length = path.length; length >= 0; length -= 1) {
        const line = lines.get(JSON.stringify(path.slice(0, length)))
        if (line !== undefined) return line
      }
      return 1
    },
  }
}

/** Deeper than any mapping is; what stands below is passed over. */
const DEEPEST = 20
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+)/gy

class JsonScan {
  readonly lines = new Map<string, number>()
  readonly repeated: JsonPath[] = []
  readonly #text: string
  #line = 1
  #from = 0
  #next = ''

  constructor(text: string) {
    this.#text = text
    TOKEN.lastIndex = 0
    this.#advance()
  }

  readValue(path: JsonPath): void {
    if (path.length <= DEEPEST) this.lines.set(JSON.stringify(path), this.#line)
    const opening = this.#next
    if (opening === '{' || opening === '[') this.#readWithin(path, opening === '{')
    this.#advance()
  }

  #readWithin(path: JsonPath, isObject: boolean): void {
    const names = new Set<string>()
    this.#advance()
    for (let at = 0; this.#next !== '}' && this.#next !== ']' && this.#next !== ''; at += 1) {
      let part: string | number = at
      if (isObject) {
        part = String(JSON.parse(this.#next))
        if (names.has(part)) this.repeated.push([...path, part])
        names.add(part)
        this.#advance()
        this.#advance()
      }
      this.readValue([...path, part])
      if (this.#next === ',') this.#advance()
    }
  }

  #advance(): void {
    TOKEN.lastIndex = this.#from
    const found = TOKEN.exec(this.#text)
    const to = found === null ? this.#text.length : TOKEN.lastIndex
    for (let at = this.#from; at < to; at += 1) if (this.#text.charCodeAt(at) === 10) this.#line += 1
    this.#from = to
    this.#next = found?.[1] ?? ''
  }
}
