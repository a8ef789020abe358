import { entryId } from '#core/derivedIds.ts'
import { ok } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { Done } from '#offline/draft/journal.ts'
import { giveReasons } from '#offline/outbox/reasons.ts'
import { setAside as setRowAside } from '#offline/outbox/setAside.ts'

import { keepDesign, readKeptDesign } from './writes/designs.ts'
import { keepTrial, readKeptTrials } from './writes/trials.ts'
import type { DataContext } from './rows/context.ts'
import { decide, noteReturn } from './writes/decide.ts'
import {
  discardFile,
  readFileContent,
  readFileStandings,
  readFileThumb,
  readPatientFiles,
  readProjectImages,
  takeFile,
} from './writes/files.ts'
import { Opener } from './writes/openHere.ts'
import { readAhead } from './lists/readAhead.ts'
import { readAttention } from './casebook/readAttention.ts'
import { readCasebook } from './casebook/readCasebook.ts'
import { readProjectOf } from './rows/readProjectOf.ts'
import { readMembers, readProjectChoice, readVersions } from './rows/readChoices.ts'
import { readConflict, readServerConflicts } from './casebook/readConflict.ts'
import { readEntered } from './lists/readEntered.ts'
import { readEntry } from './casebook/readEntry.ts'
import { readHome } from './lists/readHome.ts'
import { readMarks, readMarksHere } from './rows/readMarks.ts'
import { readPatients } from './lists/readPatients.ts'
import {
  readCenters,
  readDownload,
  readProject,
  readProjects,
  readScopes,
  readVersion,
  readVersionsById,
} from './rows/readProjects.ts'
import { readOutbox, readReceipts, readSyncState, readUnsent, readUnsentWork } from './lists/readSync.ts'
import { readUnsentTrail } from './unsentTrail.ts'
import { readVisitStates, readVisitStatesHere, readVisits } from './lists/readVisits.ts'
import { readWork } from './lists/readWork.ts'
import { exportUnsent } from './writes/rescue.ts'
import { LastLookUps } from './casebook/readLookUps.ts'
import { LastElsewhere } from './casebook/savedPages.ts'
import { dropScope, keepScope } from './writes/scopes.ts'
import type { ScopeKeeper } from './writes/scopes.ts'
import type { DataActions, Device, Watched } from './source.ts'
import type { LocalWrite } from './shapes/types.ts'
import { changePatient, removePatient } from './writes/patientWrites.ts'
import { actOnVisit, deleteEntry } from './writes/visitWrites.ts'
import { explainListed, givenOf } from './casebook/unexplained.ts'
import { enrol } from './writes/enrol.ts'
import { DraftPlaces, draftOf, prepareSave, save } from './writes/writes.ts'

