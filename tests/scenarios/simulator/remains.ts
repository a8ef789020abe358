import type { JournalStep } from '#core/sync/entryChange.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { ConflictRow, EntryRow, PatientRow, QueryRow, RowKind, RowOf, VisitRow } from '#core/api/sync/rows.ts'
import type { Databases } from '#offline/db/databases.ts'
import { casebooksOfScope } from '#offline/db/marks.ts'
import type { Storage } from '#offline/db/open.ts'
import type { DraftRow, FileRow, OutboxRow } from '#offline/db/rows.ts'
import { orphanedDrafts } from '#offline/draft/journal.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import { openRow } from '#offline/sync/cache.ts'
import { entriesOfPatient } from '#offline/sync/pull/entries.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { AtWork } from './atWork.ts'
import type { Plain } from './simTablet.ts'

/**
 * Everything that is on a tablet at the end of a history, opened with the keys of whoever is at work, as plain data.
 */
export interface Remains {
  /** Whether whoever is at work keeps the center on it. Null where nobody is at work. */
  readonly keepsCenter: boolean | null
  readonly waiting: readonly LeftOperation[]
  /** Steps of typing that were never put into an operation, as far as whoever is at work can read them. */
  readonly typed: readonly JournalStep[]
  /** Such steps of anybody, in bundles. */
  readonly bundles: readonly Pick<DraftRow, 'author' | 'entryId' | 'runtime'>[]
  readonly entries: readonly EntryRow[]
  readonly patients: readonly PatientRow[]
  readonly conflicts: readonly ConflictRow[]
  readonly visits: readonly VisitRow[]
  readonly queries: readonly QueryRow[]
  /** Queries on it, in anybody's view, that nobody has asked. */
  readonly candidates: readonly string[]
  /** Contents that are on it: `unsent`, or how else they stand. */
  readonly files: readonly Pick<FileRow, 'id' | 'state' | 'problem'>[]
  /** Keys of operations that the server holds, by their receipts. */
  readonly held: readonly string[]
  /** What the tablet says that needs a person. */
  readonly attention: readonly { readonly id: string; readonly opKey: string | null }[]
}

/** An operation that is still on a tablet. */
export interface LeftOperation {
  readonly row: Pick<
    OutboxRow,
    'key' | 'call' | 'state' | 'entityId' | 'patientId' | 'author' | 'error' | 'supersededBy'
  >
  /** Null where the keys of whoever is at work do not open it. */
  readonly op: Operation | null
}

/** A page as the tablet shows it. */
export interface ShownPage {
  readonly values: Readonly<Record<string, Plain>>
  readonly missing: Readonly<Record<string, Plain>>
}

/** Whose eyes look: `work` is null where nobody is at work. */
export interface Looker {
  readonly work: AtWork | null
  readonly ring: KeyRing
  readonly userId: string
  /** Scope of the northern center, which all tablets keep. */
  readonly scope: string
}

export async function remainsOf(storage: Storage, { work, ring, userId, scope }: Looker): Promise<Remains> {
  const [outbox, kept, bundles, held, files] = await look(storage, (databases) =>
    Promise.all([
      databases.work.outbox.orderBy('seq').toArray(),
      databases.work.kept.get([scope, userId]),
      databases.work.drafts.toArray(),
      databases.work.receipts.where('outcome').anyOf('inbox', 'held').toArray(),
      databases.work.files.toArray(),
    ]),
  )
  const typed = await orphanedDrafts(storage, ring, userId, () => Promise.resolve(false))
  const attention = work === null ? null : await work.device.attention()
  const rows = <Kind extends RowKind>(kind: Kind): Promise<RowOf<Kind>[]> =>
    look(storage, ({ cache }) => ownRows(cache, { ring, userId, scope }, kind))
  return {
    keepsCenter: work === null ? null : kept !== undefined,
    waiting: await Promise.all(
      outbox.map(async (row): Promise<LeftOperation> => {
        const { key, call, state, entityId, patientId, author, error, supersededBy } = row
        return {
          row: { key, call, state, entityId, patientId, author, error, supersededBy },
          op: await openOperation(ring, row),
        }
      }),
    ),
    typed: typed.ok ? typed.value.flatMap(({ steps }) => steps) : [],
    bundles: bundles.map(({ author, entryId, runtime }) => ({ author, entryId, runtime })),
    entries: await rows('entry'),
    patients: await rows('patient'),
    conflicts: await rows('conflict'),
    visits: await rows('visit'),
    queries: await rows('query'),
    candidates: await candidatesOn(storage, ring),
    files: files.map(({ id, state, problem }) => ({ id, state, problem })),
    // What is of another pass only its people are told of.
    held: held.filter((receipt) => receipt.scope === scope).map(({ key }) => key),
    attention: attention?.ok === true ? attention.value.map(({ id, opKey }) => ({ id, opKey })) : [],
  }
}

