import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import { markAfter } from '#core/review/verification.ts'
import type { MarkState, ReviewTrack } from '#core/review/verification.ts'
import { missingKey } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { CALCULATED, IDENTIFYING } from './casebook.ts'
import type { DeedItem } from './saidAtDesk.ts'
import { Deed, DeskLog } from './saidAtDesk.ts'
import { POISON } from './simTablet.ts'
import type { CheckIntent, PlanIntent } from './steps.ts'
import type { DeskName, Study } from './study.ts'
import type { SimServer } from './wards.ts'

/** A monitor who verifies and a data manager who reviews, each at a desk with one page on the screen, online. */

/** A field of the page as it stood when somebody looked. */
interface ShownItem extends DeedItem {
  /** Whether a screen shows it as something to be checked. */
  readonly isOffered: boolean
  readonly state: MarkState | null
}

interface Screen {
  readonly entryId: string
  readonly items: readonly ShownItem[]
}

interface LookedAt {
  readonly id: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, DeedItem['seen']['missing']>>
  readonly hidden: readonly string[]
  readonly marks: readonly (ItemPlace & { readonly state: MarkState })[]
}

/** Both rights: whether a person holds the one that their track needs is the server's to say. */
const BOTH = { verifies: true, manages: true }

/** Who checks in a track. */
const DESKS: Readonly<Record<ReviewTrack, DeskName>> = { sdv: 'monitor', dmr: 'manager' }

export class ReviewDesk {
  readonly log = new DeskLog()
  readonly #study: Study
  readonly #server: SimServer
  readonly #screens = new Map<ReviewTrack, Screen>()
  /** What went out last in each track. */
  readonly #last = new Map<ReviewTrack, Deed>()

  constructor(study: Study, server: SimServer) {
    this.#study = study
    this.#server = server
  }

  /** Opens a page, counted from the one that was written last. Gives false where there is none. */
  async look(track: ReviewTrack, nth: number): Promise<boolean> {
    const entries = await this.#server.rows<LookedAt>(
      `SELECT e.id, e."values", e.missing, e.hidden, coalesce((
         SELECT jsonb_agg(jsonb_build_object('table', m.table_prop, 'rid', m.rid, 'code', m.prop, 'state', m.state))
         FROM review_mark m WHERE m.entry_id = e.id AND m.track = $2), '[]') AS marks
       FROM entry e WHERE e.project_id = $1 AND e.pass = 1 AND NOT e.deleted AND (e."values" <> '{}' OR e.missing <> '{}')
       ORDER BY e.updated_at DESC, e.id`,
      [this.#study.projectId, track],
    )
    const entry = entries[nth % Math.max(1, entries.length)]
    if (entry === undefined) return false
    this.#screens.set(track, { entryId: entry.id, items: shownOn(entry) })
    return true
  }