/** Tables of the databases behind each thing that a reading follows. */
const TABLES: Readonly<Record<Exclude<Watched, `rows${string}`>, readonly string[]>> = {
  scopes: ['kept', 'pulls'],
  outbox: ['outbox'],
  files: ['files'],
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
  const opener = new Opener(context, keeper, syncNow)
  // Steps whose place is still being looked up; a save or a flush waits for them.
  let placing: Promise<unknown> = Promise.resolve()
  let unplaced = 0
  const placed = (): Promise<unknown> => Promise.allSettled([placing])
  const journal = (projectId: string, versionId: string, target: EntryTarget, done: Done, opening?: string): void => {
    // A key does not wait for a look at the disk: where its typing belongs is known since the page was opened, and is
    // looked up anew behind it.
    const known = unplaced === 0 ? places.known(projectId, versionId, target) : null
    if (known !== null) {
      context.journal.add(known, done, opening)
      void places.scopeOf(projectId, target.patientId)
      return
    }
    unplaced += 1
    const place = async (): Promise<void> => {
      const of = await places.of(projectId, versionId, target)
      unplaced -= 1
      // A patient that this device does not keep has no journal here; the page is read-only then.
      if (of.ok) context.journal.add(of.value, done, opening)
    }
    // One step that had no place must not keep the next from getting theirs, nor the page from being saved.
    placing = placing.then(place, place)
  }
  const last = new LastElsewhere()
  const lastLookUps = new LastLookUps()
  return {
    projects: () => readProjects(context),
    project: (projectId) => readProject(context, projectId),
    projectChoice: (search) => readProjectChoice(context, search),
    versions: (projectId) => readVersions(context, projectId),
    members: (projectId) => readMembers(context, projectId),
    centers: (projectId) => readCenters(context, projectId),
    version: (projectId) => readVersion(context, projectId),
    versionsById: (projectId, ids) => readVersionsById(context, projectId, ids),
    patients: (projectId, filter) => readPatients(context, projectId, filter),
    matrix: async (projectId, filter, first) => {
      const list = await readPatients(context, projectId, filter)
      if (!list.ok) return list
      const begun = list.value.patients.slice(0, first)
      const [marks, states] = await Promise.all([
        readMarksHere(context, projectId, begun),
        readVisitStatesHere(context, projectId, begun),
      ])
      return ok({
        ...list.value,
        marks: marks.ok ? marks.value : new Map(),
        states: states.ok ? states.value : new Map(),
      })
    },
    home: () => readHome(context),
    marks: (projectId, patients) => readMarks(context, projectId, patients),
    visits: (projectId, filter) => readVisits(context, projectId, filter),
    visitStates: (projectId, patients) => readVisitStates(context, projectId, patients),
    work: (projectId, filter) => readWork(context, projectId, filter),
    projectOf: (patientId) => readProjectOf(context, patientId),
    casebook: (patientId, projectId) => readCasebook(context, patientId, projectId),
    entry: async (projectId, target) => {
      // Where its typing belongs is known as soon as the page is there, and stays known if the patient goes while it is
      // open.
      void places.scopeOf(projectId, target.patientId)
      const view = await readEntry(context, projectId, target)
      if (!view.ok) return view
      const { entryId, elsewhere, lookUps } = view.value
      return ok({ ...view.value, elsewhere: last.of(entryId, elsewhere), lookUps: lastLookUps.of(entryId, lookUps) })
    },
    fileStandings: (projectId, entry) => readFileStandings(context, projectId, entry),
    patientFiles: (projectId, patientId) => readPatientFiles(context, projectId, patientId),
    projectImages: (projectId, current) => readProjectImages(context, projectId, current),
    scopes: (projectId) => readScopes(context, projectId, true),
    keeping: (projectId) => readScopes(context, projectId, false),
    download: () => readDownload(context),
    unsentWork: (projectId) => readUnsentWork(context, projectId),
    unsentTrail: (projectId, patientId, page) => readUnsentTrail(context, projectId, patientId, page),
    outbox: () => readOutbox(context),
    receipts: () => readReceipts(context),
    attention: () => readAttention(context),
    conflict: (projectId, entryId, conflictId) => readConflict(context, projectId, entryId, conflictId),
    serverConflicts: () => readServerConflicts(context),
    entered: (opKey) => readEntered(context, opKey),
    keptDesign: (versionId) => readKeptDesign(context, versionId),
    keptTrials: (versionId) => readKeptTrials(context, versionId),
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
    keepDesign: (versionId, design) => keepDesign(context, versionId, design),
    keepTrial: (versionId, trial) => keepTrial(context, versionId, trial),
    openHere: (projectId, patient) => opener.open(projectId, patient),
    enrolPatient: (input) => enrol(context, opener, syncNow, input),
    changePatient: (projectId, seen, facts, reason) => changePatient(context, places, projectId, seen, facts, reason),
    removePatient: (projectId, patientId, reason) => removePatient(context, places, projectId, patientId, reason),
    journalEdit: (projectId, versionId, target, step, opening) =>
      journal(projectId, versionId, target, { step }, opening),
    journalAnswer: (projectId, versionId, target, answer, opening) =>
      journal(projectId, versionId, target, { answer }, opening),
    letGoTyping: async (target, opening) => {
      await placed()
      return context.journal.letGo(entryId(target), opening)
    },
    discardTyping: async (target, opening) => {
      await placed()
      return context.journal.discard(entryId(target), opening)
    },
    flushJournal: async () => {
      await placed()
      const flushed = await context.journal.flush()
      return flushed.ok ? { ok: true, at: new Date().toISOString() } : flushed
    },
    isTaken: async (projectId, versionId, target, code, value) => {
      if (!context.online()) return null
      const asked = await context.api.call('entry.unique', {
        params: { id: entryId(target) },
        body: { target, code, value },
        projectId,
        crfId: versionId,
      })
      return asked.ok ? asked.value.taken : null
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
    giveReasons: async (projectId, target, given): Promise<LocalWrite> => {
      await placed()
      const author = context.author()
      if (author === null) return { ok: false, error: { code: 'vault_locked' } }
      // Also where the page itself is not to be read here any more.
      const view = await readEntry(context, projectId, target)
      const reasons = givenOf(given)
      const freed = await giveReasons(context.storage, author, entryId(target), reasons)
      const done =
        freed.ok && view.ok
          ? await explainListed(context, view.value, reasons, (save) => draftOf(places, projectId, 'entry.save', save))
          : freed
      if (!done.ok) return done
      context.kickSync()
      return { ok: true, at: new Date().toISOString() }
    },
    unexplained: async (projectId, target) => {
      const view = await readEntry(context, projectId, target)
      return view.ok ? view.value.unexplained.filter(({ mine }) => mine) : []
    },
    actOnVisit: (projectId, visit, act) => actOnVisit(context, places, projectId, visit, act),
    deleteEntry: (projectId, target, seenRev, reason) =>
      deleteEntry(context, places, projectId, target, seenRev, reason),
    takeFile: (projectId, target, place, file) => takeFile(context, places, projectId, target, place, file),
    fileContent: (projectId, fileId) => readFileContent(context, projectId, fileId),
    fileThumb: (projectId, fileId) => readFileThumb(context, projectId, fileId),
    discardFile: (fileId) => discardFile(context, fileId),
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
  // Entries lie by themselves, or in packs that their casebook names.
  if (watched === 'rows' || watched === 'rows/entry') return [watched, 'casebooks', 'packs']
  return watched in TABLES ? TABLES[watched as keyof typeof TABLES] : [watched]
}

async function askToPersist(): Promise<boolean> {
  return (await (navigator as Partial<Navigator>).storage?.persist()) ?? false
}

/**
 * The browser is asked to keep the data for good when a person has chosen to keep a center here: then there is
 * something to protect, and they know why it is asked. Once; later they can ask again on the device's page.
 */
async function askToPersistOnce({ storage }: DataContext): Promise<void> {
  const asked = await storage.run(({ work }) => getMeta(work, 'persistAsked'))
  if (!asked.ok || asked.value === true) return
  await askToPersist()
  await storage.run(({ work }) => setMeta(work, 'persistAsked', true))
}
