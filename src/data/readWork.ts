import { todoOf } from '#core/sync/entryMark.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'
import { ok } from '#core/result.ts'
import type { VersionRow } from '#core/sync/rows.ts'
import { marksOfPatient, marksToDo } from '#offline/db/marks.ts'
import type { MarkRow } from '#offline/db/rows.ts'
import { viewOf } from '#offline/db/view.ts'
import { viewFor } from '#offline/sync/cache.ts'

import type { DataContext } from './context.ts'
import { ownWork, pageMarkOf, withOwnWork } from './readMarks.ts'
import type { CenterScope } from './local.ts'
import { localPatients, scopesToRead } from './readPatients.ts'
import { readVersion } from './readProjects.ts'
import type { Reading, WorkFilter } from './source.ts'
import type { PageMark, PatientView, WorkLine, WorkList } from './types.ts'

/** What of a project waits for somebody to go on: from marks, joined with the patients that the user may see. */

/** Lines of the server's list that are asked for; beyond them there is the count. */
const ASKED = 200
/** Marks of a center that are read for a list; nobody works off more at a time. */
const READ = 2000

export async function readWork(context: DataContext, projectId: string, { centerId, todo }: WorkFilter): Reading<WorkList> {
  const version = await readVersion(context, projectId)
  if (!version.ok) return version
  const places = placesOf(version.value)
  const local = await context.storage.run(async () => {
    const scopes = await scopesToRead(context, projectId, centerId)
    return scopes === null ? null : localWork(context, projectId, scopes, todo, places)
  })
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  const query = { projectId, todo, current: 1, size: ASKED, ...(centerId === undefined ? {} : { centerId }) }
  const page = await context.remote.read(['work', JSON.stringify(query)], () => context.api.call('entry.marks', { query, projectId }))
  if (!page.ok) return page
  const lines = page.value.records.map((mark) =>
    lineOf(pageMarkOf(mark), { no: mark.patientNo, mark: mark.patientMark, initials: mark.initials }, places),
  )
  return ok({ lines, total: page.value.total })
}

async function localWork(
  context: DataContext,
  projectId: string,
  scopes: readonly CenterScope[],
  todo: EntryTodo,
  places: Places,
): Promise<WorkList> {
  const patients = await localPatients(context, projectId, scopes.map(({ text }) => text))
  const own = await ownWork(context)
  const waiting = new Map<string, MarkRow[]>()
  let beyond = 0
  for (const { text } of scopes) {
    const view = viewFor(context.ring(), text, 'entry')
    const { marks, count } = await marksToDo(context.storage.cache, text, todo, view, READ)
    for (const row of marks) waiting.set(row.patientId, [...(waiting.get(row.patientId) ?? []), row])
    beyond += count - marks.length
    // Where this device has unsent work, what is to be done may be another thing now: all pages of the patient are looked at.
    for (const patientId of own.heads.keys()) {
      const all = (await marksOfPatient(context.storage.cache, text, patientId)).filter((row) => viewOf(row.id) === view)
      if (all.length > 0) waiting.set(patientId, all)
    }
  }
  const lines = patients.flatMap((patient) => {
    if (!waiting.has(patient.id) && !own.heads.has(patient.id)) return []
    return withOwnWork(patient.id, waiting.get(patient.id) ?? [], own)
      .filter((page) => todoOf(page) === todo)
      .map((page) => lineOf(page, patient, places))
      .toSorted((a, b) => a.order - b.order)
  })
  return { lines, total: lines.length + beyond }
}

/** Names of a version's pages, and their place in the casebook. */
type Places = ReadonlyMap<string, { readonly folderName: string; readonly pageName: string; readonly order: number }>

function placesOf({ folders }: VersionRow): Places {
  const sorted = folders.toSorted((a, b) => a.sort - b.sort)
  const all = sorted.flatMap((folder) => folder.pages.toSorted((a, b) => a.sort - b.sort).map((page) => ({ folder, page })))
  return new Map(
    all.map(({ folder, page }, order) => [`${folder.id}/${page.id}`, { folderName: folder.folderName, pageName: page.pageName, order }]),
  )
}

function lineOf(page: PageMark, { no, mark, initials }: Pick<PatientView, 'no' | 'mark' | 'initials'>, places: Places): WorkLine {
  const { folderId, pageId } = page.target
  const place = places.get(`${folderId}/${pageId}`)
  // A page that the version in use has not any more is still somebody's work.
  return { ...page, patient: { no, mark, initials }, folderName: place?.folderName ?? '', pageName: place?.pageName ?? '', order: place?.order ?? places.size }
}
