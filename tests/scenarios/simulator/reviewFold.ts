import { markAfter, markAfterChange } from '#core/review/verification.ts'
import type { MarkState, ReviewAct, ReviewTrack } from '#core/review/verification.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { contentText, textOf } from './evidence.ts'
import type { AuditRow } from './evidence.ts'

/**
 * Entries and their marks as the audit trail alone tells them, booking by booking: what people did to marks, what was
 * written, and what follows from both by the table of states.
 */

/** A mark as the trail leads to it. */
export interface FoldedMark extends ItemPlace {
  readonly entryId: string
  readonly track: ReviewTrack
  readonly state: MarkState
  /** What was looked at, as text (`contentText`). */
  readonly content: string
  readonly method: string | null
  readonly note: string | null
  readonly by: string | null
}

const BOTH = { verifies: true, manages: true }
const EMPTY = contentText(null)
const SMOKES = contentText({ value: '1' })

/** Fields that rules of other pages show and hide: from the trail of their own page nobody can tell. */
const SHOWN_FROM_AFAR: ReadonlySet<string> = new Set(['lung', 'cough'])
const ON_SOME_VERSIONS: ReadonlySet<string> = new Set(['pulse'])
/** What marks follow. */
const DATA = /^(item\.(update|calculate)|row\.(insert|move|delete|restore)|entry\.(delete|restore|recalculate))$/

/** What the study's pages say of a place. */
interface PlaceFacts {
  readonly isMasked: boolean
  readonly hasField: boolean
  readonly isCalculated: boolean
}

type Sight = 'shown' | 'gone' | 'perhaps'

class FoldedEntry {
  readonly items = new Map<string, string>()
  readonly rows = new Map<string, boolean>()
  isDeleted = false

  take({ action, table, rid, prop, new: to }: AuditRow): void {
    if (action === 'entry.delete') this.isDeleted = true
    else if (action === 'entry.restore') this.isDeleted = false
    else if (action.startsWith('row.') && rid !== null)
      this.rows.set(rid, (to as { readonly deleted: boolean }).deleted)
    else if (action.startsWith('item.')) this.items.set(placeText({ table, rid, code: prop ?? '' }), contentText(to))
  }

  contentAt(place: ItemPlace): string {
    return this.items.get(placeText(place)) ?? EMPTY
  }

  sightOf({ table, rid, code }: ItemPlace): Sight {
    if (this.isDeleted || (rid !== null && this.rows.get(rid) !== false)) return 'gone'
    if (table === null && SHOWN_FROM_AFAR.has(code)) return 'perhaps'
    const isHidden = code === 'packs' && this.contentAt({ table: null, rid: null, code: 'smokes' }) !== SMOKES
    return isHidden ? 'gone' : 'shown'
  }
}

export class ReviewFold {
  readonly found: string[] = []
  readonly #entries = new Map<string, FoldedEntry>()
  readonly #marks = new Map<string, FoldedMark>()
  /** Marks by entry: most entries have none. */
  readonly #ofEntry = new Map<string, Set<string>>()

