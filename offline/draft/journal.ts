import type { ApiError } from '#core/api/errors.ts'
import { newId, timeOfId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import { isTakenBack, isUnbroken } from '#core/sync/takenBack.ts'
import { writeDirectly } from '#offline/db/directWrite.ts'
import type { Change } from '#offline/db/directWrite.ts'
import type { Storage } from '#offline/db/open.ts'
import type { DraftRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { lookAhead } from '#offline/outbox/seen.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing, ScopeKeyPair } from '#offline/vault/codec.ts'
import type { DraftContent } from '#offline/vault/sealedKinds.ts'

/**
 * How long typing is gathered before it is written, in milliseconds: as long as the handling of a key takes, so that
 * all that a key causes (a row and its first value) is one bundle. The rest of the time that a key may take to the disk
 * is needed for sealing and writing on a busy tablet. What is typed while a bundle is being written goes into the next
 * one.
 */
const GATHERED_FOR_MS = 10
const RETRY_MS = 2000

/** The page to which typing belongs. */
export interface DraftOf {
  readonly entryId: string
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  readonly versionId: string
  readonly target: EntryTarget
}

/** Typing that is in no operation yet. */
export interface Draft extends DraftOf {
  readonly author: string
  readonly runtime: string
  /** Rows from which it was read, including rows whose typing was taken back. */
  readonly ids: readonly string[]
  /** Empty where all of it was taken back. */
  readonly steps: readonly JournalStep[]
  /** Answers to warnings, the latest for each warning. */
  readonly answers: readonly ConfirmationGiven[]
}

/** One thing that a person did: a step of typing, or an answer to a warning. */
export type Done = { readonly step: JournalStep } | { readonly answer: ConfirmationGiven }

interface Pending {
  readonly of: DraftOf
  /** The opening of the page in which it was typed. */
  readonly opening: string
  readonly order: number
  readonly done: Done
  /**
   * The scope's keys at the time of typing: what was typed under a right can be sealed, even if the right has ended
   * since.
   */
  readonly keys: ScopeKeyPair | undefined
}

/**
 * The typing journal of one running app and one author. Steps are added in memory at once and written in bundles. A
 * bundle that could not be written stays in memory and is tried again. A save takes the steps of its own opening of the
 * page, up to the moment of the save, out of the journal, in the transaction that queues the save. Typing of another
 * opening, whose save failed or is still to come, is not part of it.
 */
export class Journal {
  readonly #storage: Storage
  readonly #ring: () => KeyRing
  readonly #author: string
  readonly #runtime: string
  #pending: Pending[] = []
  /**
   * Bundles that are, or may be, on the disk and that no save holds yet, by entry and opening. Nothing else writes or
   * takes bundles of this app.
   */
  readonly #stored = new Map<string, readonly Pick<DraftRow, 'id' | 'order'>[]>()
  #order = 0
  /** For each save that waits for its turn: the last step that it holds. */
  #cuts: readonly number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Writes and saves run one after the other: a bundle must not reach the disk after the save that holds it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(storage: Storage, ring: () => KeyRing, author: string, runtime: string) {
    this.#storage = storage
    this.#ring = ring
    this.#author = author
    this.#runtime = runtime
  }

  /** Adds a step. It is written together with what comes within 10 ms, or on `flush`. */
  append(of: DraftOf, step: JournalStep, opening = ''): void {
    this.add(of, { step }, opening)
  }

  /** Adds a step or an answer in the same way. */
  add(of: DraftOf, done: Done, opening = ''): void {
    this.#order += 1
    this.#pending.push({ of, opening, order: this.#order, done, keys: this.#ring().get(of.scope) })
    this.#schedule(GATHERED_FOR_MS)
  }

  /**
   * Makes all steps durable now, including those that are typed meanwhile: after a good result nothing is in memory
   * only.
   */
  flush(): Promise<Result<true, ApiError>> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#next(async () => {
      let written = await this.#write()
      while (written.ok && this.#pending.length > 0) written = await this.#write()
      return written
    })
  }

  /**
   * Runs a save that holds everything journalled so far in one opening of an entry's page. `save` gets the keys of the
   * stored bundles that it holds, and deletes them in its transaction.
   */
  async save<Value>(
    entryId: string,
    save: (held: readonly string[]) => Promise<Result<Value, ApiError>>,
    opening = '',
  ): Promise<Result<Value, ApiError>> {
    const own = typedIn(entryId, opening)
    const upTo = this.#order
    this.#cuts = [...this.#cuts, upTo]
    return this.#next(async () => {
      this.#cuts = this.#cuts.slice(1)
      const stored = this.#stored.get(own) ?? []
      const saved = await save(stored.filter(({ order }) => order <= upTo).map(({ id }) => id))
      if (!saved.ok) return saved
      this.#pending = this.#pending.filter(
        (step) => typedIn(step.of.entryId, step.opening) !== own || step.order > upTo,
      )
      this.#keep(
        own,
        stored.filter(({ order }) => order > upTo),
      )
      return saved
    })
  }

  /**
   * Removes everything journalled so far in one opening of an entry's page: all of it was taken back, so it must not be
   * reported as unsaved. What the disk does not delete now is recovered like other typing, and changes no value.
   */
  letGo(entryId: string, opening = ''): Promise<Result<true, ApiError>> {
    return this.save(entryId, (held) => dropDrafts(this.#storage, held), opening)
  }

  /**
   * Discards, for its author, what one opening of an entry's page has in the journal. It is removed from memory at
   * once, and from the disk as soon as the disk deletes it, because the next unlock would recover it. Resolves with
   * whether the disk has deleted it now.
   */
  async discard(entryId: string, opening = ''): Promise<Result<true, ApiError>> {
    const own = typedIn(entryId, opening)
    this.#pending = this.#pending.filter((step) => typedIn(step.of.entryId, step.opening) !== own)
    const gone = await this.letGo(entryId, opening)
    if (!gone.ok) setTimeout(() => void this.discard(entryId, opening), RETRY_MS)
    return gone
  }

  /** The running app that writes this journal. */
  get runtime(): string {
    return this.#runtime
  }

  async #write(): Promise<Result<true, ApiError>> {
    // A copy: what is typed while the bundle is being written is not in it.
    const bundle = [...this.#pending]
    if (bundle.length === 0) return ok(true)
    const written = await attempt(async () => {
      const rows: { readonly row: DraftRow; readonly own: string }[] = []
      for (const [, group] of Map.groupBy(bundle, (step) => this.#bundleOf(step))) {
        const first = group[0]
        if (first === undefined) continue
        const { entryId, patientId, scope, projectId, versionId, target } = first.of
        const id = newId()
        const content: DraftContent = { target, opening: first.opening, ...contentOf(group) }
        const ring = this.#ringFor(scope, group)
        const row = {
          id,
          entryId,
          patientId,
          scope,
          projectId,
          versionId,
          author: this.#author,
          runtime: this.#runtime,
          // The number of the bundle's newest step: a save takes whole bundles, and no bundle holds steps of two saves
          // (`#bundleOf`).
          order: Math.max(...group.map(({ order }) => order)),
          steps: await seal(ring, { scope, kind: 'draft', id }, sensitiveLevel(ring, scope), content),
        }
        rows.push({ row, own: typedIn(entryId, first.opening) })
      }
      return rows
    })
    // Noted before the write: a write that is reported as failed may still have been made.
    if (written.ok)
      for (const {
        own,
        row: { id, order },
      } of written.value)
        this.#keep(own, [...(this.#stored.get(own) ?? []), { id, order }])
    const stored = written.ok
      ? await this.#storage.run(({ work }) =>
          writeDirectly(
            work,
            [],
            written.value.map(({ row }) => storing(row)),
          ),
        )
      : written
    if (!stored.ok) {
      this.#schedule(RETRY_MS)
      return err(stored.error)
    }
    const done = new Set(bundle)
    this.#pending = this.#pending.filter((step) => !done.has(step))
    const last = bundle.at(-1)
    // Where more is being typed, the write after that looks ahead.
    if (last !== undefined && this.#pending.length === 0)
      lookAhead(this.#storage.work, { entityId: last.of.entryId, patientId: last.of.patientId })
    return ok(true)
  }

  #ringFor(scope: string, typed: readonly Pending[]): KeyRing {
    const ring = this.#ring()
    const keys = typed.find((step) => step.keys !== undefined)?.keys
    return ring.has(scope) || keys === undefined ? ring : new Map([[scope, keys]])
  }

  /** Bundles of what is in memory only: where the disk accepts nothing, a file carries them. */
  unwritten(): readonly DraftBundle[] {
    return [...Map.groupBy(this.#pending, (step) => this.#bundleOf(step)).values()].flatMap(
      (group): readonly DraftBundle[] => {
        const [first] = group
        return first === undefined ? [] : [{ id: newId(), ...first.of, author: this.#author, ...contentOf(group) }]
      },
    )
  }

  #keep(own: string, bundles: readonly Pick<DraftRow, 'id' | 'order'>[]): void {
    if (bundles.length > 0) this.#stored.set(own, bundles)
    else this.#stored.delete(own)
  }

  /** A name for the steps of one opening of an entry's page that the same saves hold. */
  #bundleOf({ of, opening, order }: Pending): string {
    return `${typedIn(of.entryId, opening)} ${this.#cuts.filter((cut) => order > cut).length}`
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

/** Where nothing was answered, a bundle has the same form as before answers were kept. */
function contentOf(group: readonly Pending[]): Pick<DraftContent, 'steps' | 'answers'> {
  const answers = group.flatMap(({ done }) => ('answer' in done ? [done.answer] : []))
  return {
    steps: group.flatMap(({ done }) => ('step' in done ? [done.step] : [])),
    ...(answers.length === 0 ? {} : { answers }),
  }
}

/** One opening of an entry's page. */
function typedIn(entryId: string, opening: string): string {
  return `${entryId} ${opening}`
}

function storing(row: DraftRow): Change {
  return { table: 'drafts', key: row.id, row }
}

/** Deletes bundles of which nothing is left to be saved. */
export async function dropDrafts(
  storage: Pick<Storage, 'run'>,
  ids: readonly string[],
): Promise<Result<true, ApiError>> {
  if (ids.length === 0) return ok(true)
  const dropped = await storage.run(({ work }) =>
    writeDirectly(
      work,
      [],
      ids.map((key) => ({ table: 'drafts', key, row: null })),
    ),
  )
  return dropped.ok ? ok(true) : dropped
}

/**
 * Which other authors have typing of an entry on this device that is in no operation yet, and when each last typed:
 * only they can prove it.
 */
export async function typedByOthers(
  { work }: Pick<Storage, 'work'>,
  ring: KeyRing,
  entryId: string,
  author: string,
): Promise<readonly { readonly author: string; readonly at: string }[]> {
  const rows = (await work.drafts.where('entryId').equals(entryId).toArray()).filter((row) => row.author !== author)
  const typed: DraftRow[] = []
  for (const [, ofApp] of Map.groupBy(rows, (row) => `${row.author} ${row.runtime}`)) {
    const draft = await attempt(() => openDraft(ring, ofApp))
    // A draft that cannot be opened here may hold anything, so it counts.
    if (!draft.ok || draft.value === null || isSomething(draft.value)) typed.push(...ofApp)
  }
  return [...Map.groupBy(typed, (row) => row.author)].map(([other, ofAuthor]) => ({
    author: other,
    at: new Date(Math.max(...ofAuthor.map(({ id }) => timeOfId(id)))).toISOString(),
  }))
}

/** Whether anything of a draft is left to be saved, and not all of it was taken back. */
export function isSomething({ steps, answers }: Pick<Draft, 'steps' | 'answers'>): boolean {
  return steps.length > 0 || answers.length > 0
}

/**
 * What an author typed in apps that died before it was saved, per entry, oldest first.
 *
 * @param alive whether a running app still writes: that app saves its own typing
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
    // A damaged draft stays where it is, and must not keep the others from being recovered.
    if (draft.ok && draft.value !== null) drafts.push(draft.value)
  }
  return ok(drafts)
}

/** One bundle of typing, as a rescue export carries it. */
export interface DraftBundle extends DraftOf {
  readonly id: string
  readonly author: string
  readonly steps: readonly JournalStep[]
  readonly answers?: readonly ConfirmationGiven[]
}

/** All typing on this device that is in no operation yet, of all authors, as far as the ring opens it. */
export function allDrafts(storage: Storage, ring: KeyRing): Promise<Result<readonly DraftBundle[], ApiError>> {
  return storage.run(async ({ work }) => {
    const bundles: DraftBundle[] = []
    for (const row of await work.drafts.orderBy('id').toArray()) {
      const opened = await attempt(() => openBundles(ring, [row]))
      const content = opened.ok ? opened.value?.[0] : undefined
      // A damaged bundle must not keep the others from being exported.
      if (content === undefined) continue
      const { runtime: _runtime, order: _order, ...of } = row
      const { opening: _opening, ...typed } = content
      bundles.push({ ...of, ...typed })
    }
    return bundles
  })
}

/** The contents of some bundles of one app, in the order of their steps. Null where the ring cannot open one. */
async function openBundles(ring: KeyRing, rows: readonly DraftRow[]): Promise<readonly DraftContent[] | null> {
  const contents: DraftContent[] = []
  for (const { id, scope, steps } of rows.toSorted((a, b) => a.order - b.order)) {
    const content = await unseal(ring, { scope, kind: 'draft', id }, steps)
    if (content === null) return null
    contents.push(content)
  }
  return contents
}

/**
 * What is left to be saved of the bundles of one app. Typing that was all taken back, within one opening of the page,
 * is left out.
 */
async function openDraft(ring: KeyRing, rows: readonly DraftRow[]): Promise<Draft | null> {
  const contents = await openBundles(ring, rows)
  const [row, first] = [rows[0], contents?.[0]]
  if (row === undefined || contents === null || first === undefined) return null
  const back = new Set(
    [...Map.groupBy(contents, ({ opening }) => opening)].flatMap(([opening, of]) =>
      opening !== undefined && isNothing(of) ? [opening] : [],
    ),
  )
  const left = contents.filter(({ opening }) => opening === undefined || !back.has(opening))
  const { entryId, patientId, scope, projectId, versionId, author, runtime } = row
  return {
    entryId,
    patientId,
    scope,
    projectId,
    versionId,
    author,
    runtime,
    target: first.target,
    ...allOf(left),
    ids: rows.map(({ id }) => id),
  }
}

function isNothing(contents: readonly DraftContent[]): boolean {
  const { steps, answers } = allOf(contents)
  return answers.length === 0 && isTakenBack(steps) && isUnbroken(steps)
}

function allOf(contents: readonly DraftContent[]): Pick<Draft, 'steps' | 'answers'> {
  return {
    steps: contents.flatMap(({ steps }) => steps),
    answers: contents.reduce<readonly ConfirmationGiven[]>(
      (all, { answers = [] }) => withConfirmations(all, answers),
      [],
    ),
  }
}
