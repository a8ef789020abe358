import type { Attachment } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import { entryId } from '#core/derivedIds.ts'
import { filesOf } from '#core/files/inEntry.ts'
import type { FilePlace, PlacedFile } from '#core/files/inEntry.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { FieldNames } from '#core/form/definition/inLanguage.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import type { FileRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { keepFile, openContent, openFacts, openThumb } from '#offline/files/keep.ts'
import { discardUnsaid } from '#offline/files/named.ts'
import { discard } from '#offline/files/upkeep.ts'
import { readCasebook, readPatient } from '#src/data/casebook/readCasebook.ts'
import { savedPage } from '#src/data/casebook/savedPages.ts'
import { readPatientQueries } from '#src/data/lists/readQueries.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { Names } from '#src/data/rows/names.ts'
import { readProject } from '#src/data/rows/readProjects.ts'
import { standingOfTurn } from '#src/data/shapes/turnStanding.ts'
import type {
  AboutQuery,
  FileLine,
  FileStanding,
  PatientFiles,
  ProjectImages,
  TakenFile,
} from '#src/data/shapes/fileTypes.ts'
import type { CasebookPage, LocalWrite } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import type { Opener } from './openHere.ts'
import type { DraftPlaces } from './writes.ts'

/** Files of patients: those on this device, and what the server says of the others. */

/**
 * Takes in a file for a field of a page. The file is on the disk when this resolves; the field's value is set after
 * that.
 */
export async function takeFile(
  context: DataContext,
  places: DraftPlaces,
  projectId: string,
  target: EntryTarget,
  place: FilePlace,
  file: TakenFile,
): Promise<Result<FileReference, ApiError>> {
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const scope = await places.scopeOf(projectId, target.patientId)
  if (!scope.ok) return scope
  const { table, rid, code } = place
  return keepFile(context.storage, author, {
    ...file,
    of: { entryId: entryId(target), table, rid, code },
    patientId: target.patientId,
    scope: scope.value.text,
    projectId,
  })
}

/**
 * Takes in a file for what somebody is about to say in a query. It is on the disk when this resolves, as a file of a
 * field is. Where the patient is not here the act will be taken by the server at once, but its file still has to
 * survive a closed lid: the device gets the keys of the center, and nothing of its data.
 */
export async function takeQueryFile(
  context: DataContext,
  places: DraftPlaces,
  opener: Opener,
  projectId: string,
  { queryId, patientId }: AboutQuery,
  file: TakenFile,
): Promise<Result<FileReference, ApiError>> {
  const known = await places.scopeOf(projectId, patientId)
  const scope = known.ok ? ok(known.value.text) : await openedScope(context, opener, projectId, patientId, known.error)
  if (!scope.ok) return scope
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  return keepFile(context.storage, author, { ...file, of: { queryId }, patientId, scope: scope.value, projectId })
}

async function openedScope(
  context: DataContext,
  opener: Opener,
  projectId: string,
  patientId: string,
  error: ApiError,
): Promise<Result<string, ApiError>> {
  if (error.code !== 'not_kept' || !context.online()) return err(error)
  const project = await readProject(context, projectId)
  if (!project.ok) return project
  const patient = await context.api.call('patient.detail', { query: { id: patientId }, projectId })
  if (!patient.ok) return patient
  const { centerId } = patient.value
  const pass = project.value.pass ?? 1
  const opened = await opener.center(projectId, { centerId, pass })
  if (!opened.ok) return opened
  return opened.value === 'here' ? ok(scopeText({ kind: 'center', projectId, centerId, pass })) : err(error)
}

/** The files of a query that are on this device, and how far each is. */
export async function readQueryFileStandings(
  context: DataContext,
  queryId: string,
): Reading<ReadonlyMap<string, FileStanding>> {
  const local = await context.storage.run(({ work }) => work.files.where('entryId').equals(queryId).toArray())
  return local.ok ? ok(new Map(local.value.map((row) => [row.id, standingHere(row)]))) : local
}

