import { countReview, plannedIn, reviewItems } from '#core/review/reviewPlan.ts'
import { reviewTracks } from '#core/review/verification.ts'
import type { MarkState, ReviewTrack } from '#core/review/verification.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { CALCULATED, IDENTIFYING } from './casebook.ts'
import { contentText, textOf } from './evidence.ts'
import type { AuditRow, Evidence, StoredEntry } from './evidence.ts'
import { fieldName, gatherReview, pageKey } from './reviewEvidence.ts'
import type { ReviewEvidence, StoredMark } from './reviewEvidence.ts'
import { ReviewFold, markText, placeText } from './reviewFold.ts'
import type { FoldedMark } from './reviewFold.ts'
import type { Ward } from './run.ts'
import type { Deed, DeedItem } from './saidAtDesk.ts'
import { POISON } from './simTablet.ts'

/** What became of marks: what reviewers said, what followed from what was written, and how far pages are checked. */

/** Everything that is wrong with marks, the counts of pages, and what the trail says of both. */
export async function reviewsBroken(ward: Ward, evidence: Evidence): Promise<readonly string[]> {
  if (!ward.history.reviews) return []
  const review = await gatherReview(ward)
  const trail = new DeskTrail(ward, review)
  trail.read(evidence.audit)
  return [
    ...trail.found,
    ...marksMisstored(review.marks, trail.marks),
    ...verifiedUnseen(review.marks, evidence),
    ...countsMisstored(review, evidence),
    ...plansMisstored(review, evidence),
  ]
}

/** Reads the trail booking by booking, and holds each act of a reviewer against what stood there at that moment. */
class DeskTrail {
  readonly #fold = new ReviewFold()
  readonly #deeds: ReadonlyMap<string, Deed>
  readonly #places: ReviewEvidence['places']
  readonly #found: string[] = []
  readonly #told = new Set<string>()
  readonly #staff: Ward['study']['staff']

  constructor({ desk, study }: Ward, { places }: ReviewEvidence) {
    this.#deeds = new Map(desk.deeds.map((deed) => [deed.said.key, deed]))
    this.#places = places
    this.#staff = study.staff
  }

