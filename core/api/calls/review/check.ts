import * as z from 'zod/mini'
import { needsNote, reviewActs, markStates, reviewMethods, reviewTracks, rollUps } from '#core/review/verification.ts'
import { reviewPlan } from '#core/review/reviewPlan.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import { defineCall } from '#core/api/call.ts'
import { pageNamed, patientNamed } from '#core/api/lineShapes.ts'
import { englishName } from '#core/api/englishName.ts'
import { day, filledText, id, instant, paging, pass, prop, text } from '#core/wire/shapes.ts'

/** Checking: what monitors verify against the source and data managers review (docs/adr/0046-verification.md). */

const REVIEW = 'server/areas/review'

const track = z.enum(reviewTracks)

const counts = { due: z.int(), done: z.int(), changed: z.int() }

const place = { table: z.nullable(prop), rid: z.nullable(id), code: prop }

/** A field of an entry that the plan asks for, or that has a mark. */
export const reviewItem = z.object({
  ...place,
  /** Whether the plan asks for it. */
  due: z.boolean(),
  /** Null where nobody has looked at it. */
  state: z.nullable(z.enum(markStates)),
  /** Who marked it and when, by the server's clock; `byName` is empty and the others null where nobody did. */
  by: z.nullable(id),
  byName: z.string(),
  at: z.nullable(instant),
  method: z.nullable(z.enum(reviewMethods)),
  note: z.nullable(z.string()),
})
export type ReviewItem = z.infer<typeof reviewItem>

const trackOfEntry = z.object({
  ...counts,
  items: z.array(reviewItem),
})

/** What is checked of one entry, in both tracks. */
export const entryReview = z.object({
  entryId: id,
  /** Whether the page is submitted: before that the plan asks for nothing yet. */
  ready: z.boolean(),
  sdv: trackOfEntry,
  dmr: trackOfEntry,
})
export type EntryReview = z.infer<typeof entryReview>

/** What somebody says of fields of one entry that they have looked at. */
export const reviewDeed = z
  .object({
    projectId: id,
    entryId: id,
    track,
    act: z.enum(reviewActs),
    /** How the source was seen; only where something is verified against it. */
    method: z.nullable(z.enum(reviewMethods)),
    note: z.nullable(text(1000)),
    items: z.array(z.object({ ...place, seen: itemContent })).check(z.minLength(1), z.maxLength(5000)),
  })
  .check(
    z.refine(({ act, note }) => !needsNote(act) || (note ?? '').trim() !== '', { error: 'required', path: ['note'] }),
    z.refine((deed) => deed.method === null || (deed.track === 'sdv' && deed.act === 'verify'), {
      error: 'no_method',
      path: ['method'],
    }),
  )
export type ReviewDeed = z.infer<typeof reviewDeed>

/**
 * Why an item was left as it is. `value`: it is another one than on the screen; `state`: somebody was faster; `gone`:
 * it is not there, hidden or empty; `masked`: who asks may not see it; `calculated`: a rule gives it its value.
 */
export const reviewRefusals = ['value', 'state', 'gone', 'masked', 'calculated'] as const

export const reviewResult = z.object({
  review: entryReview,
  refused: z.array(z.object({ ...place, why: z.enum(reviewRefusals) })),
})
export type ReviewResult = z.infer<typeof reviewResult>

/** A page in the list of what is to be checked. */
export const reviewLine = z.object({
  entryId: id,
  patientId: id,
  ...patientNamed,
  centerId: id,
  ...pageNamed,
  parentEntryId: z.nullable(id),
  pass,
  ready: z.boolean(),
  ...counts,
  rollUp: z.enum(rollUps),
  /** Queries about the page or its fields that are open or answered. */
  queries: z.int(),
  submittedAt: z.nullable(instant),
})
export type ReviewLine = z.infer<typeof reviewLine>

/** `toDo`: submitted, and something is left. */
export const reviewListStates = ['toDo', 'changed', 'complete', 'notReady', 'all'] as const

const filter = {
  projectId: id,
  track,
  centerId: z.optional(id),
  patientId: z.optional(id),
  folderId: z.optional(id),
  pageId: z.optional(id),
  state: z._default(z.enum(reviewListStates), 'toDo'),
  /** A subject's number, or part of it. */
  words: z.optional(text(100)),
}

/** How far a center is checked. */
const centerProgress = z.object({
  centerId: id,
  centerName: z.string(),
  /** Subjects of whom the plan asks for anything. */
  patients: z.int(),
  /** Of those, subjects of whom everything submitted is done. */
  patientsDone: z.int(),
  /** Pages with anything due, submitted ones, and submitted ones on which nothing is left. */
  pages: z.int(),
  pagesReady: z.int(),
  pagesDone: z.int(),
  /** Fields of submitted pages. */
  ...counts,
})
export type CenterProgress = z.infer<typeof centerProgress>

