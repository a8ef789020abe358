import type { PatientRow, VersionRow } from '#core/api/sync/rows.ts'
import { ok } from '#core/result.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { centersHere, openOperations, outboxRows } from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { localPatientRows } from '#src/data/rows/localPatients.ts'
import { patientWith } from '#src/data/rows/overlay.ts'
import { ownWork, pageMarkOf } from '#src/data/rows/readMarks.ts'
import type { OwnWork } from '#src/data/rows/readMarks.ts'
import { readVersion } from '#src/data/rows/readProjects.ts'
import { pagesWaiting } from '#src/data/rows/waiting.ts'
import type { PageMark, PatientView, WorkLine, WorkList } from '#src/data/shapes/types.ts'
import type { WorkFilter } from '#src/data/shapes/listTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { scopesToRead } from './readPatients.ts'

/** What of a project waits for somebody to go on: from marks, joined with the patients that the user may see. */

/** How many lines of the server's list are asked for; the rest is only counted. */
const ASKED = 200
/** How many patients of a center have their work listed; that of the others is only counted. */
const PATIENTS_SHOWN = 200

export async function readWork(
  context: DataContext,
  projectId: string,
  { centerId, todo }: WorkFilter,
): Reading<WorkList> {
  const version = await readVersion(context, projectId)
  if (!version.ok) return version
  const places = placesOf(version.value)
  const local = await context.storage.run(async () => {
    const scopes = await scopesToRead(context, projectId, centerId)
    return scopes === null ? null : localWork(context, scopes, todo, places)
  })
  if (!local.ok) return local
  if (local.value !== null) return ok(local.value)
  const query = { projectId, todo, current: 1, size: ASKED, ...(centerId === undefined ? {} : { centerId }) }
  const page = await context.remote.read(['work', JSON.stringify(query)], () =>
    context.api.call('entry.marks', { query, projectId }),
  )
  if (!page.ok) return page
  const lines = page.value.records.map((mark) =>
    lineOf(pageMarkOf(mark), { no: mark.patientNo, mark: mark.patientMark, initials: mark.initials }, places),
  )
  const here = await context.storage.run(() => workOfOpened(context, projectId, { centerId, todo }, places))
  return here.ok ? ok(withOpened({ lines, total: page.value.total }, here.value)) : here
}

/**
 * What waits for opened patients of centers that are not kept: as this device knows it, and how much of it the server
 * counts.
 */
interface OpenedWork extends WorkList {
  readonly patients: ReadonlySet<string>
  readonly counted: number
}

async function workOfOpened(
  context: DataContext,
  projectId: string,
  { centerId, todo }: { readonly centerId: string | undefined; readonly todo: EntryTodo },
  places: CountedPlaces,
): Promise<OpenedWork> {
  const centers = (await centersHere(context, projectId)).filter(
    ({ opened: some, centerId: id }) => some !== null && (centerId === undefined || id === centerId),
  )
  const counted = await Promise.all(centers.map((center) => pagesWaiting(context, center, todo, NO_OWN_WORK)))
  return {
    ...(await localWork(context, centers, todo, places)),
    patients: new Set(centers.flatMap(({ opened: some }) => [...(some ?? [])])),
    counted: counted.flatMap(({ pages }) => pages).reduce((sum, [, of]) => sum + of.length, 0),
  }
}

/** The server's list, in which the lines that this device knows better are replaced. */
function withOpened({ lines, total }: WorkList, here: OpenedWork): WorkList {
  const own = new Map(here.lines.map((line) => [line.entryId, line]))
  const kept = lines.flatMap((line) => {
    if (!here.patients.has(line.target.patientId)) return [line]
    const better = own.get(line.entryId)
    own.delete(line.entryId)
    return better === undefined ? [] : [better]
  })
  return { lines: [...kept, ...own.values()], total: total - here.counted + here.total }
}

const NO_OWN_WORK: OwnWork = { lines: new Map(), bounced: new Set(), held: new Set() }

async function localWork(
  context: DataContext,
  scopes: readonly CenterScope[],
  todo: EntryTodo,
  places: CountedPlaces,
): Promise<WorkList> {
  const own = await ownWork(context)
  const parts = await Promise.all(scopes.map((scope) => workOfScope(context, scope, todo, own, places)))
  return { lines: parts.flatMap(({ lines }) => lines), total: parts.reduce((sum, { total }) => sum + total, 0) }
}

async function workOfScope(
  context: DataContext,
  scope: CenterScope,
  todo: EntryTodo,
  own: OwnWork,
  places: CountedPlaces,
): Promise<WorkList> {
  const { pages, beyond } = await pagesWaiting(context, scope, todo, own)
  const shown = pages.slice(0, PATIENTS_SHOWN)
  const patients = new Map(
    (
      await patientsHere(
        context,
        scope.text,
        shown.map(([id]) => id),
      )
    ).map((patient) => [patient.id, patient]),
  )
  const lines = shown.flatMap(([id, of]) => {
    const patient = patients.get(id)
    return patient === undefined
      ? []
      : of.map((page) => lineOf(page, patient, places)).toSorted((a, b) => a.order - b.order)
  })
  const unlisted = pages.slice(PATIENTS_SHOWN).reduce((sum, [, of]) => sum + of.length, 0)
  return { lines, total: lines.length + unlisted + beyond }
}

/** Patients as this device holds them, including those whose enrolment is not sent yet. */
async function patientsHere(
  context: DataContext,
  scope: string,
  ids: readonly string[],
): Promise<readonly PatientRow[]> {
  const wanted = new Set(ids)
  // The directory is usually open; decrypting hundreds of rows one by one blocks a tablet for half a second.
  const rows = (await localPatientRows(context, scope)).filter(({ id }) => wanted.has(id))
  const known = new Set(rows.map(({ id }) => id))
  const unsent = await Promise.all(
    ids
      .filter((id) => !known.has(id))
      .map(async (id) => {
        const enrolments = (await outboxRows(context, id)).filter(
          (row) => row.scope === scope && row.call === 'patient.save',
        )
        return patientWith(null, await openOperations(context, enrolments))
      }),
  )
  return [...rows, ...unsent.filter((patient) => patient !== null)].filter(({ deleted }) => !deleted)
}

/** Names of a version's pages, and their place in the casebook. */
type CountedPlaces = ReadonlyMap<
  string,
  Pick<WorkLine, 'folderName' | 'folderNameEn' | 'pageName' | 'pageNameEn' | 'order'>
>

function placesOf({ folders }: VersionRow): CountedPlaces {
  const sorted = folders.toSorted((a, b) => a.sort - b.sort)
  const all = sorted.flatMap((folder) =>
    folder.pages.toSorted((a, b) => a.sort - b.sort).map((page) => ({ folder, page })),
  )
  return new Map(
    all.map(({ folder, page }, order) => [
      `${folder.id}/${page.id}`,
      {
        folderName: folder.folderName,
        folderNameEn: folder.folderNameEn,
        pageName: page.pageName,
        pageNameEn: page.pageNameEn,
        order,
      },
    ]),
  )
}

function lineOf(
  page: PageMark,
  { no, mark, initials }: Pick<PatientView, 'no' | 'mark' | 'initials'>,
  places: CountedPlaces,
): WorkLine {
  const { folderId, pageId } = page.target
  const place = places.get(`${folderId}/${pageId}`)
  // A page that the version in use no longer has is still somebody's work.
  return {
    ...page,
    patient: { no, mark, initials },
    ...(place ?? { folderName: '', pageName: '', order: places.size }),
  }
}