/** Removes a file that was chosen for a query and that nothing was said with. */
export async function discardQueryFile(context: DataContext, fileId: string): Promise<LocalWrite> {
  const done = await context.storage.run(({ work }) => discardUnsaid(work, context.ring(), fileId))
  return done.ok ? { ok: true, at: new Date().toISOString() } : done
}

/**
 * How far the files of an entry are, by file id. A file that is missing here is on another device or at the server;
 * nobody can say which now.
 */
export async function readFileStandings(
  context: DataContext,
  projectId: string,
  entry: string,
): Reading<ReadonlyMap<string, FileStanding>> {
  const local = await context.storage.run(({ work }) => work.files.where('entryId').equals(entry).toArray())
  if (!local.ok) return local
  const known = context.online()
    ? context.remote.peek<readonly Attachment[]>(['files', entry], () =>
        context.api.call('attachment.ofPage', { query: { id: entry }, projectId }),
      )
    : null
  return ok(
    new Map([
      ...(known ?? []).map((one): [string, FileStanding] => [one.id, standingAtServer(one)]),
      ...local.value.map((row): [string, FileStanding] => [row.id, standingHere(row)]),
    ]),
  )
}

/** All files that a patient's pages name, and those on this device that no page names. */
export async function readPatientFiles(
  context: DataContext,
  projectId: string,
  patientId: string,
): Reading<PatientFiles> {
  const book = await readCasebook(context, patientId, projectId)
  if (!book.ok) return book
  const patient = await readPatient(context, patientId, projectId)
  if (!patient.ok) return patient
  const local = await context.storage.run(({ work }) => work.files.where('patientId').equals(patientId).toArray())
  if (!local.ok) return local
  const here = new Map(local.value.map((row) => [row.id, row]))
  const query = { patientId, size: 1000 } as const
  const server = context.online()
    ? context.remote.peek(['patientFiles', patientId], () =>
        context.api.call('attachment.ofPatient', { query, projectId }),
      )
    : null
  const atServer = new Map((server?.records ?? []).map((one) => [one.id, one]))
  const names = new Names(context, [book.value.version])
  const pages = book.value.folders
    .flatMap((folder) => folder.pages)
    .filter(({ mark, status }) => mark !== null || status !== 'init')
  const lines: FileLine[] = []
  for (const page of pages) {
    const saved = await context.storage.run(() => savedPage(context, patient.value, page.entryId))
    if (!saved.ok) return saved
    for (const file of filesOf(saved.value.data)) {
      const [row, known] = [here.get(file.reference.id), atServer.get(file.reference.id)]
      here.delete(file.reference.id)
      lines.push(lineOf(page, file, await fieldNames(context, names, projectId, page, file), row, known))
    }
  }
  const said = await queryLines(context, projectId, patientId, here)
  const loose = await looseLines(context, [...here.values()], pages)
  return ok({ book: book.value, lines: [...lines, ...said, ...loose] })
}

function lineOf(
  page: CasebookPage,
  file: PlacedFile,
  field: FieldNames,
  row: FileRow | undefined,
  known: Attachment | undefined,
): FileLine {
  const { reference, table, rid, code } = file
  const standing: FileStanding =
    row !== undefined
      ? standingHere(row)
      : known !== undefined
        ? standingAtServer(known)
        : { state: 'atServer', share: 0, problem: null, at: null }
  return { reference, place: { table, rid, code }, query: null, isNamed: true, page, ...field, standing }
}

/**
 * What was brought with words in the queries of a patient. Where these cannot be read now, the files of the pages are
 * listed without.
 *
 * @param here files on this device; those that are listed are taken out
 */
async function queryLines(
  context: DataContext,
  projectId: string,
  patientId: string,
  here: Map<string, FileRow>,
): Promise<readonly FileLine[]> {
  const queries = await readPatientQueries(context, projectId, patientId)
  if (!queries.ok) return []
  return queries.value.flatMap(({ query }) =>
    query.thread.flatMap(({ files = [] }) =>
      files.map((file): FileLine => {
        const { state: _, ...reference } = file
        const row = here.get(file.id)
        here.delete(file.id)
        const { id, no } = query
        return {
          reference,
          place: null,
          query: { id, no },
          isNamed: true,
          page: null,
          fieldLabel: null,
          standing: row === undefined ? standingOfTurn(file) : standingHere(row),
        }
      }),
    ),
  )
}