/** A version of the plan of a track. */
const planVersion = z.object({
  id,
  track,
  no: z.int(),
  /** The one that holds; or one that another has replaced. */
  isActive: z.boolean(),
  plan: reviewPlan,
  note: z.string(),
  byName: z.string(),
  at: instant,
  endedAt: z.nullable(instant),
  /** While what it asks for is worked out for the pages that are there; null afterwards. */
  progress: z.nullable(z.object({ done: z.int(), total: z.int() })),
})
export type PlanVersion = z.infer<typeof planVersion>

const coverage = {
  patients: z.int(),
  /** Of whom everything is verified. */
  chosen: z.int(),
  /** Fields that could be verified, and those that the plan asks for. */
  items: z.int(),
  due: z.int(),
  /** Of those, already verified or exempt. */
  done: z.int(),
}
const planCoverage = z.object({
  ...coverage,
  centers: z.array(z.object({ centerId: id, centerName: z.string(), ...coverage })),
})
export type PlanCoverage = z.infer<typeof planCoverage>

/** What was done at a center in a time, as a monitoring visit report has it. */
const visitReport = z.object({
  projectName: z.string(),
  centerName: z.nullable(z.string()),
  from: day,
  to: day,
  /** By page of a subject: fields that were verified, taken back or exempt in that time. */
  pages: z.array(
    z.object({
      patientNo: z.nullable(z.string()),
      patientMark: z.string(),
      folderName: z.string(),
      folderNameEn: englishName,
      pageName: z.string(),
      pageNameEn: englishName,
      track,
      verified: z.int(),
      withdrawn: z.int(),
      exempt: z.int(),
      /** That were verified before and whose value was changed in that time. */
      changed: z.int(),
      byNames: z.array(z.string()),
    }),
  ),
  /** Queries that were raised in that time, that ended in it, and those that are not settled now. */
  raised: z.int(),
  closed: z.int(),
  open: z.array(
    z.object({
      no: z.int(),
      patientNo: z.nullable(z.string()),
      patientMark: z.string(),
      state: z.enum(['open', 'answered']),
      /** Null where it is about a field that the reader may not see. */
      text: z.nullable(z.string()),
      askedAt: instant,
    }),
  ),
  sdv: z.object(counts),
  dmr: z.object(counts),
})
export type VisitReport = z.infer<typeof visitReport>

const READ = ['not_found', 'forbidden'] as const
const WRITE = [
  'invalid',
  'forbidden',
  'not_found',
  'frozen',
  'locked',
  'project_stopped',
  'project_closed',
  'key_reused',
] as const

export const checkCalls = [
  defineCall({
    id: 'review.entry',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/entry',
    summary: 'What is checked of the fields of one page, in both tracks.',
    query: z.object({ projectId: id, entryId: id }),
    data: entryReview,
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.patient',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/patient',
    summary: 'How far the pages of a patient are checked.',
    query: z.object({ projectId: id, patientId: id }),
    data: z.object({
      entryId: id,
      ready: z.boolean(),
      sdv: z.object(counts),
      dmr: z.object(counts),
    }),
    answer: 'tree',
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.act',
    area: 'review',
    method: 'POST',
    path: '/edc/data/review/act',
    summary:
      'Verifies fields of a page, takes that back or exempts them; what is another value than on the screen is left.',
    body: reviewDeed,
    data: reviewResult,
    errors: WRITE,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.list',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/list',
    summary: 'Pages that the plan of a track asks for, by center, subject and visit.',
    query: z.object({ ...filter, ...paging }),
    data: reviewLine,
    answer: 'page',
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.next',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/next',
    summary: 'The next page of the list after a given one; null at the end.',
    query: z.object({ ...filter, after: z.optional(id) }),
    data: z.nullable(reviewLine),
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.progress',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/progress',
    summary: 'How far each center is checked in a track.',
    query: z.object({ projectId: id, track }),
    data: centerProgress,
    answer: 'tree',
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.plans',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/plan/list',
    summary: 'The plan of a track and its former versions, the newest first.',
    query: z.object({ projectId: id, track }),
    data: planVersion,
    answer: 'tree',
    errors: READ,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.planCoverage',
    area: 'review',
    method: 'POST',
    write: false,
    path: '/edc/data/review/plan/coverage',
    summary: 'What a plan would ask for, over the data that are there, before it is switched on.',
    body: z.object({ projectId: id, track, plan: reviewPlan }),
    data: planCoverage,
    errors: [...READ, 'invalid'],
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.planSwitch',
    area: 'review',
    method: 'POST',
    path: '/edc/data/review/plan/switch',
    summary: 'Switches a plan on as the next version of its track; the former one is kept, and so is every mark.',
    body: z.object({ projectId: id, track, plan: reviewPlan, note: filledText(1000) }),
    data: planVersion,
    errors: WRITE,
    servedBy: REVIEW,
  }),
  defineCall({
    id: 'review.report',
    area: 'review',
    method: 'GET',
    path: '/edc/data/review/report',
    summary: 'What was verified, asked and left at a center in a time: a monitoring visit report.',
    query: z.object({
      projectId: id,
      centerId: z.optional(id),
      from: day,
      to: day,
      offsetMinutes: z.optional(text(5)),
    }),
    data: visitReport,
    errors: READ,
    servedBy: REVIEW,
  }),
]
