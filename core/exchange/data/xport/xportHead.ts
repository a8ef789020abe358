import type { ByteBlock } from '../byteBlock.ts'
import { cutUtf8, utf8Length } from '../utf8.ts'
import type { XportTable, XportVariable, XportVersion } from './xportVariables.ts'

/** What stands before the rows of a SAS transport file: records of 80 bytes, as SAS describes them (TS-140). */

const RECORD = 80
const OLD_LABEL = 40
const SPACE = 0x20
const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** Writes the head of the file and of its one table. @param createdAt yyyy-MM-ddTHH:mm:ssZ */
export function putXportHead(
  block: ByteBlock,
  { name, label }: XportTable,
  variables: readonly XportVariable[],
  { version, rows, createdAt }: { readonly version: XportVersion; readonly rows: number; readonly createdAt: string },
): void {
  const isOld = version.version === 5
  const at = sasInstant(createdAt)
  putHeader(block, isOld ? 'LIBRARY' : 'LIBV8', '0'.repeat(30))
  block.putText(
    `${pad('SAS', 8)}${pad('SAS', 8)}${pad('SASLIB', 8)}${pad('9.4', 8)}${pad('Linux', 8)}${pad('', 24)}${at}`,
  )
  block.putText(pad(at, RECORD))
  putHeader(block, isOld ? 'MEMBER' : 'MEMBV8', '000000000000000001600000000140')
  putHeader(block, isOld ? 'DSCRPTR' : 'DSCPTV8', '0'.repeat(30))
  block.putText(`${pad('SAS', 8)}${pad(name, isOld ? 8 : 32)}${pad('SASDATA', 8)}${pad('9.4', 8)}${pad('Linux', 8)}`)
  if (isOld) block.putText(pad('', 24))
  block.putText(at)
  block.putText(`${at}${pad('', 16)}`)
  block.putPadded(label, 40, SPACE)
  block.putText(pad('DATA', 8))
  const count = String(variables.length).padStart(4, '0')
  putHeader(block, isOld ? 'NAMESTR' : 'NAMSTV8', `000000${count}${'0'.repeat(20)}`)
  putVariables(block, variables, isOld)
  if (!isOld) putLongLabels(block, variables)
  // The new form says how many rows there are.
  putHeader(block, isOld ? 'OBS' : 'OBSV8', isOld ? '0'.repeat(30) : String(rows))
}

function putHeader(block: ByteBlock, kind: string, rest: string): void {
  block.putText(pad(`HEADER RECORD*******${pad(kind, 8)}HEADER RECORD!!!!!!!${rest}`, RECORD))
}

function pad(text: string, width: number): string {
  return text.padEnd(width, ' ')
}

/** ddMMMyy:hh:mm:ss */
function sasInstant(createdAt: string): string {
  const [year = '', month = '', day = ''] = createdAt.slice(0, 10).split('-')
  return `${day}${MONTHS[Number(month) - 1] ?? 'JAN'}${year.slice(2)}:${createdAt.slice(11, 19)}`
}

function putVariables(block: ByteBlock, variables: readonly XportVariable[], isOld: boolean): void {
  const start = block.at
  let position = 0
  for (const [at, { name, label, isText, width, format }] of variables.entries()) {
    block.putUint16(isText ? 2 : 1, false)
    block.putUint16(0, false)
    block.putUint16(width, false)
    block.putUint16(at + 1, false)
    block.putPadded(name.slice(0, 8), 8, SPACE)
    block.putPadded(cutUtf8(label, OLD_LABEL), 40, SPACE)
    block.putPadded(format?.name ?? '', 8, SPACE)
    block.putUint16(format?.width ?? 0, false)
    block.putFill(2 + 2 + 2, 0) // decimals, left, unused
    block.putPadded('', 8, SPACE)
    block.putFill(4, 0)
    block.putInt32(position, false)
    position += width
    if (isOld) {
      block.putFill(52, 0)
    } else {
      block.putPadded(name, 32, SPACE)
      block.putUint16(utf8Length(label), false)
      block.putFill(18, 0)
    }
  }
  putFilling(block, start)
}

/** Labels of more than 40 bytes, again and whole. */
function putLongLabels(block: ByteBlock, variables: readonly XportVariable[]): void {
  const long = [...variables.entries()].filter(([, { label }]) => utf8Length(label) > OLD_LABEL)
  if (long.length === 0) return
  putHeader(block, 'LABELV8', String(long.length))
  const start = block.at
  for (const [at, { name, label }] of long) {
    block.putUint16(at + 1, false)
    block.putUint16(name.length, false)
    block.putUint16(utf8Length(label), false)
    block.putText(name)
    block.putText(label)
  }
  putFilling(block, start)
}

/** Spaces up to the end of a record. */
function putFilling(block: ByteBlock, start: number): void {
  const over = (block.at - start) % RECORD
  if (over > 0) block.putFill(RECORD - over, SPACE)
}
