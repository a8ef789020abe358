import type { Pool } from 'pg'
import type { QueryOf } from '#core/api/call.ts'
import type { VisitGroup, VisitLine } from '#core/api/calls/visit.ts'
import type { CallOf } from '#core/api/table.ts'
import { visitId } from '#core/derivedIds.ts'
import { dayOfVisit } from '#core/study/visits/schedule.ts'
import type { VisitNames } from '#core/form/definition/inLanguage.ts'
import type { ScheduledVisit, VisitStatus } from '#core/study/visits/schedule.ts'
import { subjectsOfSearch } from '#server/areas/search/find.ts'
import { passParameter, seesAllPatients, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { visitsOnBoard } from '#server/areas/visit/board.ts'
import type { DatedVisit } from '#server/areas/visit/board.ts'
import { plannedFolders, rowOf, schedules } from '#server/areas/visit/schedules.ts'
import type { PatientSchedule, ScheduledFolder } from '#server/areas/visit/schedules.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Visits for a list: within the reader's project, centers and data scope, as they are on the requested day. */

export const GROUPS: Readonly<Record<VisitGroup, readonly VisitStatus[]>> = {
  overdue: ['overdue'],
  due: ['due'],
  coming: ['planned'],
  waiting: ['due', 'overdue'],
}

/** Visits that nobody looks for in a list by date. */
const UNLISTED: ReadonlySet<VisitStatus> = new Set(['removed', 'notApplicable'])

/**
 * One page of the visits.
 *
 * @throws ApiFailure forbidden, not_found, invalid for a search that the reader may not use, as `subjectsOfSearch`
 */
export async function listVisits(
  pool: Pool,
  transaction: Queryable,
  member: Membership,
  query: QueryOf<CallOf<'visit.list'>>,
  now: string,
): Promise<{ readonly lines: readonly VisitLine[]; readonly total: number }> {
  const folders = await plannedFolders(transaction, member.projectId)
  const names = new Map(folders.map((folder) => [folder.id, folder]))
  const { patientId = null, centerId = null, today = now.slice(0, 10) } = query
  const all = await visitsSeen(pool, transaction, member, folders, { patientId, centerId, today })
  const { searchId } = query
  const searched = searchId === undefined ? null : new Set(await subjectsOfSearch(transaction, member, searchId))
  const found = all.filter(
    ({ patient, visit }) => isWanted(visit, query) && (searched === null || searched.has(patient.id)),
  )
  const page = found.slice((query.current - 1) * query.size, query.current * query.size)
  return { total: found.length, lines: page.map((one) => lineOf(one, names)) }
}

/** Every visit that the member may see, as of a day: of one patient in the casebook's order, else by date. */
export async function visitsSeen(
  pool: Pool,
  transaction: Queryable,
  member: Membership,
  folders: readonly ScheduledFolder[],
  of: { readonly patientId: string | null; readonly centerId: string | null; readonly today: string },
): Promise<readonly DatedVisit[]> {
  const { patientId, centerId, today } = of
  // One patient, or the patients that a member with a narrow data scope sees, are few enough to be computed at once.
  if (patientId !== null || !seesAllPatients(member))
    return inOrder(await schedules(transaction, member, folders, of), patientId === null)
  const board = { projectId: member.projectId, pass: passParameter(member), folders }
  return (await visitsOnBoard(pool, transaction, board, today)).filter(
    ({ patient }) => seesCenter(member, patient.centerId) && (centerId === null || patient.centerId === centerId),
  )
}

/** One patient's visits stay in the order of the casebook. For several patients the earliest comes first. */
function inOrder(all: readonly PatientSchedule[], byDay: boolean): readonly DatedVisit[] {
  const visits = all.flatMap((one) =>
    one.visits.map((visit) => ({ patient: one.patient, visit, day: dayOfVisit(visit), row: rowOf(one, visit) })),
  )
  return byDay ? visits.toSorted((a, b) => compare(a.day ?? '', b.day ?? '')) : visits
}

function isWanted(
  visit: ScheduledVisit,
  { patientId, group, status, from, to }: QueryOf<CallOf<'visit.list'>>,
): boolean {
  if (group !== undefined && !GROUPS[group].includes(visit.status)) return false
  if (status !== undefined && visit.status !== status) return false
  const day = dayOfVisit(visit)
  if (patientId === undefined && (day === null || UNLISTED.has(visit.status))) return false
  return (from === undefined || (day !== null && day >= from)) && (to === undefined || (day !== null && day <= to))
}

function lineOf({ patient, visit, row }: DatedVisit, names: ReadonlyMap<string, VisitNames>): VisitLine {
  const { folderId, folderRepeat, no, plannedDate, window, facts, status, asked, submitted } = visit
  return {
    id: visitId({ patientId: patient.id, folderId, folderRepeat }),
    patientId: patient.id,
    patientNo: patient.no,
    patientMark: patient.mark,
    initials: patient.initials,
    centerId: patient.centerId,
    folderId,
    folderRepeat,
    no,
    folderName: names.get(folderId)?.folderName ?? '',
    folderNameEn: names.get(folderId)?.folderNameEn ?? null,
    plannedDate,
    windowFrom: window?.from ?? null,
    windowTo: window?.to ?? null,
    actualDate: facts?.actualDate ?? null,
    outcome: facts?.outcome ?? null,
    status,
    asked,
    submitted,
    row,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
