/** What a file is, by its contents: its name is never asked. */

/** Kinds that a reader exists for. */
export const sourceKinds = [
  'redcap',
  'odm',
  'openclinica-rules',
  'xlsform',
  'xform',
  'openclinica',
  'workbook',
  'json',
] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Kinds that are known, and are no definition that can be read. */
export const foreignKinds = ['html', 'xml', 'zip', 'pdf', 'image'] as const
export type ForeignKind = (typeof foreignKinds)[number]

export type FileKind = SourceKind | ForeignKind

/** What a text may be. */
export type TextFileKind = Exclude<FileKind, 'xlsform' | 'openclinica' | 'workbook' | 'zip' | 'pdf' | 'image'>

/** Files that are no text; which definition a workbook holds only its sheets say. */
export type BinaryKind = 'xlsx' | 'xls' | Extract<ForeignKind, 'zip' | 'pdf' | 'image'>

/** First bytes of files that are no text. What begins like a zip is one of the formats that are packed so. */
const SIGNATURES: readonly (readonly [kind: BinaryKind, bytes: readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['xls', [0xd0, 0xcf, 0x11, 0xe0]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
]

/** How far into an archive the names of its first parts are looked for. */
const ARCHIVE_HEAD = 4_096

/** What the bytes of a file say that is no text; null where it may be text. */
export function binaryKindOf(bytes: Uint8Array): BinaryKind | null {
  const found = SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0] ?? null
  return found === 'zip' && isWorkbook(bytes) ? 'xlsx' : found
}

/** A workbook is an archive whose parts have names of their own. */
function isWorkbook(bytes: Uint8Array): boolean {
  const head = Array.from(bytes.subarray(0, ARCHIVE_HEAD), (byte) => String.fromCharCode(byte)).join('')
  return head.includes('xl/') || head.includes('[Content_Types].xml')
}

/** How much of a text is looked at. */
const HEAD = 100_000

/** How an object or a list of JSON begins. A table, too, may begin with a bracket. */
const JSON_HEAD = /^(?:\{\s*["}]|\[\s*["{[\]\d])/

/** What the text of a file says. What is neither XML nor JSON may be a table. */
export function textKindOf(text: string): TextFileKind {
  const head = text
    .slice(0, HEAD)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (head.startsWith('<')) return xmlKindOf(head)
  return JSON_HEAD.test(head) ? 'json' : 'redcap'
}

function xmlKindOf(head: string): TextFileKind {
  const root = rootTagOf(head)
  const name = /^<(?:[^\s:/>]+:)?([^\s:/>]+)/.exec(root)?.[1] ?? ''
  if (name === 'ODM') return 'odm'
  if (name === 'RuleImport') return 'openclinica-rules'
  if (name.toLowerCase() === 'html') return head.includes('http://www.w3.org/2002/xforms') ? 'xform' : 'html'
  return /^<!doctype\s+html/i.test(head) ? 'html' : 'xml'
}

/** The tag of the first element: what may stand before it is passed over, each in one step. */
function rootTagOf(head: string): string {
  let at = 0
  for (;;) {
    const open = head.indexOf('<', at)
    if (open === -1) return ''
    const end = endOfProlog(head, open)
    if (end === null) return head.slice(open, open + 1_000)
    if (end === -1) return ''
    at = end
  }
}

/** Where a comment, an instruction or a document type ends; −1 where it does not, null for a tag. */
function endOfProlog(head: string, open: number): number | null {
  const ends: readonly (readonly [begin: string, end: string])[] = [
    ['<!--', '-->'],
    ['<?', '?>'],
    ['<!', '>'],
  ]
  const found = ends.find(([begin]) => head.startsWith(begin, open))
  if (found === undefined) return null
  // Within the brackets of a document type stand tags of their own.
  const from = found[0] === '<!' && /^<![^<>]*\[/.test(head.slice(open, open + 2_000)) ? head.indexOf(']', open) : open
  const end = from === -1 ? -1 : head.indexOf(found[1], from)
  return end === -1 ? -1 : end + found[1].length
}