  /** Says something of fields on the screen. Gives null where the screen offers nothing of the kind. */
  async check(check: CheckIntent, meanwhile: () => Promise<unknown>): Promise<boolean | null> {
    const { track, does, method, note } = check
    const screen = this.#screens.get(track)
    if (screen === undefined) return null
    const items = chosenOf(screen, check)
    if (items.length === 0) return null
    const deed = new Deed({
      key: newId(),
      desk: DESKS[track],
      entryId: screen.entryId,
      track,
      act: does,
      method,
      note,
      items,
    })
    this.log.deeds.push(deed)
    this.#last.set(track, deed)
    const [done] = await Promise.all([check.sends === 'twins' ? this.#sendTwins(deed) : this.#send(deed), meanwhile()])
    if (check.sends === 'unheard') return false
    if (check.sends === 'twice') await this.#send(deed)
    return done
  }

  /** The last request of a track goes out again, as a screen does that has heard no answer. */
  async checkAgain(track: ReviewTrack): Promise<boolean | null> {
    const deed = this.#last.get(track)
    return deed === undefined ? null : this.#send(deed)
  }

  async switchPlan(intent: PlanIntent): Promise<boolean> {
    const { projectId } = this.#study
    const plan = planOf(this.#study, intent)
    const body = { projectId, track: intent.track, plan, note: intent.note }
    const key = newId()
    const answer = await this.#study.callAtDesk('manager', '/api/edc/data/review/plan/switch', body, key)
    return answer?.success === true
  }

  async #sendTwins(deed: Deed): Promise<boolean> {
    const [one, other] = await Promise.all([this.#send(deed), this.#send(deed)])
    return one || other
  }

  async #send(deed: Deed): Promise<boolean> {
    const { key, desk, entryId, track, act, method, note, items } = deed.said
    const body = { projectId: this.#study.projectId, entryId, track, act, method, note, items }
    const answer = await this.#study.callAtDesk(desk, '/api/edc/data/review/act', body, key)
    this.log.noteAnswer(deed, answer)
    return answer?.success === true
  }
}

/** What a page offers: every value and every reason for having none, and what a screen would not offer. */
function shownOn({ values, missing, hidden, marks }: LookedAt): readonly ShownItem[] {
  const states = new Map(marks.map((mark) => [placeText(mark), mark.state]))
  const items: ShownItem[] = []
  const take = (place: ItemPlace, value: JsonValue, isThere: boolean): void => {
    const isMasked = place.table === null && IDENTIFYING.has(place.code)
    const isCalculated = place.table === null && CALCULATED.has(place.code)
    const seen = { value: isMasked ? MASK : value, missing: missing[missingKey(place)] ?? null }
    const isEmpty = isEmptyValue(value) && seen.missing === null
    const isOffered = isThere && !isMasked && !isCalculated && !isEmpty && !hidden.includes(place.code)
    items.push({ ...place, seen, isOffered, state: states.get(placeText(place)) ?? null })
  }
  for (const code of new Set([...Object.keys(values), ...Object.keys(missing).filter((key) => !key.includes('.'))])) {
    const value = values[code] ?? null
    const rows =
      code === 'drugs' && Array.isArray(value) ? (value as readonly Readonly<Record<string, JsonValue>>[]) : null
    if (rows === null) take({ table: null, rid: null, code }, value, true)
    for (const row of rows ?? []) {
      const rid = typeof row['_rid'] === 'string' ? row['_rid'] : ''
      for (const column of ['drug', 'dose'])
        take({ table: code, rid, code: column }, row[column] ?? null, row['_deleted'] !== true)
    }
  }
  return [
    ...items,
    { table: null, rid: null, code: POISON, seen: { value: 1, missing: null }, isOffered: false, state: null },
  ]
}

function chosenOf({ items }: Screen, { track, does, fields, isBlind, misreads }: CheckIntent): readonly DeedItem[] {
  const offered = items.filter(
    ({ isOffered, state }) => isBlind || (isOffered && markAfter(state, does, track, BOTH).ok),
  )
  const picked = fields === 'all' ? offered : fields.flatMap((at) => offered[at % Math.max(1, offered.length)] ?? [])
  const chosen = [...new Set(picked)].map(({ table, rid, code, seen }) => ({ table, rid, code, seen }))
  return misreads
    ? chosen.map((item, at) => (at === 0 ? { ...item, seen: { value: '误读', missing: null } } : item))
    : chosen
}

function planOf({ vitalsId, folderId, north }: Study, intent: PlanIntent): ReviewPlan {
  const { critical, sharePercent, firstOfCenter, inVisit, ownShare, note } = intent
  return {
    critical: critical.map((name) => {
      const [first = '', column] = name.split('.')
      return { pageId: vitalsId, table: column === undefined ? null : first, code: column ?? first }
    }),
    sharePercent,
    firstOfCenter,
    folders: inVisit ? [folderId] : [],
    centers: ownShare === null ? [] : [{ centerId: north, sharePercent: ownShare, firstOfCenter: 0 }],
    seed: note,
  }
}

function placeText({ table, rid, code }: ItemPlace): string {
  return [table ?? '', rid ?? '', code].join(' ')
}