  get found(): readonly string[] {
    return [...this.#found, ...this.#fold.found]
  }

  get marks(): readonly FoldedMark[] {
    return this.#fold.marks
  }

  read(audit: readonly AuditRow[]): void {
    const bookings = Map.groupBy(audit, ({ seq }) => Number(seq))
    const told = new Set(audit.flatMap((row) => (isDeed(row) ? [row.opKey ?? ''] : [])))
    const quiet = [...this.#deeds.values()]
      .filter(({ said }) => !told.has(said.key))
      .map((deed) => ({ deed, seq: this.#places.get(deed.said.key) ?? null }))
    for (const { deed, seq } of quiet)
      if (seq === null && deed.refused !== null) this.#complain('a', 'what was confirmed is nowhere', deed)
    const waiting = quiet
      .flatMap(({ deed, seq }) => (seq === null ? [] : [{ deed, seq }]))
      .toSorted((a, b) => a.seq - b.seq)
    for (const [seq, rows] of bookings) {
      while ((waiting[0]?.seq ?? seq) < seq) this.#judge(waiting.shift()?.deed, [])
      const deeds = rows.filter(isDeed)
      if (deeds.length === 0) this.#fold.takeWrites(rows)
      else this.#takeDeed(deeds)
    }
    for (const { deed } of waiting) this.#judge(deed, [])
    for (const deed of this.#deeds.values())
      if (!deed.isSteady) this.#complain('b', 'the same request was answered in two ways', deed)
  }

  #takeDeed(rows: readonly AuditRow[]): void {
    const key = rows[0]?.opKey ?? ''
    const deed = this.#deeds.get(key)
    if (deed === undefined || rows.some(({ opKey }) => opKey !== key))
      this.#found.push(`(a) the trail tells what no reviewer said: ${JSON.stringify(rows)}`)
    else if (this.#told.has(key)) this.#complain('b', 'what a reviewer said is booked twice', deed)
    else this.#judge(deed, rows)
    this.#told.add(key)
  }

  /** Holds what became of each item against what stood there, and takes the marks. */
  #judge(deed: Deed | undefined, rows: readonly AuditRow[]): void {
    if (deed === undefined) return
    const { said, refused } = deed
    if (refused === null && !deed.isUnknown && rows.length > 0) this.#complain('b', 'what was refused was done', deed)
    const left = new Map((refused ?? []).map((one) => [placeText(one), one.why]))
    const marked = Map.groupBy(rows, ({ table, rid, prop }) => placeText({ table, rid, code: prop ?? '' }))
    for (const item of said.items) {
      const place = placeText(item)
      const own = marked.get(place) ?? []
      marked.delete(place)
      if (own.length > 1) this.#complain('b', 'an item is marked twice', deed)
      const expected = this.#fold.outcomeOf(said.entryId, said, item, {
        isMasked: item.table === null && IDENTIFYING.has(item.code),
        hasField: item.code !== POISON,
        isCalculated: item.table === null && CALCULATED.has(item.code),
      })
      const [row] = own
      const came = row === undefined ? (left.get(place) ?? null) : stateTold(row)
      // Of what was done without a word nobody knows why an item was left.
      const isKnown = refused !== null || row !== undefined
      if (isKnown && (came === null || !expected.includes(came)))
        this.#complain('c', `${item.code} is ${came ?? 'nothing'} where it is ${expected.join(' or ')}`, deed)
      if (row !== undefined) this.#takeMark(deed, item, row)
      if (row !== undefined && left.has(place)) this.#complain('a', `${item.code} is marked, and was refused`, deed)
    }
    for (const more of marked.values()) this.#complain('a', `marked beside: ${JSON.stringify(more)}`, deed)
  }

  #takeMark(deed: Deed, { seen, ...place }: DeedItem, row: AuditRow): void {
    const { entryId, track, act, method, note, desk } = deed.said
    const by = this.#staff[desk].userId
    const was = this.#fold.stateOf(entryId, track, place)
    const told = [row.action, row.userId, row.entryId, memberOf(row.old, 'state'), contentText(row.new)]
    const meant = [`review.${act}`, by, entryId, was, contentText(seen)]
    const words = ['track', 'method', 'note'].map((name) => memberOf(row.new, name))
    if (textOf([...told, ...words]) !== textOf([...meant, track, method, note]))
      this.#complain('a', `the trail tells otherwise: ${JSON.stringify(row)}`, deed)
    const state = stateTold(row) as MarkState
    this.#fold.put({ ...place, entryId, track, state, content: contentText(seen), method, note, by })
  }

  #complain(clause: string, what: string, { said }: Deed): void {
    this.#found.push(`(${clause}) ${what}: ${JSON.stringify(said)}`)
  }
}

/** The stored marks are those to which the trail leads. */
function marksMisstored(stored: readonly StoredMark[], folded: readonly FoldedMark[]): readonly string[] {
  const told = new Map(folded.map((mark) => [markText(mark), mark]))
  const there = new Set(stored.map(markText))
  return [
    ...stored.flatMap((mark) => {
      const due = told.get(markText(mark))
      const { state, method, note, by } = mark
      const stands = textOf([state, contentText(mark.content), method, note, by])
      return due !== undefined && stands === textOf([due.state, due.content, due.method, due.note, due.by])
        ? []
        : [`(b) a mark is ${JSON.stringify(mark)} where the trail leads to ${JSON.stringify(due ?? null)}`]
    }),
    ...folded.flatMap((mark) => (there.has(markText(mark)) ? [] : [`(a) a mark is nowhere: ${JSON.stringify(mark)}`])),
  ]
}

/** Nothing that is shown counts as verified with another content than was looked at. */
function verifiedUnseen(marks: readonly StoredMark[], { entries }: Evidence): readonly string[] {
  return marks.flatMap((mark) => {
    const entry = entries.get(mark.entryId)
    if (entry === undefined) return [`(b) a mark of no entry: ${JSON.stringify(mark)}`]
    const now = entry.deleted ? null : shownContent(entry, mark)
    return mark.state !== 'verified' || now === null || now === contentText(mark.content)
      ? []
      : [`(c) counts as verified where ${now} stands: ${JSON.stringify(mark)}`]
  })
}

/** What a field holds, as text; null where it is hidden, or its row is deleted. */
function shownContent(entry: StoredEntry, { table, rid, code }: ItemPlace): string | null {
  if (entry.hidden.includes(table === null ? code : `${table}.${rid ?? ''}.${code}`)) return null
  const reason = entry.missing[rid === null ? code : `${rid}.${code}`]
  const value = entry.values[table ?? code]
  if (table === null)
    return contentText({ value: code === 'drugs' && Array.isArray(value) ? null : value, missing: reason })
  const rows = Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : []
  const row = rows.find((one) => one['_rid'] === rid)
  return row === undefined || row['_deleted'] === true ? null : contentText({ value: row[code], missing: reason })
}

/** How far each page is checked is what the plan, the data and the marks give. */
function countsMisstored(review: ReviewEvidence, { entries }: Evidence): readonly string[] {
  const states = new Map(review.marks.map((mark) => [markText(mark), mark.state]))
  const stored = new Map(review.counts.map((count) => [`${count.entryId} ${count.track}`, count]))
  return [...entries.values()].flatMap((entry) =>
    reviewTracks.flatMap((track) => {
      const due = dueOf(review, entry, track)
      const count = stored.get(`${entry.id} ${track}`) ?? null
      if (due === null) return count === null ? [] : [`(d) counted without a plan: ${JSON.stringify(count)}`]
      const counts = countReview(due, (place) => states.get(markText({ ...place, entryId: entry.id, track })) ?? null)
      const ready = entry.status === SUBMITTED && !entry.deleted && entry.pass === 1
      // An entry that holds nothing was never written, and nobody has counted it.
      if (count === null && counts.due === 0) return []
      const stands = count === null ? null : [count.due, count.done, count.changed, count.ready]
      return textOf(stands) === textOf([counts.due, counts.done, counts.changed, ready])
        ? []
        : [`(d) entry ${entry.id} is counted ${textOf(stands)} in ${track} where it is ${textOf({ ...counts, ready })}`]
    }),
  )
}

/** The fields of an entry that the plan of a track asks for; null without a plan. */
function dueOf(
  { plans, patients, reviewed }: ReviewEvidence,
  entry: StoredEntry,
  track: ReviewTrack,
): readonly ItemPlace[] | null {
  const held = plans.find((plan) => plan.track === track)
  const patient = patients.get(entry.patientId)
  if (held === undefined || patient === undefined) return null
  if (entry.deleted) return []
  const fields = reviewed.get(pageKey(entry)) ?? new Set()
  const data = { values: entry.values, missing: entry.missing } as EntryData
  const items = reviewItems(data, entry.hidden, (place) => fields.has(fieldName(place)))
  return items.filter(plannedIn(held.plan, patient, entry))
}

/** The plan that holds in a track is the one that was switched on last. */
function plansMisstored({ plans }: ReviewEvidence, { audit }: Evidence): readonly string[] {
  const switched = audit.filter(({ action }) => action === 'review.plan').map((row) => row.new)
  return reviewTracks.flatMap((track) => {
    const last = switched.findLast((plan) => memberOf(plan, 'track') === track) ?? null
    const held = plans.filter((plan) => plan.track === track)
    return textOf(held) === textOf(last === null ? [] : [last])
      ? []
      : [`(d) the plan of ${track} is ${textOf(held)} where the trail has ${textOf(last)}`]
  })
}

function isDeed({ action }: AuditRow): boolean {
  return /^review\.(verify|unverify|exempt)$/.test(action)
}

function stateTold(row: AuditRow): string | null {
  const state = memberOf(row.new, 'state')
  return typeof state === 'string' ? state : null
}

function memberOf(value: unknown, name: string): unknown {
  return ((value ?? {}) as Readonly<Record<string, unknown>>)[name] ?? null
}
