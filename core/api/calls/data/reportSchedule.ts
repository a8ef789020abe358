import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { reportSchedule, reportSchedules, scheduleWanted } from '#core/api/reportSchedule.ts'
import { id } from '#core/wire/shapes.ts'

/** Reports by e-mail (docs/adr/0056-reports-by-mail.md). */

const REPORT_MAIL = 'server/areas/reportMail'

const ASK = ['forbidden', 'not_found', 'invalid'] as const
/** In a project of any status, as reports are read. */
const WRITE = [...ASK, 'key_reused'] as const

export const reportScheduleCalls = [
  defineCall({
    id: 'report.schedules',
    area: 'report',
    method: 'GET',
    path: '/edc/data/report/schedule/list',
    summary: 'The reports of a project that the user has sent to themselves by e-mail, with what became of the last.',
    query: z.object({ projectId: id }),
    data: reportSchedules,
    permission: 'report_view',
    errors: ASK,
    servedBy: REPORT_MAIL,
  }),
  defineCall({
    id: 'report.scheduleSave',
    area: 'report',
    method: 'POST',
    path: '/edc/data/report/schedule/save',
    summary: 'Has a report sent to the user by e-mail, or changes how; one that was paused goes on.',
    body: scheduleWanted,
    data: reportSchedule,
    permission: 'report_view',
    errors: WRITE,
    servedBy: REPORT_MAIL,
  }),
  defineCall({
    id: 'report.scheduleRemove',
    area: 'report',
    method: 'POST',
    path: '/edc/data/report/schedule/remove',
    summary: 'Ends one of the own reports by e-mail.',
    body: z.object({ id, projectId: id }),
    data: z.boolean(),
    permission: 'report_view',
    errors: WRITE,
    servedBy: REPORT_MAIL,
  }),
] as const
