import type { JsonValue } from '#core/json.ts'
import type { RowKind } from '#core/api/sync/rows.ts'
import type { WrittenLine } from '#server/http/line.ts'

/** A row that is JSON text already. */
export class RowText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A line with such a row; its row can still be read as a value. */
export class PutLine implements WrittenLine {
  readonly t = 'put'
  readonly kind: RowKind
  readonly id: string
  readonly seq: number
  readonly #text: string

  constructor(
    { kind, id, seq }: { readonly kind: RowKind; readonly id: string; readonly seq: number },
    { text }: RowText,
  ) {
    this.kind = kind
    this.id = id
    this.seq = seq
    this.#text = text
  }

  get row(): JsonValue {
    return JSON.parse(this.#text) as JsonValue
  }

  /** For code that writes the line as part of something else. */
  toJSON(): JsonValue {
    return JSON.parse(this.lineText) as JsonValue
  }

  get lineText(): string {
    return `{"t":"put","kind":"${this.kind}","id":"${this.id}","seq":${this.seq},"row":${this.#text}}`
  }
}
