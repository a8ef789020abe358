import type { ByteBlock } from '../byteBlock.ts'
import { utf8Length } from '../utf8.ts'
import type { SavVariable } from './savVariables.ts'
import { SEGMENT_BYTES } from './savVariables.ts'

/** What stands before the data of an SPSS system file, record by record as the format has them. */

const SPACE = 0x20
const SHORT_STRING = 8

export interface SavHead {
  /** Of the file, at most 64 bytes. */
  readonly label: string
  /** yyyy-MM-ddTHH:mm:ssZ. */
  readonly createdAt: string
  readonly rows: number
}

/** Writes header and dictionary. */
export function putDictionary(block: ByteBlock, variables: readonly SavVariable[], head: SavHead): void {
  putHeader(block, variables, head)
  for (const variable of variables) putVariable(block, variable)
  putValueLabels(block, variables)
  putMachine(block)
  putDisplay(block, variables)
  putNames(block, variables)
  putCount(block, head.rows)
  putLongStrings(block, variables)
  putExtension(block, 20, 1, encodeText('UTF-8'))
  block.putInt32(999)
  block.putInt32(0)
}

/** Places of 8 bytes that a case takes. */
function placesOf({ segments }: SavVariable): number {
  return segments.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / 8)), 0)
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function putHeader(block: ByteBlock, variables: readonly SavVariable[], { label, createdAt, rows }: SavHead): void {
  const [year = '', month = '', day = ''] = createdAt.slice(0, 10).split('-')
  block.putText('$FL2')
  block.putPadded('@(#) SPSS DATA FILE Zhenglu', 60, SPACE)
  block.putInt32(2)
  block.putInt32(variables.reduce((sum, variable) => sum + placesOf(variable), 0))
  block.putInt32(1) // compressed
  block.putInt32(0) // no weights
  block.putInt32(rows < 2 ** 31 ? rows : -1)
  block.putDouble(100) // what compressed numbers are moved by
  block.putText(`${day} ${MONTHS[Number(month) - 1] ?? 'Jan'} ${year.slice(2)}`)
  block.putText(createdAt.slice(11, 19))
  block.putPadded(label, 64, SPACE)
  block.putFill(3, 0)
}

function putVariable(block: ByteBlock, { segments, format, label, missing, width }: SavVariable): void {
  for (const [at, segment] of segments.entries()) {
    const isFirst = at === 0
    const hasMissing = isFirst && width <= SHORT_STRING ? missing.length : 0
    block.putInt32(2)
    block.putInt32(segment.width)
    block.putInt32(isFirst ? 1 : 0)
    block.putInt32(hasMissing)
    const own = segment.width === 0 ? format : (1 << 16) | (segment.width << 8)
    block.putInt32(own)
    block.putInt32(own)
    block.putPadded(segment.short, 8, SPACE)
    if (isFirst) {
      const length = utf8Length(label)
      block.putInt32(length)
      block.putPadded(label, Math.ceil(length / 4) * 4, SPACE)
    }
    if (hasMissing > 0) for (const value of missing) putShort(block, value)
    for (let place = 1; place < Math.ceil(segment.width / 8); place += 1) {
      block.putInt32(2)
      block.putInt32(-1)
      block.putFill(24, 0)
    }
  }
}

function putShort(block: ByteBlock, value: string | number): void {
  if (typeof value === 'number') block.putDouble(value)
  else block.putPadded(value, SHORT_STRING, SPACE)
}

/** Labels of numbers and of strings of at most 8 bytes. */
function putValueLabels(block: ByteBlock, variables: readonly SavVariable[]): void {
  let place = 1
  for (const variable of variables) {
    const { labels, width } = variable
    if (labels.length > 0 && width <= SHORT_STRING) {
      block.putInt32(3)
      block.putInt32(labels.length)
      for (const { value, label } of labels) {
        putShort(block, value)
        const length = utf8Length(label)
        block.putByte(length)
        block.putPadded(label, Math.ceil((length + 1) / 8) * 8 - 1, SPACE)
      }
      block.putInt32(4)
      block.putInt32(1)
      block.putInt32(place)
    }
    place += placesOf(variable)
  }
}

