import * as z from 'zod/mini'
import { visitOutcomes, visitStatuses } from '#core/study/visits/schedule.ts'
import { changeReason } from '#core/sync/entryChange.ts'
import { collidedFacts } from '#core/sync/protocol/lostPlace.ts'
import { receipt } from '#core/sync/protocol/operation.ts'
import { visitRow } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { pageNamed, patientNamed } from '#core/api/lineShapes.ts'
import { englishName } from '#core/api/englishName.ts'
import { day, id, paging, text } from '#core/wire/shapes.ts'

/** Visits of patients (specification §7 Patients and Subject data): what people say of them, and what is to be done. */

const VISIT = 'server/areas/visit'

/**
 * A visit by its key; its id is derived of it. `folderRepeat`: 0 for the one that the schedule defines, else a UUIDv7
 * made on the device.
 */
const visitKey = {
  id,
  projectId: id,
  patientId: id,
  folderId: id,
  folderRepeat: z.string().check(z.regex(/^(0|[0-9a-f-]{36})$/)),
}

/** What can be said of a visit. `removed` is only ever taken back here; taking a visit away is a call of its own. */
const visitFields = ['actualDate', 'outcome', 'outcomeReason', 'deviationReason', 'removed'] as const

const fieldText = z.nullable(text(1000))
const fieldChange = <const Field extends string>(fields: readonly Field[]) =>
  z.object({ field: z.enum(fields), to: fieldText, base: fieldText })

/**
 * A visit is made, or something is said of a planned one for the first time: each field with what the person saw (null:
 * nothing).
 */
export const visitSave = z.object({
  ...visitKey,
  fields: z.array(fieldChange(visitFields)).check(z.maxLength(8)),
  reason: z.nullable(changeReason),
})
/** A change of what was said: only the fields that change, each with what it builds on. */
export const visitChange = z.object({
  ...visitKey,
  fields: z.array(fieldChange(visitFields)).check(z.minLength(1), z.maxLength(8)),
  reason: z.nullable(changeReason),
})
export const visitRemoval = z.object({ ...visitKey, reason: changeReason })

/**
 * What holds of a folder for one patient: `applies` (`no`: it is not part of this patient's casebook; null: it is) and
 * `order`, its place among the folders (a whole number as text; null: that of the definition).
 */
const folderFields = ['applies', 'order'] as const
const folderKey = { id, projectId: id, patientId: id, folderId: id }
export const folderConfig = z.object({
  ...folderKey,
  fields: z.array(fieldChange(folderFields)).check(z.minLength(1), z.maxLength(2)),
  reason: z.nullable(changeReason),
})
export const folderRemoval = z.object({ ...folderKey, reason: changeReason })

const visitResult = z.object({ visit: z.nullable(visitRow), receipt, collided: collidedFacts })
export type VisitResult = z.infer<typeof visitResult>

/**
 * A visit as a list shows it: whose it is, when it is planned, what was said of it, and where it stands on the day that
 * was asked for.
 */
export const visitLine = z.object({
  id,
  patientId: id,
  ...patientNamed,
  centerId: id,
  folderId: id,
  folderRepeat: z.string(),
  /** 1 for the first visit of the folder. */
  no: z.int(),
  folderName: z.string(),
  folderNameEn: englishName,
  plannedDate: z.nullable(day),
  windowFrom: z.nullable(day),
  windowTo: z.nullable(day),
  actualDate: z.nullable(day),
  outcome: z.nullable(z.enum(visitOutcomes)),
  status: z.enum(visitStatuses),
  asked: z.int(),
  submitted: z.int(),
  /** What was said of it; null where nobody said anything yet. */
  row: z.nullable(visitRow),
})
export type VisitLine = z.infer<typeof visitLine>

/** Which visits a list is about: `waiting` those that are due or overdue, `coming` those whose window opens later. */
export const visitGroups = ['overdue', 'due', 'coming', 'waiting'] as const
export type VisitGroup = (typeof visitGroups)[number]

const pageTodo = z.object({
  entryId: id,
  patientId: id,
  ...pageNamed,
  why: z.enum(['conflict', 'missing', 'process', 'overdue', 'notStarted']),
  missing: z.int(),
})

/** What a tablet may say of a visit while it is offline. */
const visitWrite = {
  data: visitResult,
  permission: 'visit_edit',
  offline: 'queue',
  errors: ['invalid', 'forbidden', 'not_found', 'project_stopped', 'project_closed', 'key_reused'],
  servedBy: VISIT,
} as const

export const visitCalls = [
  defineCall({
    id: 'visit.list',
    area: 'visit',
    method: 'GET',
    path: '/edc/project/patient/visit/list',
    summary:
      'Visits of a patient in the order of the casebook, or of all patients whom the user can see by date (actual, else planned): planned date, window, actual date and status as of `today`. Without a patient, visits that have no date are left out.',
    query: z.object({
      projectId: id,
      patientId: z.optional(id),
      centerId: z.optional(id),
      group: z.optional(z.enum(visitGroups)),
      status: z.optional(z.enum(visitStatuses)),
      from: z.optional(day),
      to: z.optional(day),
      /** Only of patients whom a kept search finds; for who may search. */
      searchId: z.optional(id),
      /** The day on the clock of whoever looks; without it the server's. */
      today: z.optional(day),
      ...paging,
    }),
    data: visitLine,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found', 'invalid', 'forbidden'],
    servedBy: VISIT,
  }),
  defineCall({
    id: 'visit.save',
    area: 'visit',
    method: 'POST',
    path: '/edc/project/patient/visit/save',
    summary: 'Sets the facts of a planned visit for the first time, or makes an unscheduled or repeated one.',
    body: visitSave,
    ...visitWrite,
  }),
  defineCall({
    id: 'visit.update',
    area: 'visit',
    method: 'POST',
    path: '/edc/project/patient/visit/update',
    summary: 'Changes what was said of a visit, field by field, or brings back one that was removed.',
    body: visitChange,
    ...visitWrite,
  }),
  defineCall({
    id: 'visit.remove',
    area: 'visit',
    method: 'POST',
    path: '/edc/project/patient/visit/remove',
    summary:
      'Takes back a visit that a person made, with a reason; it keeps its entries, and nothing is physically deleted.',
    body: visitRemoval,
    ...visitWrite,
  }),
  defineCall({
    id: 'folder.config',
    area: 'visit',
    method: 'POST',
    path: '/edc/data/folder/config',
    summary: 'Says for one patient whether a folder is part of the casebook, and its place among the folders.',
    body: folderConfig,
    ...visitWrite,
  }),
  defineCall({
    id: 'folder.remove',
    area: 'visit',
    method: 'DELETE',
    path: '/edc/data/folder/:id/remove',
    summary:
      'Takes a folder out of one patient’s casebook, with a reason; refused while it holds a submitted page. folder/config brings it back.',
    params: z.object({ id }),
    body: folderRemoval,
    ...visitWrite,
  }),
  defineCall({
    id: 'entry.todo',
    area: 'entry',
    method: 'GET',
    path: '/edc/data/page/todo',
    summary:
      'Pages of a patient that somebody must go on with, in the order of the casebook, and why: in conflict, lacking required values, saved and not submitted; and of visits that are due or have taken place those that are not begun.',
    query: z.object({ patientId: id, today: z.optional(day) }),
    data: pageTodo,
    answer: 'tree',
    offline: 'cache',
    errors: ['not_found', 'invalid'],
    servedBy: VISIT,
  }),
]
