import * as z from 'zod/mini'
import { changeReason } from '#core/sync/entryChange.ts'
import { collidedFacts } from '#core/sync/protocol/lostPlace.ts'
import { receipt } from '#core/sync/protocol/operation.ts'
import { patientIdentity, patientRow } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { noticeDraft, noticeResult, noticeWays, noticeWaysAsked } from '#core/api/patientMessage.ts'
import { day, id, json, prop, queryInt, text } from '#core/wire/shapes.ts'

/** Patients of a project (specification §7 Patients). */

const PATIENT = 'server/areas/patient'
const MESSAGE = 'server/areas/message'

/**
 * Enrolment. The id is made on the device. `no` is from a block the device leased, or null: visibly unnumbered until
 * the next contact.
 */
export const patientEnrolment = z.object({
  id,
  projectId: id,
  centerId: id,
  no: z.nullable(text(60)),
  /** Short mark shown while there is no number (4 hexadecimal digits). */
  mark: z.string().check(z.regex(/^[0-9A-F]{4}$/)),
  initials: z.nullable(text(20)),
  sex: z.nullable(z.enum(['F', 'M'])),
  enrolledOn: z.nullable(day),
  identity: patientIdentity,
})
export type PatientEnrolment = z.infer<typeof patientEnrolment>

/** A change of what is known of a patient: only the fields that change, each with what it builds on. */
export const patientChange = z.object({
  id,
  projectId: id,
  fields: z
    .array(
      z.object({
        field: z.enum(['initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate']),
        to: z.nullable(text(200)),
        base: z.nullable(text(200)),
      }),
    )
    .check(z.minLength(1)),
  reason: z.nullable(changeReason),
})
export type PatientChange = z.infer<typeof patientChange>

export const patientRemoval = z.object({ id, projectId: id, reason: changeReason })

const patientResult = z.object({ patient: z.nullable(patientRow), receipt, collided: collidedFacts })
export type PatientResult = z.infer<typeof patientResult>

/** Leaves out what identifies a patient, also for those who may see it. Anything but `true` is no. */
const skipSensitive = z.optional(text(5))
const byPatient = z.object({ id, skipSensitive })

/** What a list of patients can be narrowed down to. */
const filter = {
  centerId: z.optional(id),
  /** Part of a subject number, of the mark of an unnumbered patient, or of the initials. */
  no: z.optional(text(60)),
  sex: z.optional(z.enum(['F', 'M'])),
  /** First and last day of enrolment. */
  from: z.optional(day),
  to: z.optional(day),
  /** Only those with a page that somebody has to go on with. */
  todo: z.optional(z.literal('any')),
  /** Only those whom the reader enrolled or who are assigned to them. */
  mine: z.optional(z.literal('true')),
  /** Only those assigned to this member. */
  expertId: z.optional(id),
  /** Only those with data on this page, and with a row in this table of it. */
  pageId: z.optional(id),
  table: z.optional(prop),
  /** Only those whom a kept search finds; for who may search. */
  searchId: z.optional(id),
  /** Only those who were removed; for who may see the audit trail. */
  removed: z.optional(z.literal('true')),
}
const patientFilter = z.object(filter)
export type PatientFilter = z.infer<typeof patientFilter>
/** Ids of members. */
const assigned = z.array(id).check(z.maxLength(200))
const ASSIGN = ['invalid', 'forbidden', 'not_found', 'project_closed', 'key_reused'] as const
const WRITE = ['invalid', 'forbidden', 'not_found', 'project_stopped', 'project_closed', 'key_reused'] as const

export const patientCalls = [
  defineCall({
    id: 'patient.list',
    area: 'patient',
    method: 'GET',
    path: '/edc/project/patient/list',
    summary:
      'Patients the user can see, with todo=any those with a page that somebody has to go on with; totals are exact to 10,000.',
    query: z.object({
      projectId: id,
      ...filter,
      skipSensitive,
      current: z._default(queryInt(1, 100_000), 1),
      size: z._default(queryInt(1, 500), 10),
    }),
    data: patientRow,
    answer: 'page',
    offline: 'cache',
    errors: ['invalid', 'not_found', 'forbidden'],
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.detail',
    area: 'patient',
    method: 'GET',
    path: '/edc/project/patient/detail',
    summary: 'One patient.',
    query: byPatient,
    data: patientRow,
    offline: 'cache',
    errors: ['not_found'],
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.project',
    area: 'patient',
    method: 'GET',
    path: '/edc/project/patient/project',
    summary:
      'The project of a patient that the user can see, for an address that names the patient alone (specification §2).',
    query: z.object({ id }),
    data: z.object({ projectId: id }),
    errors: ['not_found', 'project_not_started'],
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.save',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/save',
    summary: 'Enrols a patient.',
    body: patientEnrolment,
    data: patientResult,
    permission: 'patient_enrol',
    offline: 'queue',
    errors: [...WRITE, 'already_exists', 'center_disabled'],
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.update',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/update',
    summary:
      'Changes what is known of a patient. X-Notify says whether those whom the patient is assigned to are to be told.',
    body: patientChange,
    data: patientResult,
    permission: 'patient_edit',
    offline: 'queue',
    errors: WRITE,
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.remove',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/remove',
    summary: 'Removes a patient, with a reason; nothing is physically deleted.',
    body: patientRemoval,
    data: patientResult,
    permission: 'patient_remove',
    offline: 'queue',
    errors: WRITE,
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.expertSave',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/expert/save',
    summary:
      'The experts that a patient is assigned to: those named and no others. Experts see no other patients. X-Notify says whether they are to be told.',
    body: z.object({ patientId: id, expertIds: assigned }),
    data: z.boolean(),
    permission: 'patient_edit',
    errors: ASSIGN,
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.memberSave',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/mem/save',
    summary:
      'The members who look after a patient: those named and no others. X-Notify says whether they are to be told.',
    body: z.object({ patientId: id, memIds: assigned }),
    data: z.boolean(),
    permission: 'patient_edit',
    errors: ASSIGN,
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.excel',
    area: 'patient',
    method: 'GET',
    path: '/edc/project/patient/excel/:name',
    summary:
      'The patient list as a spreadsheet, narrowed down as the list can be. What identifies patients is in it only for who holds export_identified and patient_sensitive; every download is in the audit trail.',
    params: z.object({ name: z.string().check(z.regex(/^[^/\\]{1,100}\.xlsx$/)) }),
    query: z.object({ projectId: id, ...filter }),
    data: json,
    answer: 'blob',
    permission: 'export',
    errors: ['invalid', 'not_found', 'forbidden'],
    servedBy: PATIENT,
  }),
  defineCall({
    id: 'patient.sendNotice',
    area: 'patient',
    method: 'POST',
    path: '/edc/project/patient/send/notice',
    summary: 'Sends a message to patients. It is on its way when the call is answered, and goes on without the sender.',
    body: noticeDraft,
    data: noticeResult,
    permission: 'patient_edit',
    errors: [...WRITE, 'message_way_missing'],
    servedBy: MESSAGE,
  }),
  defineCall({
    id: 'patient.noticeWays',
    area: 'patient',
    method: 'POST',
    write: false,
    path: '/edc/project/patient/send/notice/ways',
    summary: 'How patients can be written to, and which of these cannot be reached; no address is told.',
    body: noticeWaysAsked,
    data: noticeWays,
    permission: 'patient_edit',
    errors: ['not_found', 'forbidden'],
    servedBy: MESSAGE,
  }),
]
