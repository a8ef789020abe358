import type { DataTable, Row } from '#core/dataset/table.ts'

import { characterAt } from './utf8.ts'

const SIZE = 65_536

/**
 * Bytes that are written one after the other and taken as a piece once there are enough of them. Numbers are little
 * endian where nothing else is said.
 */
export class ByteBlock {
  bytes = new Uint8Array(SIZE * 2)
  private view = new DataView(this.bytes.buffer)
  /** How many bytes wait to be taken. */
  at = 0

  /** Whether there are enough for a piece. */
  get isFull(): boolean {
    return this.at >= SIZE
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const piece = this.bytes.slice(0, this.at)
    this.at = 0
    return piece
  }

  /** Makes room for so many more bytes. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    larger.set(this.bytes)
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }

  putByte(value: number): void {
    this.reserve(1)
    this.bytes[this.at] = value
    this.at += 1
  }

  putUint16(value: number, littleEndian = true): void {
    this.reserve(2)
    this.view.setUint16(this.at, value, littleEndian)
    this.at += 2
  }

  putInt32(value: number, littleEndian = true): void {
    this.reserve(4)
    this.view.setInt32(this.at, value, littleEndian)
    this.at += 4
  }

  /** A whole number that is not negative, of 8 bytes. */
  putUint64(value: number): void {
    this.reserve(8)
    this.view.setUint32(this.at, value % 2 ** 32, true)
    this.view.setUint32(this.at + 4, Math.floor(value / 2 ** 32), true)
    this.at += 8
  }

  putDouble(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.at, value, true)
    this.at += 8
  }

  putBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  putFill(count: number, value: number): void {
    this.reserve(count)
    this.bytes.fill(value, this.at, this.at + count)
    this.at += count
  }

  /** A text, as UTF-8. */
  putText(text: string): void {
    this.reserve(text.length * 3)
    let { at } = this
    const { bytes } = this
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit < 0x80) {
        bytes[at] = unit
        at += 1
        continue
      }
      const code = unit >= 0xd800 && unit <= 0xdfff ? characterAt(text, index) : unit
      if (code < 0x800) {
        bytes[at] = 0xc0 | (code >> 6)
      } else {
        if (code < 0x1_0000) {
          bytes[at] = 0xe0 | (code >> 12)
        } else {
          index += 1
          bytes[at] = 0xf0 | (code >> 18)
          at += 1
          bytes[at] = 0x80 | ((code >> 12) & 0x3f)
        }
        at += 1
        bytes[at] = 0x80 | ((code >> 6) & 0x3f)
      }
      bytes[at + 1] = 0x80 | (code & 0x3f)
      at += 2
    }
    this.at = at
  }

  /** A text that fits, and behind it as many bytes of one kind as are left of the width. */
  putPadded(text: string, width: number, padding: number): void {
    const start = this.at
    this.putText(text)
    this.putFill(width - (this.at - start), padding)
  }
}

/** Texts as pieces of bytes. */
export function* encodePieces(texts: Iterable<string>): Generator<Uint8Array> {
  const block = new ByteBlock()
  for (const text of texts) {
    block.putText(text)
    if (block.isFull) yield block.take()
  }
  yield block.take()
}

/** The rows of a table as pieces of bytes, put into a block one after the other. What is left stays in the block. */
export async function* streamRows(
  block: ByteBlock,
  table: Pick<DataTable, 'rows'>,
  to: { readonly putRow: (row: Row) => void },
): AsyncGenerator<Uint8Array> {
  for await (const batch of table.rows()) {
    for (const row of batch) {
      to.putRow(row)
      if (block.isFull) yield block.take()
    }
  }
}
