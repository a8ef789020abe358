import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryReview, ReviewResult } from '#core/api/calls/review/check.ts'
import { reviewRefusals } from '#core/api/calls/review/check.ts'
import type { ApiError } from '#core/api/errors.ts'
import { reviewRightsOf } from '#core/access/reviewRights.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Result } from '#core/result.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { isDone, tracksOf } from '#core/review/verification.ts'
import type { ReviewAct, ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import { useEntryReview } from '#src/data/hooks/review.ts'
import type { Casebook, EntryView, Loadable } from '#src/data/shapes/types.ts'
import { ReviewMarks } from '#src/form/review/reviewMarks.ts'
import type { FieldMarks, ReviewPort, TrackMark } from '#src/form/review/reviewMarks.ts'
import { placeName } from '#src/form/words.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import type { PageQueries } from '#src/screens/ecrf/beside/usePageQueries.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { useCheckHabits } from './checkMemory.ts'
import { actedOn, askedOn, marksOf, pageToVerify, placesAt } from './checkPlaces.ts'
import type { Pending } from './checkPlaces.ts'
import { useCheckActs } from './useCheckActs.ts'
import type { CheckDeed } from './useCheckActs.ts'

/** Something that was said about the last act. */
export interface CheckNote {
  readonly tone: 'info' | 'done' | 'warning' | 'error'
  readonly text: string
  /** Whether the end of the list was reached, so that it can be searched from its start. */
  readonly isEnd?: boolean
}

/** Asks why, before fields are taken back or exempt. */
export interface CheckQuestion {
  readonly act: Exclude<ReviewAct, 'verify'>
  readonly track: ReviewTrack
  readonly places: readonly ItemPlace[]
  readonly label: string
}

/** A page that is being checked. */
export interface Checking {
  /** Why it cannot be checked now, in words; null where it can. */
  readonly needs: string | null
  readonly read: Loadable<EntryReview>
  /** The tracks in which something can be done; none where the project does not run. */
  readonly own: readonly ReviewTrack[]
  /** The track that keys and the head are about. */
  readonly track: ReviewTrack
  readonly setTrack: (track: ReviewTrack) => void
  readonly method: ReviewMethod
  readonly setMethod: (method: ReviewMethod) => void
  /** What the fields show; null where there is no network: no mark is shown then. */
  readonly port: ReviewPort | null
  /** The mark of a field, with what the server has yet to answer. */
  readonly markAt: (track: ReviewTrack, place: ItemPlace) => Pick<TrackMark, 'state' | 'due'>
  /** Fields that the whole page comes to, and how many are left out because something is asked about them. */
  readonly page: { readonly places: readonly ItemPlace[]; readonly asked: number }
  readonly question: CheckQuestion | null
  readonly note: CheckNote | null
  readonly say: (note: CheckNote | null) => void
  /** Notes that something was asked about an address: the whole page leaves it out from now on. */
  readonly noteAsked: (queryId: string, address: string) => void
  /** Verifies at once, or asks why. False where the act does not fit what the mark says. */
  readonly begin: (act: ReviewAct, track: ReviewTrack, key: string) => boolean
  readonly verifyPage: () => void
  /** Answers the question. */
  readonly give: (reason: string) => Promise<Result<ReviewResult, ApiError>>
  readonly closeQuestion: () => void
}

/** The open page as one that is checked; null for who does not check, and who enters. */
export function useChecking(
  book: Casebook,
  view: EntryView,
  form: FormState,
  queries: PageQueries | null,
  mayEnter: boolean,
): Checking | null {
  const { t } = useTranslation('review')
  const { nameOf, noteFor } = useResultNotes(form)
  const needs = useNeedsServer()
  const { of, own, isChecked, read, track, habits, noteHabit } = useReviewer(book, view, mayEnter, needs)
  const { pending, send } = useCheckActs(of, view)
  const [question, setQuestion] = useState<CheckQuestion | null>(null)
  const [note, say] = useNote()
  const review = read.state === 'ready' ? read.value : null
  const shown = useMemo(() => (review === null ? null : marksOf(review, pending)), [review, pending])
  const { marks, port } = useReviewPort(shown, isChecked && needs === null ? own : null)
  const { page, noteAsked } = useWholePage(review, track, pending, queries)
  const markAt = (at: ReviewTrack, place: ItemPlace) =>
    shown?.get(addressKey(place))?.[at] ?? { state: null, due: false }
  const methodOf = (at: ReviewTrack) => (at === 'sdv' ? habits.method : null)

  /** Says what became of an act; nothing of a single field that went well, as its mark says it. */
  const carryOut = async (deed: CheckDeed, asked: number | null): Promise<Result<ReviewResult, ApiError>> => {
    say(null)
    const done = await send(deed)
    const told = noteFor(done, deed.places.length, asked)
    if (told !== null) say(told)
    return done
  }

  const begin: Checking['begin'] = (act, at, key) => {
    const places = actedOn(placesAt(form, key), act, (place) => markAt(at, place))
    if (places.length === 0 || shown === null || !own.includes(at)) return false
    if (act === 'verify') void carryOut({ track: at, act, places, method: methodOf(at), note: null }, null)
    else setQuestion({ act, track: at, places, label: places.map(nameOf).join(t('page.and')) })
    return true
  }
  const press = (key: string, at: ReviewTrack) => {
    const places = placesAt(form, key)
    // Of what is done, a press asks to take it back.
    if (places.every((place) => isDone(markAt(at, place).state)) || !begin('verify', at, key))
      begin('unverify', at, key)
  }
  useEffect(() => marks.answer(press))

  if (!isChecked && question === null) return null
  return {
    needs,
    read,
    own,
    track,
    setTrack: (next) => noteHabit({ track: next }),
    method: habits.method,
    setMethod: (method) => noteHabit({ method }),
    port,
    markAt,
    page,
    noteAsked,
    question,
    note,
    say,
    begin,
    verifyPage: () => {
      const { places, asked } = page
      const nothing = asked > 0 ? t('page.onlyQueried', { count: asked }) : t('page.nothingToVerify')
      if (own.length === 0) return say({ tone: 'info', text: t('page.stopped') })
      if (places.length === 0) return say({ tone: 'info', text: nothing })
      void carryOut({ track, act: 'verify', places, method: methodOf(track), note: null }, asked)
      return undefined
    },
    give: async (reason) =>
      question === null
        ? { ok: false, error: { code: 'internal' } }
        : carryOut({ ...question, method: null, note: reason }, null),
    closeQuestion: () => setQuestion(null),
  }
}

/** What was said about the last act: in the language of then, so it goes when another is chosen. */
function useNote(): readonly [CheckNote | null, (note: CheckNote | null) => void] {
  const language = useLanguage()
  const [said, setSaid] = useState<{ readonly note: CheckNote | null; readonly language: string } | null>(null)
  const say = useCallback((note: CheckNote | null) => setSaid({ note, language }), [language])
  return [said?.language === language ? said.note : null, say]
}

/** What the whole page comes to in a track, apart from what is asked about. */
function useWholePage(
  review: EntryReview | null,
  track: ReviewTrack,
  pending: Pending,
  queries: PageQueries | null,
): Pick<Checking, 'page' | 'noteAsked'> {
  const [raised, setRaised] = useState<ReadonlyMap<string, string>>(() => new Map())
  const isAsked = useMemo(() => askedOn(queries?.views ?? [], raised), [queries, raised])
  // Before it is known what is asked about, the whole page cannot leave it out.
  const isKnown = review !== null && queries?.isRead !== false
  const page = useMemo(
    () => (isKnown ? pageToVerify(review, track, pending, isAsked) : { places: [], asked: 0 }),
    [isKnown, review, track, pending, isAsked],
  )
  return { page, noteAsked: (id, address) => setRaised((before) => new Map(before).set(id, address)) }
}

/** Whether and in which tracks the page is checked, and the marks that the server knows. */
function useReviewer(book: Casebook, view: EntryView, mayEnter: boolean, needs: string | null) {
  const { permissions, projectStatus } = book.project
  const tracks = useMemo(() => tracksOf(reviewRightsOf(new Set(permissions))), [permissions])
  // Of a project that does not run the marks are shown, and nothing is marked.
  const own = projectStatus === 'process' ? tracks : NO_TRACKS
  const isChecked = tracks.length > 0 && !mayEnter && view.server !== null && view.target.pass === 1
  const { habits, note: noteHabit } = useCheckHabits()
  const track = habits.track !== null && tracks.includes(habits.track) ? habits.track : (tracks[0] ?? 'sdv')
  const projectId = book.project.id
  const asOf = `${view.server?.rev ?? 0}`
  const of = useMemo(() => ({ projectId, entryId: view.entryId, asOf }), [projectId, view.entryId, asOf])
  const read = useEntryReview(isChecked && needs === null ? of : null)
  return { of, own, isChecked, read, track, habits, noteHabit }
}

const NO_TRACKS: readonly ReviewTrack[] = []

/** What the fields draw; no port where nothing is shown. */
function useReviewPort(shown: ReadonlyMap<string, FieldMarks> | null, own: readonly ReviewTrack[] | null) {
  const [marks] = useState(() => new ReviewMarks())
  useEffect(() => marks.show(shown), [marks, shown])
  const port = useMemo<ReviewPort | null>(() => {
    const { at, subscribe, version, press } = marks
    return own === null ? null : { own, at, subscribe, version, press }
  }, [own, marks])
  return { marks, port }
}

/** The words for what became of an act, and for the fields of the page. */
function useResultNotes(form: FormState) {
  const { t, i18n } = useTranslation('review')
  const errorText = useErrorText()
  const language = useLanguage()
  const nameOf = (place: ItemPlace): string => {
    const cell = form.getCell(addressKey(place))
    return cell === undefined ? place.code : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  }
  const refusals = (result: ReviewResult): readonly string[] =>
    reviewRefusals.flatMap((why) => {
      const names = result.refused.filter((one) => one.why === why).map(nameOf)
      const words = { count: names.length, names: names.join(t('page.and')) }
      return names.length === 0 ? [] : [t(`page.refused.${why}`, words)]
    })
  /** @param asked of the whole page, how many were left out; null for single fields */
  const noteFor = (done: Result<ReviewResult, ApiError>, count: number, asked: number | null): CheckNote | null => {
    if (!done.ok) return { tone: 'error', text: errorText(done.error) }
    const refused = refusals(done.value)
    if (refused.length > 0) return { tone: 'warning', text: refused.join(' ') }
    if (asked === null) return null
    return {
      tone: 'done',
      text: asked > 0 ? t('page.verifiedBut', { count, left: asked }) : t('page.verified', { count }),
    }
  }
  return { nameOf, noteFor }
}
