import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { measureCodes, reportKinds } from '#core/report/kinds.ts'
import { day, id, instant, paging } from '#core/wire/shapes.ts'

/** Reports on how a study goes (docs/adr/0052-reports.md). */

const REPORT = 'server/areas/report'

const figures = z.record(z.string(), z.nullable(z.number()))

/** A center or a person, with their figures. */
export const reportLine = z.object({ id, name: z.string(), figures })
export type ReportLine = z.infer<typeof reportLine>

/** What a report tells, of what the reader may see. */
export const report = z.object({
  kind: z.enum(reportKinds),
  /** When it was counted. */
  at: instant,
  lines: z.array(reportLine),
  /** All lines together: not always their sum, as a median is none. */
  total: figures,
  /** Over time, oldest first; empty where the report has no course. `month` is yyyy-MM. */
  months: z.array(z.object({ month: z.string(), figures })),
  /** Why subjects left the study, the most frequent reasons first; of the report on their flow. */
  reasons: z.array(z.object({ text: z.string(), count: z.number() })),
  /** The forms that its figures were recognised in; empty where they come from no form. */
  sources: z.array(z.object({ name: z.string(), nameEn: z.nullable(z.string()) })),
  /** Why nothing of a form is counted: the study has no such form, or the reader may not see its fields. */
  untold: z.nullable(z.enum(['noForm', 'masked'])),
})
export type Report = z.infer<typeof report>

/** A subject behind a figure. */
export const reportSubject = z.object({
  patientId: id,
  patientNo: z.nullable(z.string()),
  patientMark: z.string(),
  initials: z.nullable(z.string()),
  centerId: id,
  centerName: z.string(),
  value: z.number(),
})
export type ReportSubject = z.infer<typeof reportSubject>

const asked = {
  projectId: id,
  kind: z.enum(reportKinds),
  centerId: z.optional(id),
  /** First and last day of the period, on the study's clock; of reports that have a period. */
  from: z.optional(day),
  to: z.optional(day),
}

/** Most reports that a person has on their workspace. */
export const MOST_PINS = 6

const pinned = z.array(z.enum(reportKinds)).check(z.maxLength(MOST_PINS))

export const reportCalls = [
  defineCall({
    id: 'report.read',
    area: 'report',
    method: 'GET',
    path: '/edc/data/report/read',
    summary: 'A report on how the study goes, by center or person, of what the user may see.',
    query: z.object(asked),
    data: report,
    permission: 'report_view',
    errors: ['forbidden', 'not_found', 'invalid'],
    servedBy: REPORT,
  }),
  defineCall({
    id: 'report.subjects',
    area: 'report',
    method: 'GET',
    path: '/edc/data/report/subjects',
    summary: 'The subjects behind a figure of a report, those with most of it first.',
    query: z.object({ ...asked, measure: z.enum(measureCodes), ...paging }),
    data: reportSubject,
    answer: 'page',
    permission: 'report_view',
    errors: ['forbidden', 'not_found', 'invalid'],
    servedBy: REPORT,
  }),
  defineCall({
    id: 'report.pins',
    area: 'report',
    method: 'GET',
    path: '/edc/data/report/pin/list',
    summary: 'The reports that the user has pinned to their workspace of a project, in their order.',
    query: z.object({ projectId: id }),
    data: pinned,
    permission: 'report_view',
    errors: ['forbidden', 'not_found', 'invalid'],
    servedBy: REPORT,
  }),
  defineCall({
    id: 'report.pinSave',
    area: 'report',
    method: 'POST',
    path: '/edc/data/report/pin/save',
    summary: 'Sets which reports the user has on their workspace of a project: all of them, in their order.',
    body: z.object({ projectId: id, kinds: pinned }),
    data: pinned,
    permission: 'report_view',
    errors: ['forbidden', 'not_found', 'invalid', 'key_reused'],
    servedBy: REPORT,
  }),
] as const