async function fieldNames(
  context: DataContext,
  names: Names,
  projectId: string,
  { target }: CasebookPage,
  place: FilePlace,
): Promise<FieldNames> {
  const found = await context.storage.run(() => names.field(projectId, target, place))
  return found.ok ? found.value : { fieldLabel: null }
}

/** Files that no field names, as far as they can be opened: removed from a field, or left when the app died. */
async function looseLines(
  context: DataContext,
  rows: readonly FileRow[],
  pages: readonly CasebookPage[],
): Promise<readonly FileLine[]> {
  const lines: FileLine[] = []
  for (const row of rows.filter(({ state }) => state === 'loose' || state === 'rejected')) {
    const facts = await attempt(() => openFacts(context.ring(), row))
    if (!facts.ok || facts.value === null) continue
    const { name, type, hash, table, rid, code } = facts.value
    const page = pages.find((one) => one.entryId === row.entryId) ?? null
    lines.push({
      reference: { id: row.id, name, type, size: row.size, hash },
      place: code === null ? null : { table, rid, code },
      query: null,
      isNamed: false,
      page,
      fieldLabel: null,
      standing: standingHere(row),
    })
  }
  return lines
}

function standingHere(row: FileRow): FileStanding {
  const { state, size, sentBytes, problem, sentAt } = row
  const share = size === 0 ? 0 : sentBytes / size
  if (state === 'sent') return { state: 'stored', share: 1, problem: null, at: sentAt }
  if (state !== 'unsent') return { state, share, problem, at: null }
  return { state: sentBytes > 0 ? 'sending' : 'waiting', share, problem: null, at: null }
}

function standingAtServer({ state, received, bytes, at }: Attachment): FileStanding {
  const share = bytes === 0 ? 0 : received / bytes
  if (state === 'stored') return { state: 'stored', share: 1, problem: null, at }
  return state === 'refused'
    ? { state: 'rejected', share: 0, problem: null, at: null }
    : { state: 'coming', share, problem: null, at: null }
}

/** The content of a file: from this device, otherwise from the server, which logs the access. */
export async function readFileContent(
  context: DataContext,
  projectId: string,
  fileId: string,
): Promise<Result<Blob, ApiError>> {
  const here = await openContent(context.storage, context.ring(), fileId)
  if (here.ok && here.value !== null) return ok(here.value)
  if (!context.online()) return here.ok ? err({ code: 'offline' }) : here
  return context.api.call('attachment.content', { params: { id: fileId }, projectId })
}

/** The small picture of a file; null where there is none, or nobody has it now. */
export async function readFileThumb(context: DataContext, projectId: string, fileId: string): Promise<Blob | null> {
  const here = await context.storage.run(async ({ work }) => {
    const row = await work.files.get(fileId)
    return row === undefined ? null : openThumb(context.ring(), row)
  })
  if (here.ok && here.value !== null) return here.value
  if (!context.online()) return null
  const there = await context.api.call('attachment.thumb', { params: { id: fileId }, projectId })
  return there.ok ? there.value : null
}

/** Discards a file that no field names, or that the server does not take. */
export async function discardFile(context: DataContext, fileId: string): Promise<LocalWrite> {
  const done = await context.storage.run(({ work }) => discard(work, fileId))
  if (!done.ok) return done
  return done.value ? { ok: true, at: new Date().toISOString() } : { ok: false, error: { code: 'not_found' } }
}

/** How many images are one list page. */
const IMAGES_A_PAGE = 24

/** One list page of a project's images: only the server knows them all. */
export async function readProjectImages(
  context: DataContext,
  projectId: string,
  current: number,
): Reading<ProjectImages> {
  const query = { current, size: IMAGES_A_PAGE }
  const page = await context.remote.read(['images', projectId, String(current)], () =>
    context.api.call('attachment.images', { query, projectId }),
  )
  return page.ok ? ok({ images: page.value.records, pages: page.value.pages, total: page.value.total }) : page
}
