import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { AddedList } from '#core/exchange/odm/version/writeMetaData.ts'
import { queryStates } from '#core/review/query.ts'
import { entryStatus } from '#core/sync/entryMark.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

/**
 * What ODM has no word for is in annotations with flags: the kind of annotation is of one list, and what it says is of
 * another, or stands in its comment. The lists are in every version of the definition, so that the flags mean something
 * to others too (docs/adr/0048-clinical-odm.md).
 */

/** By kind what an annotation says; the comment where nothing else is said. */
export const annotationKinds = [
  /** Why a value is missing: a code, and the person's words. */
  'missing',
  /** The value as it was entered, where the item cannot say it, or not exactly: as text or as JSON. */
  'asEntered',
  /** What became of an entry. */
  'status',
  /** The second pass of double entry. */
  'pass',
  /** The entry on whose page an entry was made. */
  'parent',
  /** Where a row stands among the others. */
  'rowOrder',
  /** A value whose field is not of the version, as JSON. */
  'unplaced',
  /** What no field has a place for since a release, as JSON. */
  'retired',
  'visitDate',
  'visitOutcome',
  /** The value is no longer kept, by law or by request. */
  'redacted',
  /** A query with its state, and all that was said. ODM 2.0 has an element for it. */
  'query',
] as const
export type AnnotationKind = (typeof annotationKinds)[number]

export const FLAG_LIST = 'ZL.ANNOTATION'
const MISSING_LIST = 'ZL.MISSING'
const ENTERED_LIST = 'ZL.ENTERED'
const STATUS_LIST = 'ZL.STATUS'
const QUERY_LIST = 'ZL.QUERYSTATE'

/** Lists of our own begin so. */
export const OWN_LIST = /^ZL\./

/** The list that what an annotation says is of; null where it says it in its comment alone. */
export function listOf(kind: AnnotationKind): string | null {
  switch (kind) {
    case 'missing':
      return MISSING_LIST
    case 'asEntered':
      return ENTERED_LIST
    case 'status':
      return STATUS_LIST
    case 'query':
      return QUERY_LIST
    case 'pass':
    case 'parent':
    case 'rowOrder':
    case 'unplaced':
    case 'retired':
    case 'visitDate':
    case 'visitOutcome':
    case 'redacted':
      return null
  }
}

const KIND_WORDS: Readonly<Record<AnnotationKind, readonly [zh: string, en: string]>> = {
  missing: ['缺失原因', 'Why the value is missing'],
  asEntered: ['按录入原样', 'As entered'],
  status: ['页面状态', 'Status of the page'],
  pass: ['录入遍次', 'Pass of double entry'],
  parent: ['所属页面', 'Page that it was made on'],
  rowOrder: ['行序', 'Order of the row'],
  unplaced: ['版本中没有的字段', 'Field that the version does not have'],
  retired: ['升版后不再有的字段', 'Field that a release removed'],
  visitDate: ['访视日期', 'Date of the visit'],
  visitOutcome: ['访视结果', 'Outcome of the visit'],
  redacted: ['内容已清除', 'Content redacted'],
  query: ['质疑', 'Query'],
}

const MISSING_WORDS: Readonly<Record<(typeof MISSING_CODES)[number], readonly [zh: string, en: string]>> = {
  ND: ['未做', 'Not done'],
  UNK: ['未知', 'Unknown'],
  NA: ['不适用', 'Not applicable'],
}

const STATUS_WORDS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  init: ['未录入', 'Not begun'],
  process: ['已保存', 'Saved'],
  [SUBMITTED]: ['已提交', 'Submitted'],
}

const QUERY_WORDS: Readonly<Record<(typeof queryStates)[number], readonly [zh: string, en: string]>> = {
  candidate: ['待定', 'Candidate'],
  open: ['未答复', 'Open'],
  answered: ['已答复', 'Answered'],
  closed: ['已关闭', 'Closed'],
  cancelled: ['已撤销', 'Cancelled'],
}

/** The lists of all flags. */
export const FLAG_LISTS: readonly AddedList[] = [
  list(
    FLAG_LIST,
    annotationKinds.map((kind) => [kind, ...KIND_WORDS[kind]]),
  ),
  list(
    MISSING_LIST,
    MISSING_CODES.map((code) => [code, ...MISSING_WORDS[code]]),
  ),
  list(ENTERED_LIST, [
    ['text', '文本', 'Text'],
    ['json', 'JSON', 'JSON'],
  ]),
  list(
    STATUS_LIST,
    entryStatus.options.map((status) => [status, ...(STATUS_WORDS[status] ?? [status, status])]),
  ),
  list(
    QUERY_LIST,
    queryStates.map((state) => [state, ...QUERY_WORDS[state]]),
  ),
]

function list(oid: string, rows: readonly (readonly [code: string, zh: string, en: string])[]): AddedList {
  return { oid, items: rows.map(([value, label, labelEn]) => ({ value, label, labelEn })) }
}

/** An annotation of our own. */
export interface Annotation {
  readonly kind: AnnotationKind
  /** Of the list of its kind; null where the kind has none. */
  readonly code: string | null
  /** Null without any. */
  readonly comment: string | null
}