  get marks(): readonly FoldedMark[] {
    return [...this.#marks.values()]
  }

  /** Takes what was written with one booking, and what the trail says became of marks by that. */
  takeWrites(rows: readonly AuditRow[]): void {
    for (const [entryId, own] of Map.groupBy(rows, (row) => row.entryId)) {
      if (entryId === null) continue
      let written: AuditRow[] = []
      for (const row of own) {
        // Where pages read each other, one booking may write a page again.
        if (row.action === 'entry.recalculate') {
          this.#settle(entryId, written)
          written = []
        }
        written.push(row)
      }
      this.#settle(entryId, written)
    }
  }

  /**
   * What an act leads to at a place, as it is now: the state of the mark, or why the place is left as it is. Two words
   * where the trail cannot tell.
   */
  outcomeOf(
    entryId: string,
    { track, act }: { readonly track: ReviewTrack; readonly act: ReviewAct },
    { seen, ...place }: ItemPlace & { readonly seen: ItemContent },
    { isMasked, hasField, isCalculated }: PlaceFacts,
  ): readonly string[] {
    if (isMasked) return ['masked']
    const entry = this.#entry(entryId)
    const content = entry.contentAt(place)
    const sight = hasField ? entry.sightOf(place) : 'gone'
    if (sight === 'gone' || content === EMPTY) return ['gone']
    const after = markAfter(this.stateOf(entryId, track, place), act, track, BOTH)
    const stands = content === contentText(seen) ? (after.ok ? after.state : 'state') : 'value'
    const then = isCalculated && act !== 'unverify' ? 'calculated' : stands
    return sight === 'perhaps' || ON_SOME_VERSIONS.has(place.code) ? [then, 'gone'] : [then]
  }

  stateOf(entryId: string, track: ReviewTrack, place: ItemPlace): MarkState | null {
    return this.#marks.get(markText({ ...place, entryId, track }))?.state ?? null
  }

  put(mark: FoldedMark): void {
    const key = markText(mark)
    this.#marks.set(key, mark)
    this.#ofEntry.set(mark.entryId, (this.#ofEntry.get(mark.entryId) ?? new Set()).add(key))
  }

  /** After a write of an entry: each verified value that is shown and is another one now is told, and no other. */
  #settle(entryId: string, written: readonly AuditRow[]): void {
    const entry = this.#entry(entryId)
    for (const row of written) if (DATA.test(row.action)) entry.take(row)
    const told = Map.groupBy(
      written.filter(({ action }) => action === 'review.changed'),
      (row) => markText({ entryId, track: trackOf(row), table: row.table, rid: row.rid, code: row.prop ?? '' }),
    )
    for (const key of this.#ofEntry.get(entryId) ?? []) {
      const mark = this.#marks.get(key)
      if (mark === undefined) continue
      const rows = told.get(key) ?? []
      told.delete(key)
      this.#follow(entry, mark, rows)
    }
    for (const rows of told.values())
      for (const row of rows) this.found.push(`(e) a mark changed that nobody made: ${JSON.stringify(row)}`)
  }

  #follow(entry: FoldedEntry, mark: FoldedMark, rows: readonly AuditRow[]): void {
    const differs = mark.state === 'verified' && entry.contentAt(mark) !== mark.content
    const sight = differs ? entry.sightOf(mark) : 'gone'
    if (sight === 'shown' && rows.length === 0)
      this.found.push(
        `(b) a verified value is another one, and its mark is not told to have changed: ${JSON.stringify(mark)}`,
      )
    if (rows.length > 1) this.found.push(`(b) a mark changed twice at once: ${JSON.stringify(rows)}`)
    const [row] = rows
    if (row !== undefined && sight === 'gone')
      this.found.push(`(b) a mark changed though its value did not: ${JSON.stringify(mark)} ${JSON.stringify(row)}`)
    if (row !== undefined && changeText(row) !== textOf(['verified', 'changed', entry.contentAt(mark)]))
      this.found.push(`(e) the trail tells a changed mark as what it is not: ${JSON.stringify(row)}`)
    if (sight === 'shown' || row !== undefined) this.put({ ...mark, state: markAfterChange(mark.state) })
  }

  #entry(entryId: string): FoldedEntry {
    const entry = this.#entries.get(entryId) ?? new FoldedEntry()
    this.#entries.set(entryId, entry)
    return entry
  }
}

export function placeText({ table, rid, code }: ItemPlace): string {
  return textOf([table, rid, code])
}

export function markText({
  entryId,
  track,
  ...place
}: ItemPlace & { readonly entryId: string; readonly track: ReviewTrack }): string {
  return `${entryId} ${track} ${placeText(place)}`
}

function trackOf({ new: to }: AuditRow): ReviewTrack {
  return (to as { readonly track: ReviewTrack }).track
}

function changeText({ old, new: to }: AuditRow): string {
  const was = old as { readonly state?: string } | null
  const now = to as { readonly state?: string }
  return textOf([was?.state ?? null, now.state ?? null, contentText(to)])
}
