import { ok } from '#core/result.ts'
import type { EntryMark } from '#core/sync/entryMark.ts'
import { marksOfPatients } from '#offline/db/marks.ts'
import type { MarkRow } from '#offline/db/rows.ts'
import { viewOf } from '#offline/db/view.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import type { OutboxLine } from '#offline/outbox/outboxLines.ts'
import { viewFor } from '#offline/sync/cache.ts'
import type { PageMark, SyncStage } from '#src/data/shapes/types.ts'
import type { MarkedPatient } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { openBounces } from './bounced.ts'
import type { DataContext } from './context.ts'
import { centerOf, centersHere } from './local.ts'
import type { CenterScope } from './local.ts'
import { markOf, statusWith } from './overlay.ts'

/**
 * How far the pages of patients are: from marks alone, so that a matrix of thousands needs neither decryption nor
 * rules.
 */

/** For how many patients the server is asked at once. */
const ASKED_AT_ONCE = 200

/**
 * Marks of some patients' pages, with this device's unsent work over them.
 *
 * @returns by patient; pages without any data are left out
 */
export async function readMarks(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
): Reading<ReadonlyMap<string, readonly PageMark[]>> {
  const read = await readMarksHere(context, projectId, patients)
  if (!read.ok) return read
  const notHere = patients.filter(({ id }) => !read.value.has(id))
  if (notHere.length === 0 || !context.online()) return read
  return remoteMarks(context, projectId, notHere, read.value)
}

/** The same, only for patients who are here: the server is not asked. */
export function readMarksHere(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
): Reading<ReadonlyMap<string, readonly PageMark[]>> {
  return context.storage.run(async () => {
    const [centers, own] = await Promise.all([centersHere(context, projectId), ownWork(context)])
    const here = patients.flatMap((patient) => {
      const scope = centerOf(centers, patient)
      return scope === undefined ? [] : [{ id: patient.id, scope }]
    })
    return localMarks(context, here, own)
  })
}

async function localMarks(
  context: DataContext,
  patients: readonly { readonly id: string; readonly scope: CenterScope }[],
  own: OwnWork,
): Promise<ReadonlyMap<string, readonly PageMark[]>> {
  const { cache } = context.storage
  const all = new Map<string, readonly PageMark[]>()
  for (const [scope, ofScope] of Map.groupBy(patients, ({ scope: { text } }) => text)) {
    const view = viewFor(context.ring(), scope, 'entry')
    const rows = await marksOfPatients(
      cache,
      scope,
      ofScope.map(({ id }) => id),
    )
    for (const [id, marks] of rows)
      all.set(
        id,
        withOwnWork(
          id,
          marks.filter((row) => viewOf(row.id) === view),
          own,
        ),
      )
  }
  return all
}

/** What this device knows of entries beyond the server's marks. */
export interface OwnWork {
  readonly lines: ReadonlyMap<string, readonly OutboxLine[]>
  readonly bounced: ReadonlySet<string>
  /** Entries with an operation that the server took in and keeps until the paused project goes on. */
  readonly held: ReadonlySet<string>
}

export async function ownWork(context: DataContext): Promise<OwnWork> {
  const [lines, bounced, held] = await Promise.all([
    readOutboxLines(context.storage),
    openBounces(context),
    context.storage.work.receipts.where('outcome').equals('held').toArray(),
  ])
  return {
    lines: Map.groupBy(
      lines.filter(({ call }) => !call.startsWith('patient.')),
      ({ patientId }) => patientId,
    ),
    bounced: new Set(bounced.map(({ row }) => row.entityId)),
    held: new Set(held.map(({ entityId }) => entityId)),
  }
}

/** The pages of a patient: the server's marks with unsent saves over them, and pages that only this device has. */
export function withOwnWork(patientId: string, rows: readonly MarkRow[], own: OwnWork): readonly PageMark[] {
  const lines = own.lines.get(patientId) ?? []
  if (lines.length === 0) return rows.map((row) => markWith(row, [], own))
  const known = new Set(rows.map(({ entryId }) => entryId))
  const made = [...Map.groupBy(lines, ({ entityId }) => entityId)].flatMap(([entryId, ofEntry]) => {
    const place = known.has(entryId) ? undefined : ofEntry.findLast(({ mark }) => mark !== undefined)?.mark
    return place === undefined
      ? []
      : [markWith({ ...place, patientId, entryId, parentEntryId: null, status: 'init', conflicts: 0 }, ofEntry, own)]
  })
  return [
    ...rows.map((row) =>
      markWith(
        row,
        lines.filter(({ entityId }) => entityId === row.entryId),
        own,
      ),
    ),
    ...made,
  ]
}

type Under = Pick<
  MarkRow,
  | 'entryId'
  | 'patientId'
  | 'folderId'
  | 'folderRepeat'
  | 'pageId'
  | 'pageRepeat'
  | 'parentEntryId'
  | 'status'
  | 'progress'
  | 'conflicts'
>

function markWith(under: Under, lines: readonly OutboxLine[], { bounced, held }: OwnWork): PageMark {
  const { entryId, patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId } = under
  const decisions = lines.filter(({ call }) => call === 'conflict.resolve')
  const decided = decisions.length
  const others = decided === 0 ? lines : lines.filter((line) => !decisions.includes(line))
  return {
    entryId,
    target: { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId },
    status: statusWith({ status: under.status, conflicts: under.conflicts - decided }, others),
    progress: lines.findLast(({ mark }) => mark !== undefined)?.mark?.progress ?? under.progress,
    mark: syncStageOf(lines, {
      conflicted: under.conflicts > decided,
      waiting: bounced.has(entryId) || held.has(entryId),
    }),
  }
}

function syncStageOf(
  lines: readonly OutboxLine[],
  { conflicted, waiting }: { readonly conflicted: boolean; readonly waiting: boolean },
): SyncStage {
  if (conflicted) return 'conflict'
  return waiting ? 'attention' : (markOf(lines) ?? 'received')
}

async function remoteMarks(
  context: DataContext,
  projectId: string,
  patients: readonly MarkedPatient[],
  local: ReadonlyMap<string, readonly PageMark[]>,
): Reading<ReadonlyMap<string, readonly PageMark[]>> {
  const all = new Map(local)
  for (let at = 0; at < patients.length; at += ASKED_AT_ONCE) {
    const ids = patients.slice(at, at + ASKED_AT_ONCE).map(({ id }) => id)
    for (const id of ids) all.set(id, [])
    for (let current = 1, more = true; more; current += 1) {
      const query = { projectId, patientIds: ids.join(','), current, size: 500 }
      const page = await context.remote.read(['marks', JSON.stringify(query)], () =>
        context.api.call('entry.marks', { query, projectId }),
      )
      if (!page.ok) return page
      for (const mark of page.value.records)
        all.set(mark.patientId, [...(all.get(mark.patientId) ?? []), pageMarkOf(mark)])
      more = page.value.pages > current
    }
  }
  return ok(all)
}

/** A mark as the server gave it, where this device has no unsent work. */
export function pageMarkOf({
  id,
  patientId,
  folderId,
  folderRepeat,
  pageId,
  pageRepeat,
  parentEntryId,
  status,
  progress,
  conflicts,
}: EntryMark): PageMark {
  const target = { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId }
  return { entryId: id, target, status, progress, mark: conflicts > 0 ? 'conflict' : 'received' }
}
