/**
 * Checking values: source data verification (源数据核查, SDV) by monitors and data review (数据审核, DMR) by data managers, as
 * two tracks that know nothing of each other. A mark is about one field of a page or of a row, and about the very value
 * that was looked at: when the value changes, the mark says so by itself (docs/adr/0046-verification.md). The server
 * enforces this table; screens offer exactly what it allows.
 */

/** `sdv`: against the source. `dmr`: for sense and consistency. */
export const reviewTracks = ['sdv', 'dmr'] as const
export type ReviewTrack = (typeof reviewTracks)[number]

/**
 * `verified`; `changed` where the value is another one since; `exempt` from being verified, with a reason; `withdrawn`
 * where somebody took it back, with a reason. A field that nobody has looked at has no mark.
 */
export const markStates = ['verified', 'changed', 'exempt', 'withdrawn'] as const
export type MarkState = (typeof markStates)[number]

/** What a person does. To take back and to exempt need a reason. */
export const reviewActs = ['verify', 'unverify', 'exempt'] as const
export type ReviewAct = (typeof reviewActs)[number]

/** How the source was seen. Only of SDV. */
export const reviewMethods = ['onSite', 'remote', 'photo'] as const
export type ReviewMethod = (typeof reviewMethods)[number]

/** What somebody may do in the project, as far as checking is concerned. */
export interface ReviewRights {
  /** Verifies against the source (`sdv_verify`). */
  readonly verifies: boolean
  /** Reviews the data (`data_review`). */
  readonly manages: boolean
}

/** From where each act leads where. `none`: nobody has looked yet. */
const steps: Readonly<Record<ReviewAct, Partial<Readonly<Record<MarkState | 'none', MarkState>>>>> = {
  verify: { none: 'verified', changed: 'verified', exempt: 'verified', withdrawn: 'verified' },
  unverify: { verified: 'withdrawn', exempt: 'withdrawn' },
  exempt: { none: 'exempt', changed: 'exempt', withdrawn: 'exempt' },
}

/** Why an act is not allowed: the state does not know it, or the person has no right to it. */
export type ReviewRefusal = 'state' | 'right'

/** The state that an act leads to, or why it is not allowed. */
export function markAfter(
  state: MarkState | null,
  act: ReviewAct,
  track: ReviewTrack,
  rights: ReviewRights,
): { readonly ok: true; readonly state: MarkState } | { readonly ok: false; readonly error: ReviewRefusal } {
  if (!mayReview(track, rights)) return { ok: false, error: 'right' }
  const after = steps[act][state ?? 'none']
  return after === undefined ? { ok: false, error: 'state' } : { ok: true, state: after }
}

/** Whether somebody checks in a track. */
export function mayReview(track: ReviewTrack, { verifies, manages }: ReviewRights): boolean {
  return track === 'sdv' ? verifies : manages
}

/** The tracks in which somebody checks. */
export function tracksOf(rights: ReviewRights): readonly ReviewTrack[] {
  return reviewTracks.filter((track) => mayReview(track, rights))
}

/** What a screen offers, in the order of `reviewActs`. */
export function offeredReview(state: MarkState | null, track: ReviewTrack, rights: ReviewRights): readonly ReviewAct[] {
  return reviewActs.filter((act) => markAfter(state, act, track, rights).ok)
}

/** The mark after its value has become another one. What is exempt stays so, and what was taken back too. */
export function markAfterChange(state: MarkState): MarkState {
  return state === 'verified' ? 'changed' : state
}

/** Whether an act has to say why. */
export function needsNote(act: ReviewAct): boolean {
  return act !== 'verify'
}

/** Whether nothing more is to be done about a field that the plan asks for. */
export function isDone(state: MarkState | null): boolean {
  return state === 'verified' || state === 'exempt'
}

/** How far a page, a visit, a patient or a center is checked in one track. */
export interface ReviewCounts {
  /** Fields that the plan asks for. */
  readonly due: number
  /** Those of them that are verified or exempt. */
  readonly done: number
  /** Those of them that were verified, and whose value is another one since. */
  readonly changed: number
}

export const NO_COUNTS: ReviewCounts = { due: 0, done: 0, changed: 0 }

/** How far a center is checked of which nothing is asked. */
export const NO_PROGRESS = { patients: 0, patientsDone: 0, pages: 0, pagesReady: 0, pagesDone: 0, ...NO_COUNTS }

export function addCounts(one: ReviewCounts, other: ReviewCounts): ReviewCounts {
  return { due: one.due + other.due, done: one.done + other.done, changed: one.changed + other.changed }
}

export const rollUps = ['notDue', 'none', 'partial', 'changed', 'complete'] as const
export type RollUp = (typeof rollUps)[number]

/** One word for counts. That something has to be verified again goes before that something is left. */
export function rollUpOf({ due, done, changed }: ReviewCounts): RollUp {
  if (due === 0) return 'notDue'
  if (changed > 0) return 'changed'
  return done === 0 ? 'none' : done < due ? 'partial' : 'complete'
}
