import * as z from 'zod/mini'
import { changeReason } from '../sync/entryChange.ts'
import { receipt } from '../sync/operation.ts'
import { patientIdentity, patientRow } from '../sync/rows.ts'
import { defineCall } from './call.ts'
import { day, filledText, id, json, paging, queryInt, text } from './shapes.ts'

/** Patients of a project (SPEC §7 Patients). */

const PATIENT = 'server/areas/patient'

/** Enrolment. The id is made on the device. `no` is from a block the device leased, or null: visibly unnumbered until the next contact. */
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

const patientResult = z.object({ patient: z.nullable(patientRow), receipt })
export type PatientResult = z.infer<typeof patientResult>

const byPatient = z.object({ id, skipSensitive: z.optional(text(5)) })
const visit = z.object({
  id,
  patientId: id,
  folderId: id,
  folderRepeat: z.string(),
  plannedDate: z.nullable(day),
  actualDate: z.nullable(day),
  status: z.string(),
})
const visitInput = { patientId: id, folderId: id, folderRepeat: text(36), actualDate: z.nullable(day), reason: z.optional(changeReason) }

const WRITE = ['invalid', 'forbidden', 'not_found', 'project_stopped', 'project_closed', 'key_reused'] as const

export const patientCalls = [
  defineCall({ id: 'patient.list', area: 'patient', method: 'GET', path: '/edc/project/patient/list', summary: 'Patients the user can see, with todo=any those with a page that somebody has to go on with; totals are exact to 10,000.', query: z.object({ projectId: id, centerId: z.optional(id), no: z.optional(text(60)), todo: z.optional(z.literal('any')), current: z._default(queryInt(1, 100_000), 1), size: z._default(queryInt(1, 500), 10) }), data: patientRow, answer: 'page', offline: 'cache', errors: ['not_found'], servedBy: PATIENT }),
  defineCall({ id: 'patient.detail', area: 'patient', method: 'GET', path: '/edc/project/patient/detail', summary: 'One patient.', query: byPatient, data: patientRow, offline: 'cache', errors: ['not_found'], servedBy: PATIENT }),
  defineCall({ id: 'patient.save', area: 'patient', method: 'POST', path: '/edc/project/patient/save', summary: 'Enrols a patient.', body: patientEnrolment, data: patientResult, permission: 'patient_enrol', offline: 'queue', errors: [...WRITE, 'already_exists', 'center_disabled'], servedBy: PATIENT }),
  defineCall({ id: 'patient.update', area: 'patient', method: 'POST', path: '/edc/project/patient/update', summary: 'Changes what is known of a patient.', body: patientChange, data: patientResult, permission: 'patient_edit', offline: 'queue', errors: WRITE, servedBy: PATIENT }),
  defineCall({ id: 'patient.remove', area: 'patient', method: 'POST', path: '/edc/project/patient/remove', summary: 'Removes a patient, with a reason; nothing is physically deleted.', body: patientRemoval, data: patientResult, permission: 'patient_remove', offline: 'queue', errors: WRITE, servedBy: PATIENT }),
  defineCall({ id: 'patient.expertSave', area: 'patient', method: 'POST', path: '/edc/project/patient/expert/save', summary: 'Experts of a patient.', body: z.object({ patientId: id, expertIds: z.array(id) }), data: z.boolean(), permission: 'patient_edit' }),
  defineCall({ id: 'patient.memberSave', area: 'patient', method: 'POST', path: '/edc/project/patient/mem/save', summary: 'Members who look after a patient.', body: z.object({ patientId: id, memIds: z.array(id) }), data: z.boolean(), permission: 'patient_edit' }),
  defineCall({ id: 'visit.list', area: 'visit', method: 'GET', path: '/edc/project/patient/visit/list', summary: 'Visits, of a patient or project-wide.', query: z.object({ projectId: id, patientId: z.optional(id), ...paging }), data: visit, answer: 'page', offline: 'cache' }),
  defineCall({ id: 'visit.save', area: 'visit', method: 'POST', path: '/edc/project/patient/visit/save', summary: 'Adds an unscheduled visit.', body: z.object({ id, ...visitInput }), data: visit, permission: 'visit_edit' }),
  defineCall({ id: 'visit.update', area: 'visit', method: 'POST', path: '/edc/project/patient/visit/update', summary: 'Changes a visit.', body: z.object({ id, ...visitInput }), data: visit, permission: 'visit_edit' }),
  defineCall({ id: 'visit.remove', area: 'visit', method: 'POST', path: '/edc/project/patient/visit/remove', summary: 'Removes an unscheduled visit.', query: z.object({ ids: text(4000) }), data: z.boolean(), permission: 'visit_edit' }),
  defineCall({ id: 'patient.excel', area: 'patient', method: 'GET', path: '/edc/project/patient/excel/:name', summary: 'The patient list as a spreadsheet.', params: z.object({ name: z.string().check(z.regex(/^[^/\\]{1,100}\.xlsx$/)) }), query: z.object({ projectId: id }), data: json, answer: 'blob', permission: 'export' }),
  defineCall({ id: 'patient.sendNotice', area: 'patient', method: 'POST', path: '/edc/project/patient/send/notice', summary: 'Sends a notice to patients.', body: z.object({ projectId: id, pushType: z.enum(['note', 'email']), content: filledText(4000), patientIds: z.array(id).check(z.minLength(1)) }), data: z.boolean(), permission: 'patient_edit' }),
]
