import * as z from 'zod/mini'
import { secondPassStates } from '#core/review/doubleEntry.ts'
import { changeReason, itemContent } from '#core/sync/entryChange.ts'
import { entryRow, patientRow } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, hash, id, instant, paging, pass, prop, text } from '#core/wire/shapes.ts'

/** Double entry (specification §7): the two passes of a patient, what they say differently, and their merge. */

const DOUBLE = 'server/areas/doubleEntry'

/** Who entered what one pass says, and when on their tablet; null where nobody did. */
const enteredBy = z.nullable(z.object({ name: z.string(), at: instant }))

/** One thing that the passes say differently (`core/review/gaps.ts`). */
export const gapRow = z.object({
  /** Names the gap in a merge: the first pass's entry and the address on its page. */
  id: z.string(),
  /** Entry of the first pass, which need not be there yet, and of the second. */
  entryId: id,
  secondEntryId: id,
  folderName: z.string(),
  folderNameEn: englishName,
  pageName: z.string(),
  pageNameEn: englishName,
  pageId: id,
  /** Code of the table where it lies in a row, and the place of the row, from 1. */
  table: z.nullable(prop),
  rowNo: z.nullable(z.int()),
  /** Code of the field; of a whole row, its table's. */
  code: prop,
  kind: z.enum(['row', 'missing', 'different', 'format', 'case']),
  first: itemContent,
  second: itemContent,
  /** Whether both are masked for the reader. Absent from older servers. */
  masked: z.exactOptional(z.boolean()),
  firstBy: enteredBy,
  secondBy: enteredBy,
  /** Accepted as equivalent, as long as neither value changes. */
  ignored: z.nullable(z.object({ reason: z.string(), byName: z.string(), at: instant })),
})
export type GapRow = z.infer<typeof gapRow>

/** How often two passes said the same, as far as they were compared. */
export const agreement = z.object({ compared: z.int(), differing: z.int() })
export type Agreement = z.infer<typeof agreement>

export const gapCheck = z.object({
  patientId: id,
  state: z.enum(secondPassStates),
  gaps: z.array(gapRow),
  agreement,
  /**
   * Of everything that was compared: a merge names it, so that nothing is decided about values that nobody has seen.
   */
  compared: hash,
})
export type GapCheck = z.infer<typeof gapCheck>

const decision = z.object({
  id: text(300),
  choose: z.enum(['first', 'second', 'new']),
  /** The new value, and why it is neither; only where that is chosen. */
  to: z.optional(itemContent),
  reason: z.optional(changeReason),
})

const bilingual = z.object({ zh: z.string(), en: z.nullable(z.string()) })

/** Counts of one field, person or center. */
const share = z.object({ ...agreement.def.shape, name: z.string() })

/** Leaves out what identifies a patient, also for those who may see it. Anything but `true` is no. */
const skipSensitive = z.optional(text(5))

/** What a field is called: its page, and the table it lies in where it does. */
const fieldName = z.object({
  pageName: z.string(),
  pageNameEn: englishName,
  table: z.nullable(bilingual),
  field: bilingual,
})
/** Counts of a field, `pageCode.code` or `pageCode.table.code`; `label` is null where no definition has it any more. */
const fieldShare = z.object({ ...share.def.shape, label: z.nullable(fieldName) })
export type FieldShare = z.infer<typeof fieldShare>

const byPatient = z.object({ id })
const REFUSED = [
  'not_found',
  'forbidden',
  'own_entry',
  'invalid',
  'transition_refused',
  'project_stopped',
  'project_closed',
  'key_reused',
] as const

