import { ByteBlock } from '../byteBlock.ts'
import { utf8Length } from '../utf8.ts'
import type { DtaVariable } from './dtaVariables.ts'
import { labelBytes } from './dtaVariables.ts'

/** What stands before and behind the rows of a Stata file: marked parts, and a map of where each begins. */

const NAME_BYTES = 129
const FORMAT_BYTES = 57
const LABEL_BYTES = 321
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export interface DtaHead {
  readonly rows: number
  /** Bytes of the texts that lie apart from the rows. */
  readonly apart: number
  /** yyyy-MM-ddTHH:mm:ssZ. */
  readonly createdAt: string
}

/** Writes all parts before the rows. @param label of the table, at most 80 characters */
export function putDtaHead(block: ByteBlock, label: string, variables: readonly DtaVariable[], head: DtaHead): void {
  putHeader(block, label, variables.length, head)
  const map = block.at
  const parts = new ByteBlock()
  const starts = describeVariables(parts, variables, map + MAP_BYTES)
  const data = map + MAP_BYTES + parts.at
  const row = variables.reduce((sum, { width }) => sum + width, 0)
  const texts = data + '<data></data>'.length + row * head.rows
  const labels = texts + '<strls></strls>'.length + head.apart
  const listed = variables.reduce(
    (sum, { labels: own }) => sum + (own === null ? 0 : partBytes(own.values.length, labelBytes(own))),
    0,
  )
  const end = labels + '<value_labels></value_labels>'.length + listed
  block.putText('<map>')
  for (const place of [0, map, ...starts, data, texts, labels, end, end + '</stata_dta>'.length]) {
    block.putUint64(place)
  }
  block.putText('</map>')
  block.putBytes(parts.take())
}

const MAP_BYTES = '<map></map>'.length + 14 * 8

function putHeader(block: ByteBlock, label: string, count: number, { rows, createdAt }: DtaHead): void {
  block.putText('<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>')
  block.putUint16(count)
  block.putText('</K><N>')
  block.putUint64(rows)
  block.putText('</N><label>')
  block.putUint16(utf8Length(label))
  block.putText(label)
  block.putText('</label><timestamp>')
  const [year = '', month = '', day = ''] = createdAt.slice(0, 10).split('-')
  const stamp = `${day} ${MONTHS[Number(month) - 1] ?? 'Jan'} ${year} ${createdAt.slice(11, 16)}`
  block.putByte(stamp.length)
  block.putText(stamp)
  block.putText('</timestamp></header>')
}

/** Writes what the variables are. @returns where each of the parts begins in the file */
function describeVariables(block: ByteBlock, variables: readonly DtaVariable[], offset: number): number[] {
  const starts: number[] = []
  const putPart = (name: string, putContent: () => void) => {
    starts.push(offset + block.at)
    block.putText(`<${name}>`)
    putContent()
    block.putText(`</${name}>`)
  }
  putPart('variable_types', () => {
    for (const { storage } of variables) block.putUint16(storage)
  })
  putPart('varnames', () => {
    for (const { name } of variables) block.putPadded(name, NAME_BYTES, 0)
  })
  putPart('sortlist', () => block.putFill((variables.length + 1) * 2, 0))
  putPart('formats', () => {
    for (const { format } of variables) block.putPadded(format, FORMAT_BYTES, 0)
  })
  putPart('value_label_names', () => {
    for (const { labels } of variables) block.putPadded(labels?.name ?? '', NAME_BYTES, 0)
  })
  putPart('variable_labels', () => {
    for (const { label } of variables) block.putPadded(label, LABEL_BYTES, 0)
  })
  putPart('characteristics', () => undefined)
  return starts
}

function partBytes(count: number, texts: number): number {
  return '<lbl></lbl>'.length + 4 + NAME_BYTES + 3 + 8 + count * 8 + texts
}

/** Writes the labels of values. */
export function putDtaLabels(block: ByteBlock, variables: readonly DtaVariable[]): void {
  block.putText('<value_labels>')
  for (const { labels } of variables) {
    if (labels === null) continue
    const { name, values } = labels
    const bytes = labelBytes(labels)
    block.putText('<lbl>')
    block.putInt32(8 + values.length * 8 + bytes)
    block.putPadded(name, NAME_BYTES, 0)
    block.putFill(3, 0)
    block.putInt32(values.length)
    block.putInt32(bytes)
    let at = 0
    for (const [, label] of values) {
      block.putInt32(at)
      at += utf8Length(label) + 1
    }
    for (const [value] of values) block.putInt32(value)
    for (const [, label] of values) {
      block.putText(label)
      block.putByte(0)
    }
    block.putText('</lbl>')
  }
  block.putText('</value_labels>')
}
