import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { ok } from '#core/result.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readMarks } from '#src/data/rows/readMarks.ts'
import { readVersion } from '#src/data/rows/readProjects.ts'
import type { EnrolledPatient, Glance, Glances, NextVisit } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { VisitListLine } from '#src/data/shapes/visitTypes.ts'

import { hasPlan, readSchedulesHere, remoteVisits, statesOf } from './readVisits.ts'

/**
 * What a list tells of its patients: worked out here where they are kept, else from the server's marks and from its
 * lists of visits that wait or come. Of a patient whom those lists do not reach, nothing is said.
 */
export async function readGlances(
  context: DataContext,
  projectId: string,
  patients: readonly EnrolledPatient[],
): Reading<Glances> {
  const version = await readVersion(context, projectId)
  if (!version.ok) return version
  const here = await readSchedulesHere(context, projectId, version.value, patients)
  if (!here.ok) return here
  const all = new Map<string, Glance>()
  for (const [id, { visits, marks }] of here.value)
    all.set(id, { marks, states: statesOf(visits), next: nextOf(visits) })
  const others = patients.filter(({ id }) => !all.has(id))
  if (others.length === 0 || !context.online()) return ok(all)
  const marks = await readMarks(context, projectId, others)
  // Where the server cannot say it, the patients are still listed.
  if (!marks.ok) return ok(all)
  const lines = hasPlan(version.value) ? await remoteLines(context, projectId) : NO_LINES
  for (const { id } of others) {
    const own = lines.get(id) ?? []
    const first = own.filter(({ folderRepeat }) => folderRepeat === FIRST_REPEAT)
    all.set(id, {
      marks: marks.value.get(id) ?? [],
      states: new Map(first.map(({ folderId, status }) => [folderId, status])),
      next: nextOf(own),
    })
  }
  return ok(all)
}

const NO_LINES: ReadonlyMap<string, readonly VisitListLine[]> = new Map()

async function remoteLines(
  context: DataContext,
  projectId: string,
): Promise<ReadonlyMap<string, readonly VisitListLine[]>> {
  const [waiting, coming] = await Promise.all([
    remoteVisits(context, projectId, { group: 'waiting' }),
    remoteVisits(context, projectId, { group: 'coming' }),
  ])
  const lines = [waiting, coming].flatMap((list) => (list.ok ? list.value.lines : []))
  return Map.groupBy(lines, ({ patient }) => patient.id)
}

/** The visit that waits longest, else the one that comes next. */
function nextOf(
  visits: readonly Pick<VisitListLine, 'folderId' | 'status' | 'plannedDate' | 'window'>[],
): NextVisit | null {
  const waiting = visits.flatMap(({ folderId, status, plannedDate, window }) =>
    plannedDate !== null && (status === 'overdue' || status === 'due' || status === 'planned')
      ? [{ folderId, status, plannedDate, window }]
      : [],
  )
  return waiting.toSorted((a, b) => (a.plannedDate < b.plannedDate ? -1 : 1))[0] ?? null
}
