import { err, ok } from '#core/result.ts'
import { setAside as setRowAside } from '#offline/outbox/setAside.ts'
import { sealForRescue } from '#offline/vault/keys.ts'
import type { JsonValue } from '#core/json.ts'

import type { DataContext } from './context.ts'
import { opened } from './local.ts'
import { readCasebook, readEntry, readPatients } from './readPatients.ts'
import { readCenters, readProject, readProjects, readScopes, readVersion } from './readProjects.ts'
import { readAttention, readOutbox, readReceipts, readSyncState, readUnsent } from './readSync.ts'
import { dropScope, keepScope } from './scopes.ts'
import type { ScopeKeeper } from './scopes.ts'
import type { DataActions, Device, Watched } from './source.ts'
import type { LocalWrite } from './types.ts'
import { DraftPlaces, enrol, save } from './writes.ts'

/** Tables of the databases behind each thing that a reading follows. */
const TABLES: Readonly<Record<Watched, readonly string[]>> = {
  rows: ['rows'],
  scopes: ['kept', 'cursors'],
  outbox: ['outbox'],
  receipts: ['receipts', 'bounced'],
  leases: ['leases'],
  state: ['meta'],
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
  return {
    projects: () => readProjects(context),
    project: (projectId) => readProject(context, projectId),
    centers: (projectId) => readCenters(context, projectId),
    version: (projectId) => readVersion(context, projectId),
    patients: (projectId, filter) => readPatients(context, projectId, filter),
    casebook: (patientId, projectId) => readCasebook(context, patientId, projectId),
    entry: (projectId, target) => readEntry(context, projectId, target),
    scopes: (projectId) => readScopes(context, projectId),
    outbox: () => readOutbox(context),
    receipts: () => readReceipts(context),
    attention: () => readAttention(context),
    syncState: () => readSyncState(context),
    unsent: () => readUnsent(context),
    watch: (tables, changed) => {
      const stops = [context.storage.watch(tables.flatMap((table) => TABLES[table]), changed), onOther(changed)]
      return () => stops.forEach((stop) => stop())
    },
    keepScope: (scope) => keepScope(context, keeper, scope),
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
    saveEntry: async (projectId, input) => {
      await placed()
      return save(context, projectId, 'entry.save', input)
    },
    submitEntry: async (projectId, input) => {
      await placed()
      return save(context, projectId, 'entry.submit', input)
    },
    syncNow,
    setAside: async (opKey, reason): Promise<LocalWrite> => {
      const author = context.author()
      if (author === null) return { ok: false, error: { code: 'vault_locked' } }
      const done = await setRowAside(context.storage, author, opKey, reason)
      if (done.ok) context.kickSync()
      return done.ok ? { ok: true, at: new Date().toISOString() } : done
    },
    exportUnsent: () => exportUnsent(context),
    persistStorage: async () => (await (navigator as Partial<Navigator>).storage?.persist()) ?? false,
  }
}

/** Everything not yet acknowledged that this user's keys open, what was refused or set aside included. */
async function exportUnsent(context: DataContext): ReturnType<DataActions['exportUnsent']> {
  const vault = context.vault()
  if (vault.state === 'locked') return err({ code: 'vault_locked' })
  const unsent = await context.storage.run(async ({ work }) => opened(context, await work.outbox.orderBy('seq').toArray()))
  if (!unsent.ok) return unsent
  const at = new Date().toISOString()
  const content = {
    deviceId: context.deviceId,
    exportedBy: context.user.userId,
    exportedAt: at,
    operations: unsent.value.map(({ row, op }) => ({ state: row.state, operation: op })),
  }
  const text = await sealForRescue(vault.keys.rescuePublicKey, content as unknown as JsonValue)
  return ok({
    name: `zhenglu-unsent-${at.slice(0, 19).replaceAll(':', '')}.json`,
    file: new Blob([text], { type: 'application/json' }),
    count: unsent.value.length,
  })
}
