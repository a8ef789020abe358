import { ok } from '#core/result.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import { setAside as setRowAside } from '#offline/outbox/setAside.ts'

import type { DataContext } from './context.ts'
import { decide, noteReturn } from './decide.ts'
import { readAhead } from './readAhead.ts'
import { readAttention } from './readAttention.ts'
import { readCasebook } from './readCasebook.ts'
import { readMembers, readProjectChoice, readVersions } from './readChoices.ts'
import { readConflict, readServerConflicts } from './readConflict.ts'
import { readEntered } from './readEntered.ts'
import { readEntry } from './readEntry.ts'
import { readHome } from './readHome.ts'
import { readMarks, readMarksHere } from './readMarks.ts'
import { readPatients } from './readPatients.ts'
import { readCenters, readDownload, readProject, readProjects, readScopes, readVersion } from './readProjects.ts'
import { readOutbox, readReceipts, readSyncState, readUnsent, readUnsentWork } from './readSync.ts'
import { readWork } from './readWork.ts'
import { exportUnsent } from './rescue.ts'
import { LastElsewhere } from './savedPages.ts'
import { dropScope, keepScope } from './scopes.ts'
import type { ScopeKeeper } from './scopes.ts'
import type { DataActions, Device, Watched } from './source.ts'
import type { LocalWrite } from './types.ts'
import { DraftPlaces, enrol, prepareSave, save } from './writes.ts'

/** Tables of the databases behind each thing that a reading follows. */
const TABLES: Readonly<Record<Exclude<Watched, `rows${string}`>, readonly string[]>> = {
  scopes: ['kept', 'cursors'],
  outbox: ['outbox'],
  receipts: ['receipts', 'bounced'],
  leases: ['leases'],
  state: ['meta', 'evicted'],
}

export interface DeviceParts {
  readonly context: DataContext
  readonly keeper: ScopeKeeper
  readonly syncNow: DataActions['syncNow']
  /** Calls back when something changed that is in no table: the connection, or an answer of the server. */
  readonly onOther: (changed: () => void) => () => void
}

/** The data of an open session. */
export function createDevice({ context, keeper, syncNow, onOther }: DeviceParts): Device {
  const places = new DraftPlaces(context)
  // Steps whose place is still being looked up; a save or a flush waits for them.
  let placing: Promise<unknown> = Promise.resolve()
  const placed = (): Promise<unknown> => Promise.allSettled([placing])
  const last = new LastElsewhere()
  return {
    projects: () => readProjects(context),
    project: (projectId) => readProject(context, projectId),
    projectChoice: (search) => readProjectChoice(context, search),
    versions: (projectId) => readVersions(context, projectId),
    members: (projectId) => readMembers(context, projectId),
    centers: (projectId) => readCenters(context, projectId),
    version: (projectId) => readVersion(context, projectId),
    patients: (projectId, filter) => readPatients(context, projectId, filter),
    matrix: async (projectId, filter, first) => {
      const list = await readPatients(context, projectId, filter)
      if (!list.ok) return list
      const marks = await readMarksHere(context, projectId, list.value.patients.slice(0, first))
      return ok({ ...list.value, marks: marks.ok ? marks.value : new Map() })
    },
    home: () => readHome(context),
    marks: (projectId, patients) => readMarks(context, projectId, patients),
    work: (projectId, filter) => readWork(context, projectId, filter),
    casebook: (patientId, projectId) => readCasebook(context, patientId, projectId),
    entry: async (projectId, target) => {
      // Where its typing belongs is known as soon as the page is there, and stays known if the patient goes while it is open.
      void places.scopeOf(projectId, target.patientId)
      const view = await readEntry(context, projectId, target)
      return view.ok ? ok({ ...view.value, elsewhere: last.of(view.value.entryId, view.value.elsewhere) }) : view
    },
    scopes: (projectId) => readScopes(context, projectId, true),
    keeping: (projectId) => readScopes(context, projectId, false),
    download: () => readDownload(context),
    unsentWork: (projectId) => readUnsentWork(context, projectId),
    outbox: () => readOutbox(context),
    receipts: () => readReceipts(context),
    attention: () => readAttention(context),
    conflict: (projectId, entryId, conflictId) => readConflict(context, projectId, entryId, conflictId),
    serverConflicts: () => readServerConflicts(context),
    entered: (opKey) => readEntered(context, opKey),
    syncState: () => readSyncState(context),
    unsent: () => readUnsent(context),
    watch: (tables, changed) => {
      const stops = [context.storage.watch(tables.flatMap(tablesOf), changed), onOther(changed)]
      return () => stops.forEach((stop) => stop())
    },
    keepScope: async (scope) => {
      const kept = await keepScope(context, keeper, scope)
      if (kept.ok) await askToPersistOnce(context)
      return kept
    },
    dropScope: (scope) => dropScope(context, scope),
    enrolPatient: (input) => enrol(context, input),
    journalEdit: (projectId, versionId, target, step) => {
      const place = async (): Promise<void> => {
        const of = await places.of(projectId, versionId, target)
        // A patient that this device does not keep has no journal here; the page is read-only then.
        if (of.ok) context.journal.append(of.value, step)
      }
      // One step that had no place must not keep the next from getting theirs, nor the page from being saved.
      placing = placing.then(place, place)
    },
    flushJournal: async () => {
      await placed()
      const flushed = await context.journal.flush()
      return flushed.ok ? { ok: true, at: new Date().toISOString() } : flushed
    },
    prepareSave: (projectId, input) => prepareSave(context, places, projectId, input),
    saveEntry: async (projectId, input) => {
      await placed()
      return save(context, places, projectId, 'entry.save', input)
    },
    submitEntry: async (projectId, input) => {
      await placed()
      return save(context, places, projectId, 'entry.submit', input)
    },
    decideConflict: (conflict, decision) => decide(context, conflict, decision),
    noteReturn: (opKey) => noteReturn(context, opKey),
    readAhead: () => readAhead(context),
    readAgain: () => {
      context.remote.refresh()
      context.kickSync()
    },
    syncNow,
    setAside: async (opKey, reason): Promise<LocalWrite> => {
      const author = context.author()
      if (author === null) return { ok: false, error: { code: 'vault_locked' } }
      const done = await setRowAside(context.storage, author, opKey, reason)
      if (done.ok) context.kickSync()
      return done.ok ? { ok: true, at: new Date().toISOString() } : done
    },
    exportUnsent: async () => {
      await placed()
      return exportUnsent(context)
    },
    persistStorage: askToPersist,
  }
}

function tablesOf(watched: Watched): readonly string[] {
  return watched in TABLES ? TABLES[watched as keyof typeof TABLES] : [watched]
}

async function askToPersist(): Promise<boolean> {
  return (await (navigator as Partial<Navigator>).storage?.persist()) ?? false
}

/**
 * The browser is asked to keep the data for good when a person has chosen to keep a center here: then there is something to protect, and
 * they know why it is asked. Once; later they can ask again on the device's page.
 */
async function askToPersistOnce({ storage }: DataContext): Promise<void> {
  const asked = await storage.run(({ work }) => getMeta(work, 'persistAsked'))
  if (!asked.ok || asked.value === true) return
  await askToPersist()
  await storage.run(({ work }) => setMeta(work, 'persistAsked', true))
}
