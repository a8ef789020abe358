import { SheetFailure } from './sheetTable.ts'

/** Texts of BIFF8: of one byte a character or of two, with formats and readings behind them that are passed over. */

const WIDE = 1
const READING = 4
const RICH = 8
const MAX_LENGTH = 40_000_000

/** A text within one record. @param width bytes of its length */
export function xlsText(data: Uint8Array, at: number, width: 1 | 2): string {
  const length = (data[at] ?? 0) | (width === 2 ? (data[at + 1] ?? 0) << 8 : 0)
  const flags = data[at + width] ?? 0
  const rich = (flags & RICH) === 0 ? 0 : 2
  const reading = (flags & READING) === 0 ? 0 : 4
  return characters(data, at + width + 1 + rich + reading, length, (flags & WIDE) !== 0)
}

/**
 * The texts that cells share, which go over several records: one that is cut says again at the front of the next how
 * wide its characters are.
 */
export function readSharedStrings(pieces: readonly Uint8Array[]): readonly string[] {
  const reader = new PieceReader(pieces)
  reader.passOver(4)
  const count = reader.number(4)
  const strings: string[] = []
  let total = 0
  for (let index = 0; index < count && !reader.isAtEnd(); index += 1) {
    const length = reader.number(2)
    const flags = reader.number(1)
    const formats = (flags & RICH) === 0 ? 0 : reader.number(2)
    const reading = (flags & READING) === 0 ? 0 : reader.number(4)
    const text = reader.text(length, (flags & WIDE) !== 0)
    reader.passOver(formats * 4 + reading)
    total += text.length
    if (total > MAX_LENGTH) throw new SheetFailure({ kind: 'too-large' })
    strings.push(text)
  }
  return strings
}

class PieceReader {
  readonly #pieces: readonly Uint8Array[]
  #piece = 0
  #at = 0

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces
  }

  isAtEnd(): boolean {
    this.#turn()
    return this.#piece >= this.#pieces.length
  }

  number(width: 1 | 2 | 4): number {
    let value = 0
    for (let place = 0; place < width; place += 1) {
      this.#turn()
      value += (this.#data()[this.#at] ?? 0) * 256 ** place
      this.#at += 1
    }
    return value
  }

  passOver(count: number): void {
    for (let left = count; left > 0 && !this.isAtEnd();) {
      const step = Math.min(left, this.#data().length - this.#at)
      this.#at += step
      left -= step
    }
  }

  text(length: number, wide: boolean): string {
    let [text, isWide, left] = ['', wide, length]
    while (left > 0 && this.#piece < this.#pieces.length) {
      const data = this.#data()
      const room = Math.floor((data.length - this.#at) / (isWide ? 2 : 1))
      const count = Math.min(left, room)
      text += characters(data, this.#at, count, isWide)
      this.#at += count * (isWide ? 2 : 1)
      left -= count
      if (left === 0) break
      this.#piece += 1
      this.#at = 1
      isWide = ((this.#data()[0] ?? 0) & WIDE) !== 0
    }
    return text
  }

  #data(): Uint8Array {
    return this.#pieces[this.#piece] ?? new Uint8Array()
  }

  #turn(): void {
    while (this.#piece < this.#pieces.length && this.#at >= this.#data().length) {
      this.#piece += 1
      this.#at = 0
    }
  }
}

const AT_ONCE = 4_096

function characters(data: Uint8Array, at: number, length: number, wide: boolean): string {
  const width = wide ? 2 : 1
  const end = Math.min(data.length, at + length * width)
  let text = ''
  for (let from = at; from < end; from += AT_ONCE * width) {
    const codes: number[] = []
    for (let place = from; place + width <= Math.min(end, from + AT_ONCE * width); place += width)
      codes.push((data[place] ?? 0) | (wide ? (data[place + 1] ?? 0) << 8 : 0))
    text += String.fromCharCode(...codes)
  }
  return text
}