/** IEEE numbers, little endian, UTF-8; what stands for no value. */
function putMachine(block: ByteBlock): void {
  putExtensionHead(block, 3, 4, 8)
  for (const value of [20, 0, 0, -1, 1, 1, 2, 65_001]) block.putInt32(value)
  putExtensionHead(block, 4, 8, 3)
  block.putDouble(-Number.MAX_VALUE)
  block.putDouble(Number.MAX_VALUE)
  block.putDouble(-1.797_693_134_862_315_5e308)
}

const NOMINAL = 1
const SCALE = 3

function putDisplay(block: ByteBlock, variables: readonly SavVariable[]): void {
  const all = variables.flatMap((variable) => variable.segments.map(({ width }) => ({ variable, width })))
  putExtensionHead(block, 11, 4, all.length * 3)
  for (const { variable, width } of all) {
    block.putInt32(width > 0 || variable.source.codes.length > 0 ? NOMINAL : SCALE)
    block.putInt32(width > 0 ? Math.min(Math.max(width, 8), 40) : 12)
    block.putInt32(width > 0 ? 0 : 1)
  }
}

function putNames(block: ByteBlock, variables: readonly SavVariable[]): void {
  const names = variables.map(({ name, segments }) => `${segments[0]?.short ?? ''}=${name}`).join('\t')
  putExtension(block, 13, 1, encodeText(names))
  const long = variables.filter(({ width }) => width > SEGMENT_BYTES)
  if (long.length === 0) return
  const widths = long.map(({ width, segments }) => `${segments[0]?.short ?? ''}=${width}\u0000\t`).join('')
  putExtension(block, 14, 1, encodeText(widths))
}

function putCount(block: ByteBlock, rows: number): void {
  putExtensionHead(block, 16, 8, 2)
  block.putUint64(1)
  block.putUint64(rows)
}

/** Labels and missing values of strings of more than 8 bytes. */
function putLongStrings(block: ByteBlock, variables: readonly SavVariable[]): void {
  const long = variables.filter(({ width }) => width > SHORT_STRING)
  const labelled = long.filter(({ labels }) => labels.length > 0)
  if (labelled.length > 0) {
    putExtension(block, 21, 1, (content) => {
      for (const { name, width, labels } of labelled) {
        putCounted(content, name)
        content.putInt32(width)
        content.putInt32(labels.length)
        for (const { value, label } of labels) {
          content.putInt32(width)
          content.putPadded(String(value), width, SPACE)
          putCounted(content, label)
        }
      }
    })
  }
  const lacking = long.filter(({ missing }) => missing.length > 0)
  if (lacking.length === 0) return
  putExtension(block, 22, 1, (content) => {
    for (const { name, missing } of lacking) {
      putCounted(content, name)
      content.putByte(missing.length)
      content.putInt32(SHORT_STRING)
      for (const value of missing) putShort(content, value)
    }
  })
}

function putCounted(block: ByteBlock, text: string): void {
  block.putInt32(utf8Length(text))
  block.putText(text)
}

function putExtensionHead(block: ByteBlock, subtype: number, size: number, count: number): void {
  block.putInt32(7)
  block.putInt32(subtype)
  block.putInt32(size)
  block.putInt32(count)
}

/** A record whose length is known once its content is written. */
function putExtension(block: ByteBlock, subtype: number, size: number, putContent: (block: ByteBlock) => void): void {
  putExtensionHead(block, subtype, size, 0)
  const start = block.at
  putContent(block)
  const end = block.at
  block.at = start - 4
  block.putInt32((end - start) / size)
  block.at = end
}

function encodeText(text: string): (block: ByteBlock) => void {
  return (block) => block.putText(text)
}