export const doubleEntryCalls = [
  defineCall({
    id: 'double.gapCheck',
    area: 'doubleEntry',
    method: 'POST',
    write: false,
    path: '/edc/data/crf/patient/:id/data/gap/check',
    summary: 'Compares the two passes of a patient.',
    params: byPatient,
    data: gapCheck,
    permission: 'double_merge',
    errors: ['not_found', 'forbidden', 'own_entry'],
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.list',
    area: 'doubleEntry',
    method: 'GET',
    path: '/edc/data/crf/patient/:id/double/data/list',
    summary: 'The entries of both passes, side by side.',
    params: byPatient,
    data: z.object({
      folderName: z.string(),
      folderNameEn: englishName,
      pageName: z.string(),
      pageNameEn: englishName,
      first: z.nullable(entryRow),
      second: z.nullable(entryRow),
    }),
    answer: 'tree',
    permission: 'double_merge',
    errors: ['not_found', 'forbidden', 'own_entry'],
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.merge',
    area: 'doubleEntry',
    method: 'PUT',
    path: '/edc/data/crf/patient/data/merge',
    summary: 'Makes the first pass what was decided about each gap, and ends the second.',
    body: z.object({ patientId: id, compared: hash, choices: z.array(decision).check(z.maxLength(20_000)) }),
    data: gapCheck,
    permission: 'double_merge',
    errors: [...REFUSED, 'revision_changed'],
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.gapIgnore',
    area: 'doubleEntry',
    method: 'PUT',
    path: '/edc/data/item/gap/ignore',
    summary:
      'Accepts differences as equivalent, with a reason, or takes that back. A value that changes opens its gap again.',
    body: z.object({
      dataIdList: z.array(text(300)).check(z.minLength(1), z.maxLength(1000)),
      isIgnoreGap: z.union([z.literal(0), z.literal(1)]),
      reason: z.optional(filledText(1000)),
    }),
    data: z.boolean(),
    permission: 'double_merge',
    errors: REFUSED,
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.create',
    area: 'doubleEntry',
    method: 'POST',
    path: '/edc/data/crf/patient/create',
    summary: 'Opens the second pass of a patient.',
    body: z.object({ patientId: id, doubleSeqNo: z._default(pass, 2), reason: z.optional(text(1000)) }),
    data: z.boolean(),
    permission: 'double_entry',
    errors: REFUSED,
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.destroy',
    area: 'doubleEntry',
    method: 'DELETE',
    path: '/edc/data/crf/patient/destroy',
    summary:
      'Gives up a second pass that was not merged, with a reason: its pages are empty again, what was in them is in the audit trail.',
    query: z.object({ patientId: id, doubleSeqNo: z.optional(text(1)) }),
    body: z.object({ reason: filledText(1000) }),
    data: z.boolean(),
    permission: 'double_merge',
    errors: REFUSED,
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.agreement',
    area: 'doubleEntry',
    method: 'GET',
    path: '/edc/data/crf/double/agreement',
    summary:
      'How far the passes of all compared patients agree: over all, by field, by center, and by who entered which pass.',
    query: z.object({ projectId: id, centerId: z.optional(id) }),
    data: z.object({ total: agreement, fields: z.array(fieldShare), centers: z.array(share), people: z.array(share) }),
    permission: 'double_merge',
    errors: ['not_found', 'forbidden'],
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.detail',
    area: 'doubleEntry',
    method: 'GET',
    path: '/edc/data/crf/patient/detail',
    summary:
      'A patient in the pass of the header: not found in a pass that is not the reader’s, or that nobody has opened or entered.',
    query: z.object({ patientId: id, skipSensitive }),
    data: patientRow,
    errors: ['not_found'],
    servedBy: DOUBLE,
  }),
  defineCall({
    id: 'double.patients',
    area: 'doubleEntry',
    method: 'GET',
    path: '/edc/data/crf/patient/list',
    summary:
      'Patients in the pass of the header: in the first all, in the second those whose second pass was opened, entered or merged; none in a pass that is not the reader’s.',
    query: z.object({ ...paging, no: z.optional(text(60)), skipSensitive }),
    data: patientRow,
    answer: 'page',
    errors: ['not_found'],
    servedBy: DOUBLE,
  }),
]
