import { BULK_PAGE_SIZE } from '#core/api/call.ts'
import type { VisitLine } from '#core/api/calls/visit.ts'
import type { PatientRow, VersionRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import { ok } from '#core/result.ts'
import { dayOfVisit, scheduleOf } from '#core/study/visits/schedule.ts'
import type { ScheduledVisit, VisitStatus } from '#core/study/visits/schedule.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { centerOf, centersHere } from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { localVisits, unsentVisits, visitsOfPatients } from '#src/data/rows/localVisits.ts'
import type { SaidVisit } from '#src/data/rows/localVisits.ts'
import { readMarksHere } from '#src/data/rows/readMarks.ts'
import { readVersion } from '#src/data/rows/readProjects.ts'
import type { KnownVisit } from '#src/data/rows/visitOverlay.ts'
import { pageToFill } from '#src/data/shapes/pageToFill.ts'
import { today } from '#src/data/shapes/today.ts'
import type { PageMark } from '#src/data/shapes/types.ts'
import type { VisitFilter, VisitList, VisitListLine } from '#src/data/shapes/visitTypes.ts'
import type { EnrolledPatient, VisitStates } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { localPatients, scopesToRead } from './readPatients.ts'

/**
 * Visits of many patients: by date for a list, by folder for a matrix. Worked out here where the data are kept,
 * otherwise at the server.
 */

/** How many lines of a list are handed over; the rest is only counted. */
const SHOWN = BULK_PAGE_SIZE

const GROUPS: Readonly<Record<NonNullable<VisitFilter['group']>, readonly VisitStatus[]>> = {
  overdue: ['overdue'],
  due: ['due'],
  coming: ['planned'],
  waiting: ['due', 'overdue'],
}
/** Statuses that nobody looks for in a list by date. */
const UNLISTED: ReadonlySet<VisitStatus> = new Set(['removed', 'notApplicable'])

export async function readVisits(context: DataContext, projectId: string, filter: VisitFilter): Reading<VisitList> {
  const version = await readVersion(context, projectId)
  if (!version.ok) return version
  if (filter.searchId !== undefined) return remoteVisits(context, projectId, filter)
  const scopes = await context.storage.run(() => scopesToRead(context, projectId, filter.centerId))
  if (!scopes.ok) return scopes
  if (scopes.value === null) return withOpened(context, projectId, version.value, filter)
  const local = await localLines(context, projectId, scopes.value, version.value, filter)
  if (!local.ok) return local
  return ok({ lines: local.value.slice(0, SHOWN), total: local.value.length })
}

async function localLines(
  context: DataContext,
  projectId: string,
  scopes: readonly CenterScope[],
  version: VersionRow,
  filter: VisitFilter,
): Reading<readonly VisitListLine[]> {
  const read = await context.storage.run(async () => {
    const unsent = await unsentVisits(context)
    const patients = await localPatients(context, projectId, scopes)
    const rows = (await Promise.all(scopes.map(({ text }) => localVisits(context, text, unsent)))).flat()
    return { patients, rows: Map.groupBy(rows, ({ patientId }) => patientId) }
  })
  if (!read.ok) return read
  const { patients, rows } = read.value
  const day = today()
  // Entered data change the status of a visit that nobody has said anything of: pages are read only of patients with
  // such a visit.
  const first = patients.map((patient) => ({
    patient,
    visits: visitsOf(version, patient, rows.get(patient.id) ?? [], [], day),
  }))
  const concerned = first.filter(({ visits }) => visits.some((visit) => mayMatter(visit, filter)))
  const marks = await readMarksHere(
    context,
    projectId,
    concerned.map(({ patient }) => patient),
  )
  if (!marks.ok) return marks
  const lines = concerned.flatMap(({ patient }) => {
    const visits = visitsOf(version, patient, rows.get(patient.id) ?? [], marks.value.get(patient.id) ?? [], day)
    return visits
      .filter((visit) => isWanted(visit, filter))
      .map((visit) => lineOf(version, patient, visit, marks.value.get(patient.id) ?? []))
  })
  return ok(lines.toSorted((a, b) => inOrder(a.actualDate ?? a.plannedDate ?? '', b.actualDate ?? b.plannedDate ?? '')))
}

const NONE: ReadonlyMap<string, VisitStatus> = new Map()

/** The status of the first visits of some patients' folders. A patient is left out where nobody can say it. */
export async function readVisitStates(
  context: DataContext,
  projectId: string,
  patients: readonly EnrolledPatient[],
): Reading<VisitStates> {
  const here = await readVisitStatesHere(context, projectId, patients)
  if (!here.ok || here.value.size === patients.length) return here
  const remote = context.online() ? await remoteStates(context, projectId, today()) : here
  // Where the server cannot say it, pages still show how far they are.
  const theirs = remote.ok ? remote.value : here.value
  return ok(new Map(patients.map(({ id }) => [id, here.value.get(id) ?? theirs.get(id) ?? NONE])))
}

/** The same, only for patients who are here: the server is not asked. */
export async function readVisitStatesHere(
  context: DataContext,
  projectId: string,
  patients: readonly EnrolledPatient[],
): Reading<VisitStates> {
  const version = await readVersion(context, projectId)
  if (!version.ok) return version
  // Visits without a plan are neither due nor missed.
  if (!hasPlan(version.value)) return ok(new Map(patients.map(({ id }) => [id, NONE])))
  const here = await readSchedulesHere(context, projectId, version.value, patients)
  return here.ok ? ok(new Map([...here.value].map(([id, { visits }]) => [id, statesOf(visits)]))) : here
}

/** Whether a version plans any visit. */
export function hasPlan({ folders }: VersionRow): boolean {
  return folders.some(({ schedule }) => schedule?.kind === 'planned')
}

/** The visits of a patient, and how far the pages are. */
export interface PatientSchedule {
  readonly visits: readonly ScheduledVisit[]
  readonly marks: readonly PageMark[]
}

/** The visits of those of some patients who are here, by patient. */
export async function readSchedulesHere(
  context: DataContext,
  projectId: string,
  version: VersionRow,
  patients: readonly EnrolledPatient[],
): Reading<ReadonlyMap<string, PatientSchedule>> {
  const here = await context.storage.run(() => centersHere(context, projectId))
  if (!here.ok) return here
  const own = patients.filter((patient) => centerOf(here.value, patient) !== undefined)
  const marks = await readMarksHere(context, projectId, own)
  if (!marks.ok) return marks
  const rows = await context.storage.run(async () => {
    const unsent: readonly SaidVisit[] = await unsentVisits(context)
    return visitsOfPatients(
      context,
      own.map(({ id }) => id),
      unsent,
    )
  })
  if (!rows.ok) return rows
  const ofPatient = Map.groupBy(rows.value, ({ patientId }) => patientId)
  const day = today()
  return ok(
    new Map(
      own.map((patient) => {
        const ofPages = marks.value.get(patient.id) ?? []
        const visits = visitsOf(version, patient, ofPatient.get(patient.id) ?? [], ofPages, day)
        return [patient.id, { visits, marks: ofPages }]
      }),
    ),
  )
}

/** The status of the first visit of each folder. */
export function statesOf(visits: readonly ScheduledVisit[]): ReadonlyMap<string, VisitStatus> {
  return new Map(
    visits
      .filter(({ folderRepeat }) => folderRepeat === FIRST_REPEAT)
      .map(({ folderId, status }) => [folderId, status]),
  )
}

/** Patients who are not kept here: only due and overdue visits, because a matrix tells only those apart. */
async function remoteStates(context: DataContext, projectId: string, day: string): Reading<VisitStates> {
  const query = { projectId, group: 'waiting' as const, today: day, current: 1, size: SHOWN }
  const page = await context.remote.read(['visits', JSON.stringify(query)], () =>
    context.api.call('visit.list', { query, projectId }),
  )
  if (!page.ok) return page
  const ofPatient = Map.groupBy(
    page.value.records.filter(({ folderRepeat }) => folderRepeat === FIRST_REPEAT),
    ({ patientId }) => patientId,
  )
  return ok(
    new Map(
      [...ofPatient].map(([id, lines]) => [id, new Map(lines.map(({ folderId, status }) => [folderId, status]))]),
    ),
  )
}

type Enrolled = Pick<PatientRow, 'enrolledOn'>

function visitsOf(
  version: VersionRow,
  { enrolledOn }: Enrolled,
  visits: readonly KnownVisit[],
  marks: readonly PageMark[],
  day: string,
): readonly ScheduledVisit[] {
  const pages = marks.map(({ target, status }) => ({ ...target, status }))
  return scheduleOf({ folders: version.folders, enrolledOn, visits, pages, today: day })
}

/**
 * Whether a visit may match once its pages are known: a visit that is planned, due or overdue with its pages is so
 * without them too.
 */
function mayMatter(visit: ScheduledVisit, filter: VisitFilter): boolean {
  return isInPeriod(visit, filter) && (filter.group === undefined || GROUPS[filter.group].includes(visit.status))
}

function isInPeriod(visit: ScheduledVisit, { from, to }: VisitFilter): boolean {
  const day = dayOfVisit(visit)
  return day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
}

function isWanted(visit: ScheduledVisit, filter: VisitFilter): boolean {
  if (filter.group !== undefined && !GROUPS[filter.group].includes(visit.status)) return false
  if (filter.status !== undefined && visit.status !== filter.status) return false
  return isInPeriod(visit, filter) && !UNLISTED.has(visit.status)
}

function lineOf(
  version: VersionRow,
  patient: VisitListLine['patient'],
  visit: ScheduledVisit,
  marks: readonly PageMark[],
): VisitListLine {
  const { folderId, folderRepeat, no, plannedDate, window, facts, status, asked, submitted } = visit
  const folder = version.folders.find(({ id }) => id === folderId)
  return {
    id: visitId({ patientId: patient.id, folderId, folderRepeat }),
    patient,
    folderId,
    folderRepeat,
    folderName: folder?.folderName ?? '',
    folderNameEn: folder?.folderNameEn,
    nextPageId:
      folder === undefined
        ? null
        : pageToFill(
            folder,
            marks.filter(({ target }) => target.folderId === folderId && target.folderRepeat === folderRepeat),
          ),
    no,
    plannedDate,
    window,
    actualDate: facts?.actualDate ?? null,
    status,
    asked,
    submitted,
  }
}

/** The server's list, in which opened patients of centers that are not kept are as this device knows them. */
async function withOpened(
  context: DataContext,
  projectId: string,
  version: VersionRow,
  filter: VisitFilter,
): Reading<VisitList> {
  const listed = await remoteVisits(context, projectId, filter)
  if (!listed.ok) return listed
  const centers = await context.storage.run(() => centersHere(context, projectId))
  if (!centers.ok) return centers
  const light = centers.value.filter(
    ({ opened, centerId }) => opened !== null && (filter.centerId === undefined || filter.centerId === centerId),
  )
  if (light.length === 0) return listed
  const here = await localLines(context, projectId, light, version, filter)
  if (!here.ok) return here
  const own = new Map(here.value.map((line) => [line.id, line]))
  const { lines, total } = listed.value
  const kept = lines.flatMap((line) => {
    if (!light.some(({ opened }) => opened?.has(line.patient.id) === true)) return [line]
    const better = own.get(line.id)
    own.delete(line.id)
    return better === undefined ? [] : [better]
  })
  // The server counts these too where it has more lines than are shown.
  const added = total > lines.length ? [] : [...own.values()]
  const all = [...kept, ...added].toSorted((a, b) =>
    inOrder(a.actualDate ?? a.plannedDate ?? '', b.actualDate ?? b.plannedDate ?? ''),
  )
  return ok({ lines: all.slice(0, SHOWN), total: total - (lines.length - kept.length) + added.length })
}

/** What the server lists, without what only this device knows. */
export async function remoteVisits(context: DataContext, projectId: string, filter: VisitFilter): Reading<VisitList> {
  const query = { projectId, ...filter, today: today(), current: 1, size: SHOWN }
  const page = await context.remote.read(['visits', JSON.stringify(query)], () =>
    context.api.call('visit.list', { query, projectId }),
  )
  return page.ok ? ok({ lines: page.value.records.map(remoteLine), total: page.value.total }) : page
}

function remoteLine({
  patientId,
  patientNo,
  patientMark,
  initials,
  centerId,
  windowFrom,
  windowTo,
  ...line
}: VisitLine): VisitListLine {
  const {
    id,
    folderId,
    folderRepeat,
    folderName,
    folderNameEn,
    no,
    plannedDate,
    actualDate,
    status,
    asked,
    submitted,
  } = line
  const window = windowFrom === null || windowTo === null ? null : { from: windowFrom, to: windowTo }
  const patient = { id: patientId, no: patientNo, mark: patientMark, initials, centerId }
  return {
    id,
    patient,
    folderId,
    folderRepeat,
    folderName,
    folderNameEn,
    nextPageId: null,
    no,
    plannedDate,
    window,
    actualDate,
    status,
    asked,
    submitted,
  }
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