/**
 * Rows of the center that were pulled with all rights, and are not there for others alone; what others see of them lies
 * beside them.
 */
export async function ownRows<Kind extends RowKind>(
  cache: Databases['cache'],
  { ring, userId, scope }: Pick<Looker, 'ring' | 'userId' | 'scope'>,
  kind: Kind,
): Promise<RowOf<Kind>[]> {
  const cached = await cache.rows.where('[scope+kind]').equals([scope, kind]).toArray()
  const opened = await Promise.all(
    cached
      .filter(({ id, notFor = [] }) => !id.includes('~') && !notFor.includes(userId))
      .map((row) => openRow(ring, kind, row)),
  )
  const here = opened.filter((row) => row !== null)
  return kind === 'entry' ? ((await ownEntries(cache, { ring, userId, scope })) as unknown as RowOf<Kind>[]) : here
}

/** Entries lie by themselves or in packs of their patient. */
async function ownEntries(
  cache: Databases['cache'],
  { ring, userId, scope }: Pick<Looker, 'ring' | 'userId' | 'scope'>,
): Promise<EntryRow[]> {
  const patients = new Set((await casebooksOfScope(cache, scope).primaryKeys()).map(([, patientId]) => patientId))
  const all = await Promise.all(
    [...patients].map((patientId) => entriesOfPatient({ storage: { cache }, ring, userId }, patientId)),
  )
  return all.flat().filter(({ masked }) => masked !== true)
}

/** Whatever can be opened of queries that were never asked, of all who are at work on the tablet. */
function candidatesOn(storage: Storage, ring: KeyRing): Promise<readonly string[]> {
  return look(storage, async ({ cache }) => {
    const cached = await cache.rows.filter(({ kind }) => kind === 'query').toArray()
    const opened = await Promise.all(cached.map((row) => openRow(ring, 'query', row)))
    return opened.flatMap((row) => (row === null || row.wasAsked ? [] : [row.id]))
  })
}

/** Accounts of those in whose name something is on the tablet that is not sent yet. */
export function whoLeftWork(storage: Storage): Promise<readonly string[]> {
  return look(storage, async ({ work }) => {
    const left = new Set(
      [...(await work.outbox.toArray()), ...(await work.drafts.toArray())].map(({ author }) => author),
    )
    return (await work.vault.toArray()).filter(({ userId }) => left.has(userId)).map(({ account }) => account)
  })
}

/** What is to be sent, and how far it is. */
export async function outboxText(storage: Storage): Promise<string> {
  const [rows, files] = await look(storage, ({ work }) =>
    Promise.all([work.outbox.orderBy('seq').toArray(), work.files.where('state').equals('unsent').toArray()]),
  )
  return [
    ...rows.map(({ key, state }) => `${key} ${state}`),
    ...files.map(({ id, sentBytes }) => `${id} ${sentBytes}`),
  ].join()
}

/** Looks at what is on the disk, for the oracle. */
async function look<Value>(storage: Storage, read: (databases: Databases) => Promise<Value>): Promise<Value> {
  const found = await storage.run(read)
  if (!found.ok) throw new Error(`the tablet cannot be read: ${found.error.code}`)
  return found.value
}
