import type { ByteBlock } from '../byteBlock.ts'
import { SEGMENT_BYTES } from './savVariables.ts'

const PLACE = 8
const BIAS = 100
const LITERAL = 253
const SPACES = 254
const NOTHING = 255
const SPACE = 0x20

/**
 * Cases of an SPSS file in its simple compression: eight commands of a byte, then what they say follows. A small whole
 * number, no value and eight spaces are a command alone.
 */
export class SavCommands {
  private readonly block: ByteBlock
  private readonly commands = new Uint8Array(PLACE)
  private count = 0
  private readonly literals = new Uint8Array(PLACE * PLACE)
  private readonly view = new DataView(this.literals.buffer)
  private size = 0

  constructor(block: ByteBlock) {
    this.block = block
  }

  /** @param value null for no value */
  putNumber(value: number | null): void {
    if (value === null) return this.putCommand(NOTHING)
    if (Number.isInteger(value) && value > -BIAS && value <= 251 - BIAS) return this.putCommand(value + BIAS)
    this.view.setFloat64(this.size, value, true)
    this.size += PLACE
    this.putCommand(LITERAL)
  }

  /**
   * A string, filled up with spaces.
   *
   * @param segments how many of the format's variables hold it: each takes 255 bytes and has a place that is not full
   */
  putString(bytes: Uint8Array, width: number, segments: number): void {
    for (let segment = 0; segment < segments; segment += 1) {
      const start = segment * SEGMENT_BYTES
      // The last variables of a very long string have room that nothing fills: the ones before took 255 bytes, not 252.
      const places = segment < segments - 1 ? 32 : Math.ceil(lastWidth(width, segments) / PLACE)
      const end = segment < segments - 1 ? Math.min(start + SEGMENT_BYTES, width) : width
      for (let place = 0; place < places; place += 1) this.putPlace(bytes, start + place * PLACE, end)
    }
  }

  /** What is left. */
  end(): void {
    if (this.count > 0) this.putAll()
  }

  private putPlace(bytes: Uint8Array, start: number, end: number): void {
    let isBlank = true
    for (let at = 0; at < PLACE; at += 1) {
      const byte = start + at < end ? (bytes[start + at] ?? SPACE) : SPACE
      isBlank &&= byte === SPACE
      this.literals[this.size + at] = byte
    }
    if (isBlank) return this.putCommand(SPACES)
    this.size += PLACE
    this.putCommand(LITERAL)
  }

  private putCommand(command: number): void {
    this.commands[this.count] = command
    this.count += 1
    if (this.count === PLACE) this.putAll()
  }

  private putAll(): void {
    this.commands.fill(0, this.count)
    this.block.putBytes(this.commands)
    this.block.putBytes(this.literals.subarray(0, this.size))
    this.count = 0
    this.size = 0
  }
}

function lastWidth(width: number, segments: number): number {
  return segments === 1 ? width : width - (segments - 1) * 252
}
