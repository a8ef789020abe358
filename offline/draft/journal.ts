import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import type { Storage } from '#offline/db/open.ts'
import type { DraftRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

/** Typing is on the disk so many milliseconds after a key was pressed, whatever becomes of the save (DESIGN §6). */
const DURABLE_WITHIN_MS = 300
const RETRY_MS = 2000

/** Where typing belongs. */
export interface DraftOf {
  readonly entryId: string
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  readonly versionId: string
  readonly target: EntryTarget
}

/** What was typed and is in no operation yet. */
export interface Draft extends DraftOf {
  readonly author: string
  readonly runtime: string
  /** Rows it was read from. */
  readonly ids: readonly string[]
  readonly steps: readonly JournalStep[]
}

interface Pending {
  readonly of: DraftOf
  readonly order: number
  readonly step: JournalStep
}

/**
 * The typing journal of one running app and one author. Steps are appended in memory at once and written in bundles; a bundle
 * that could not be written stays in memory and is tried again. A save takes the steps up to its moment out, in the transaction that
 * queues it.
 */
export class Journal {
  readonly #storage: Storage
  readonly #ring: () => KeyRing
  readonly #author: string
  readonly #runtime: string
  #pending: Pending[] = []
  #order = 0
  /** Up to where each save that waits for its turn holds the steps. */
  #cuts: readonly number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Writes and takes happen one after the other: a bundle must not reach the disk after the save that holds it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(storage: Storage, ring: () => KeyRing, author: string, runtime: string) {
    this.#storage = storage
    this.#ring = ring
    this.#author = author
    this.#runtime = runtime
  }

  /** Appends a step; durable within 300 ms, or on `flush`. */
  append(of: DraftOf, step: JournalStep): void {
    this.#order += 1
    this.#pending.push({ of, order: this.#order, step })
    this.#schedule(DURABLE_WITHIN_MS)
  }

  /** Makes all steps durable now. */
  flush(): Promise<Result<true, ApiError>> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#next(() => this.#write())
  }

  /**
   * Runs a save that holds everything journalled so far for an entry. `save` gets the number up to which steps are in it, and deletes
   * the stored ones in its transaction (`draftsUpTo`).
   */
  async save<Value>(entryId: string, save: (upTo: number) => Promise<Result<Value, ApiError>>): Promise<Result<Value, ApiError>> {
    const upTo = this.#order
    this.#cuts = [...this.#cuts, upTo]
    return this.#next(async () => {
      this.#cuts = this.#cuts.slice(1)
      const saved = await save(upTo)
      if (saved.ok) this.#pending = this.#pending.filter(({ of, order }) => of.entryId !== entryId || order > upTo)
      return saved
    })
  }

  /** Which running app writes. */
  get runtime(): string {
    return this.#runtime
  }

  async #write(): Promise<Result<true, ApiError>> {
    const bundle = this.#pending
    if (bundle.length === 0) return ok(true)
    const written = await attempt(async () => {
      const rows: DraftRow[] = []
      for (const [, group] of Map.groupBy(bundle, (step) => this.#bundleOf(step))) {
        const first = group[0]
        if (first === undefined) continue
        const { entryId, patientId, scope, projectId, versionId, target } = first.of
        const id = newId()
        const content = { target, steps: group.map(({ step }) => step) }
        rows.push({
          id,
          entryId,
          patientId,
          scope,
          projectId,
          versionId,
          author: this.#author,
          runtime: this.#runtime,
          // The newest step of the bundle: a save takes whole bundles, and no bundle straddles one (`#bundleOf`).
          order: Math.max(...group.map(({ order }) => order)),
          steps: await seal(this.#ring(), { scope, kind: 'draft', id }, sensitiveLevel(this.#ring(), scope), content as unknown as JsonValue),
        })
      }
      return rows
    })
    const stored = written.ok ? await this.#storage.run(({ work }) => work.drafts.bulkAdd([...written.value])) : written
    if (!stored.ok) {
      this.#schedule(RETRY_MS)
      return err(stored.error)
    }
    const done = new Set(bundle)
    this.#pending = this.#pending.filter((step) => !done.has(step))
    return ok(true)
  }

  /** Steps of one entry that the same saves hold. */
  #bundleOf({ of, order }: Pending): string {
    return `${of.entryId} ${this.#cuts.filter((cut) => order > cut).length}`
  }

  #schedule(after: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#next(() => this.#write())
    }, after)
  }

  #next<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}

/** Ids of stored bundles of this app that a save of the entry holds. */
export async function draftsUpTo(storage: Pick<Storage, 'work'>, entryId: string, runtime: string, upTo: number): Promise<string[]> {
  const rows = await storage.work.drafts.where('entryId').equals(entryId).toArray()
  return rows.filter((row) => row.runtime === runtime && row.order <= upTo).map(({ id }) => id)
}

/**
 * What an author typed in apps that died before it was saved, per entry, oldest first.
 *
 * @param alive whether a running app still writes: its drafts are its own affair
 */
export async function orphanedDrafts(
  storage: Storage,
  ring: KeyRing,
  author: string,
  alive: (runtime: string) => Promise<boolean>,
): Promise<Result<readonly Draft[], ApiError>> {
  const read = await storage.run(({ work }) => work.drafts.where('author').equals(author).toArray())
  if (!read.ok) return read
  const orphans: DraftRow[] = []
  for (const [runtime, rows] of Map.groupBy(read.value, ({ runtime: owner }) => owner)) {
    if (!(await alive(runtime))) orphans.push(...rows)
  }
  const drafts: Draft[] = []
  for (const [, rows] of Map.groupBy(orphans, (row) => `${row.entryId} ${row.runtime}`)) {
    const draft = await attempt(() => openDraft(ring, rows))
    // One that is damaged stays where it is, and must not keep the others from being recovered.
    if (draft.ok && draft.value !== null) drafts.push(draft.value)
  }
  return ok(drafts)
}

async function openDraft(ring: KeyRing, rows: readonly DraftRow[]): Promise<Draft | null> {
  const ordered = rows.toSorted((a, b) => a.order - b.order)
  const [row] = ordered
  if (row === undefined) return null
  const steps: JournalStep[] = []
  let target: EntryTarget | null = null
  for (const { id, scope, steps: sealed } of ordered) {
    // Sealed by `Journal` with this shape, and authenticated.
    const content = (await unseal(ring, { scope, kind: 'draft', id }, sealed)) as unknown as Content | null
    if (content === null) return null
    target = content.target
    steps.push(...content.steps)
  }
  if (target === null) return null
  const { entryId, patientId, scope, projectId, versionId, author, runtime } = row
  return { entryId, patientId, scope, projectId, versionId, author, runtime, target, steps, ids: ordered.map(({ id }) => id) }
}

interface Content {
  readonly target: EntryTarget
  readonly steps: readonly JournalStep[]
}
