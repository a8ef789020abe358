import { VISITS, pageId } from './casebook.ts'

/**
 * What the lists, the badge, progress and reports have to say, worked out by hand from the layout (`population.ts`) and
 * the script (`script.ts`). Nothing here is computed: a person can check each line.
 *
 * Patients: N 150, S 100, E 50. S100 is removed; they had two queries of rules (`sbp`, `why`).
 */

const none = { candidate: 0, open: 0, answered: 0, closed: 0, cancelled: 0, waits: 0 }

/**
 * What rules ask when data arrive, by center; S without S100. Nobody else has asked yet: all of it waits for the sites.
 *
 *     rule                            patients               N   S   E
 *     DM name too short               the first              1   1   1
 *     VS sbp above 180                every 10th            15   9   5
 *     VS dbp not below sbp            3, 28, 53, …           6   4   2
 *     VS why too short                every 50th             3   1   1
 *     CM second dose too large        7, 27, 47, …           8   5   3
 *     FU sbp above 180, submitted     every 15th of half     5   3   1
 *                                                           38  23  13
 */ export const AFTER_ARRIVAL = {
  lin: { ...none, open: 38, waits: 38 },
  wu: { ...none, open: 38, waits: 38 },
  south: { ...none, open: 23, waits: 23 },
  xu: { ...none, open: 13, waits: 13 },
  zheng: { ...none, open: 61 },
  qian: { ...none, open: 74 },
  sun: none,
} as const

/**
 * After the morning: people have asked 12. N: age of N11 (candidate, promoted), 5 of zheng, 1 candidate of zheng. S: a
 * candidate that is rejected, 2 of zheng. E: a candidate, 1 of qian.
 */
export const AFTER_MORNING = {
  lin: { ...none, open: 44, waits: 44 },
  wu: { ...none, open: 44, waits: 44 },
  south: { ...none, open: 25, waits: 25 },
  xu: { ...none, open: 14, waits: 14 },
  // Of the candidates zheng decides the own one; the one of the east is out of sight.
  zheng: { ...none, candidate: 1, open: 69, cancelled: 1, waits: 1 },
  qian: { ...none, candidate: 2, open: 83, cancelled: 1, waits: 2 },
  sun: none,
} as const

/**
 * In the evening.
 *
 *     N   candidate  1   N13 sex
 *         open      32   38 of rules, without 5 closed and 2 answered; N11 age
 *         answered   3   N7 dose, N1 name, N3 CM
 *         closed     8   of rules N50 sbp, N50 why, N3 dbp, N10 sbp, N40 sbp; N1 pulse, N5 row, N4 sbp
 *         cancelled  1   N2
 *     S   open      22   23 of rules, without S10 sbp
 *         answered   1   S4 V1
 *         closed     2   S10 sbp, S6 pulse
 *         cancelled  1   S11 age, never asked
 *     E   candidate  1   E11 age
 *         open      13   of rules
 *         cancelled  1   E2 pulse
 */
export const BY_CENTER = {
  N: { candidate: 1, open: 32, answered: 3, closed: 8, cancelled: 1 },
  S: { candidate: 0, open: 22, answered: 1, closed: 2, cancelled: 1 },
  E: { candidate: 1, open: 13, answered: 0, closed: 0, cancelled: 1 },
} as const

export const IN_THE_EVENING = {
  lin: { candidate: 0, open: 32, answered: 3, closed: 8, cancelled: 1, waits: 32 },
  wu: { candidate: 0, open: 32, answered: 3, closed: 8, cancelled: 1, waits: 32 },
  south: { candidate: 0, open: 22, answered: 1, closed: 2, cancelled: 0, waits: 22 },
  xu: { candidate: 0, open: 13, answered: 0, closed: 0, cancelled: 1, waits: 13 },
  // For zheng: the own candidate, and the answers about N3 CM and S4 V1. For qian: both candidates, all four answers.
  zheng: { candidate: 1, open: 54, answered: 4, closed: 10, cancelled: 2, waits: 3 },
  qian: { candidate: 2, open: 67, answered: 4, closed: 10, cancelled: 3, waits: 6 },
  sun: none,
} as const

/**
 * Patients of whom everything of the baseline is verified: the first two of a center, in the east the first five, and
 * whom the draw has chosen: those for whom the first 8 digits of the UUIDv5 of `monitors-day|<patient's id>` in the
 * namespace b6b2a1f4-5b1e-5d52-8f0a-4f2b8a7d9c31, as a number, are below a tenth of 2³². With Python:
 * `uuid.uuid5(uuid.UUID(namespace), 'monitors-day|' + id).hex[:8]`.
 *
 *     N  1, 2 and 8, 15, 25, 26, 43, 67, 79, 106, 107, 139, 142, 144: 14, of them 8 odd
 *     S  1, 2 and 12, 27, 30, 33, 34, 35, 36, 43, 52, 56, 61, 65, 82, 93: 16, of them 8 odd; S30 has a `why`
 *     E  1 to 5, of them 3 odd
 *
 * What can be verified: of DM sex and age (2), of VS sbp, dbp, pulse (3) and of every 10th `why`, of the odd ones' CM
 * two rows of two (4), of FU three where it was begun (N 90, S 60, E 30, of which 15, 10, 5 are only saved).
 *
 *     items      DM   VS  why   CM   FU              due       VS sbp  CM dose  FU sbp  chosen: odd 6, even 4
 *     N         300  450   15  300  270 = 1335       N            150      150      90  8×6 + 6×4     = 72   462
 *     S         198  297    9  200  180 =  884       S             99      100      60  8×6 + 8×4 + 1 = 81   340
 *     E         100  150    5  100   90 =  445       E             50       50      30  3×6 + 2×4     = 26   156
 */
export const COVERAGE = {
  all: { patients: 299, chosen: 35, items: 2664, due: 958, done: 0 },
  N: { patients: 150, chosen: 14, items: 1335, due: 462, done: 0 },
  S: { patients: 99, chosen: 16, items: 884, due: 340, done: 0 },
  E: { patients: 50, chosen: 5, items: 445, due: 156, done: 0 },
} as const

/**
 * In the evening: the row of N5 is deleted (two items, one of them due and verified), and the `why` of N10, N20, N50
 * and S10 is hidden. Done: see `SDV_PROGRESS`.
 */
export const COVERAGE_IN_THE_EVENING = {
  all: { patients: 299, chosen: 35, items: 2658, due: 957, done: 39 },
  N: { patients: 150, chosen: 14, items: 1330, due: 461, done: 39 },
  S: { patients: 99, chosen: 16, items: 883, due: 340, done: 0 },
  E: { patients: 50, chosen: 5, items: 445, due: 156, done: 0 },
} as const

const nothingDone = { patientsDone: 0, pagesDone: 0, done: 0, changed: 0 }

/**
 * Only submitted pages count as ready: not FU of 15, 10 and 5 patients, nor DM of S30, the only chosen one whose
 * demographics are only saved.
 *
 *     pages      VS  CM  FU  DM            ready       due of ready pages
 *     N         150  75  90  14 = 329      314         462 − 15     = 447
 *     S          99  50  60  16 = 225      214         340 − 10 − 2 = 328
 *     E          50  25  30   5 = 110      105         156 −  5     = 151
 */
export const SDV_AT_THE_START = {
  N: { patients: 150, pages: 329, pagesReady: 314, due: 447, ...nothingDone },
  S: { patients: 99, pages: 225, pagesReady: 214, due: 328, ...nothingDone },
  E: { patients: 50, pages: 110, pagesReady: 105, due: 151, ...nothingDone },
} as const

/** What zheng goes through, page by page, with how many fields are due on each: 28 pages, 44 fields. */
export const SDV_WALKED = `
  N1 DM 2, N1 VS 3, N1 CM 4, N1 FU 1, N2 DM 2, N2 VS 3, N2 FU 1, N3 VS 1, N3 CM 2, N3 FU 1,
  N4 VS 1, N4 FU 1, N5 VS 1, N5 CM 2, N5 FU 1, N6 VS 1, N6 FU 1, N7 VS 1, N7 CM 2, N7 FU 1,
  N8 DM 2, N8 VS 3, N8 FU 1, N9 VS 1, N9 CM 2, N9 FU 1, N10 VS 1, N10 FU 1`

/** What qian goes through: 7 pages, 20 fields. */
export const DMR_WALKED = `
  E1 DM 2, E1 VS 3, E1 CM 4, E1 FU 3, E2 DM 2, E2 VS 3, E2 FU 3`

/**
 * Of the 44 marks of zheng N4 sbp was taken back, the verified dose of the row of N5 is deleted, and N10 sbp, N9 FU sbp
 * and the second dose of N1 have another value: 39. N8 sbp was changed and verified again. Not done of the 28 pages are
 * N4 VS, N10 VS, N9 FU and N1 CM, and so not the patients 1, 4, 9 and 10.
 */
export const SDV_PROGRESS = {
  N: { patients: 150, patientsDone: 6, pages: 329, pagesReady: 314, pagesDone: 24, due: 446, done: 39, changed: 3 },
  S: SDV_AT_THE_START.S,
  E: SDV_AT_THE_START.E,
} as const

/**
 * Ten patients of each center: DM of all but the 10th 18, VS 30, CM of five 20, FU 30, and `why` of the 10th where it
 * is still asked. In the north two fields went with the row of N5. Pages: 10 + 10 + 5 + 10, one of them only saved.
 * Done: in the north 4 fields of N1 CM without the changed dose; in the east 20 without E1 pulse, which is on one of
 * the 7 pages.
 */
export const DMR_PROGRESS = {
  N: { patients: 10, patientsDone: 0, pages: 35, pagesReady: 34, pagesDone: 0, due: 96, done: 3, changed: 1 },
  S: { patients: 10, patientsDone: 0, pages: 35, pagesReady: 34, pagesDone: 0, due: 98, done: 0, changed: 0 },
  E: { patients: 10, patientsDone: 1, pages: 35, pagesReady: 34, pagesDone: 6, due: 99, done: 19, changed: 1 },
} as const

/** Pages of the list of zheng, who sees the north and the south: 329 + 225, of which 15 + 11 are only saved. */
export const SDV_LIST = { all: 554, notReady: 26, complete: 24, changed: 3, toDo: 504 } as const
/** The north alone. */
export const SDV_LIST_NORTH = { all: 329, notReady: 15, complete: 24, changed: 3, toDo: 290 } as const
/** Pages of the list of qian in the track of data review. */
export const DMR_LIST = { all: 105, notReady: 3, complete: 6, changed: 2, toDo: 96 } as const

/** Rows of the audit trail of the whole study that tell of queries and checking, by action. */
export const TOLD_BY_AUDIT = {
  // With the two of S100.
  'query.ask': 76,
  'query.raise': 12,
  'query.promote': 1,
  'query.reject': 1,
  // lin 6, wu 5, south 2.
  'query.answer': 13,
  'query.requery': 2,
  'query.reopen': 1,
  // N1 pulse twice, N40, N10, N3 dbp, N4, S6.
  'query.close': 7,
  'query.cancel': 2,
  // N20 sbp, N50 sbp, N3 dbp, S10 sbp.
  'query.passes': 4,
  // N50 why, the row of N5.
  'query.gone': 2,
  // 43 in the walk of zheng, N8 again; 20 and 4 of qian.
  'review.verify': 68,
  'review.exempt': 1,
  'review.unverify': 1,
  // N10 sbp, N8 sbp, N9 sbp, N1 dose in both tracks, E1 pulse.
  'review.changed': 6,
  'review.plan': 2,
} as const

/** What a list of queries finds: who looks, for what, and how many. */
export const FOUND = [
  ['qian', { source: ['system'] }, 74],
  ['qian', { source: ['monitor'] }, 8],
  ['qian', { source: ['dataManagement'] }, 4],
  ['zheng', { source: ['system'] }, 61],
  ['zheng', { source: ['dataManagement'] }, 2],
  ['zheng', { own: '1' }, 8],
  ['qian', { own: '1' }, 4],
  ['lin', { own: '1' }, 0],
  // FU: 5 + 3 + 1 of rules.
  ['qian', { folderId: VISITS.followUp }, 9],
  ['zheng', { folderId: VISITS.followUp }, 8],
  ['lin', { folderId: VISITS.followUp }, 5],
  // CM: 8 + 5 + 3 of rules, the page of N3 and the row of N5.
  ['qian', { pageId: pageId('CM') }, 18],
  ['lin', { pageId: pageId('CM') }, 10],
  ['qian', { words: '舒张压' }, 12],
  ['lin', { words: '舒张压' }, 6],
  // The rule about the name is about a field that only the site sees.
  ['lin', { words: '姓名' }, 1],
  ['qian', { words: '姓名' }, 0],
  ['zheng', { words: '姓名' }, 0],
  ['zheng', { words: 'N01-003' }, 2],
  // E2 was urgent and overdue, and is cancelled.
  ['qian', { urgent: '1' }, 1],
  ['xu', { urgent: '1' }, 1],
  ['zheng', { urgent: '1' }, 0],
  ['qian', { overdue: '1' }, 0],
] as const

/**
 * Open and answered queries on pages of the list of zheng. N: 35, without that about N11 DM, of which the plan asks
 * nothing. S: 22 and one about a visit, which is on no page.
 */
export const ASKED_ON_LISTED_PAGES = 56

/** By page: whether it is submitted; due, done and changed of source verification, then of data review. */
export const BY_PATIENT = {
  N1: { DM: 'ready 2 2 0 2 0 0', VS: 'ready 3 3 0 3 0 0', CM: 'ready 4 3 1 4 3 1', FU: 'ready 1 1 0 3 0 0' },
  N4: { DM: 'ready 0 0 0 2 0 0', VS: 'ready 1 0 0 3 0 0', FU: 'ready 1 1 0 3 0 0' },
  N5: { DM: 'ready 0 0 0 2 0 0', VS: 'ready 1 1 0 3 0 0', CM: 'ready 1 1 0 2 0 0', FU: 'ready 1 1 0 3 0 0' },
  N6: { DM: 'ready 0 0 0 2 0 0', VS: 'ready 1 1 0 3 0 0', FU: 'ready 1 1 0 3 0 0' },
  N8: { DM: 'ready 2 2 0 2 0 0', VS: 'ready 3 3 0 3 0 0', FU: 'ready 1 1 0 3 0 0' },
  N10: { DM: 'saved 0 0 0 2 0 0', VS: 'ready 1 0 1 3 0 0', FU: 'ready 1 1 0 3 0 0' },
  N80: { DM: 'saved 0 0 0 0 0 0', VS: 'ready 1 0 0 0 0 0', FU: 'saved 1 0 0 0 0 0' },
  E1: { DM: 'ready 2 0 0 2 2 0', VS: 'ready 3 0 0 3 2 1', CM: 'ready 4 0 0 4 4 0', FU: 'ready 1 0 0 3 3 0' },
} as const

/** 45 queries without the candidate; 8 closed and 1 cancelled. */
export const REPORT_OF_NORTH = {
  raised: 44,
  closed: 9,
  sdv: { due: 446, done: 39, changed: 3 },
  dmr: { due: 96, done: 3, changed: 1 },
} as const

/** 86 queries without three that were never asked; 10 closed, and 2 cancelled that had been asked. */
export const REPORT_OF_ALL = {
  raised: 83,
  closed: 12,
  sdv: { due: 925, done: 39, changed: 3 },
  dmr: { due: 293, done: 22, changed: 2 },
} as const

/**
 * Notices of queries that are neither read nor settled, one for each patient, and how many queries they are about.
 *
 *     lin, wu   30, 20 and ten more with a high pressure; 5 dbp; 7 doses; 15, 45, 75 FU; N11. FU of 30 and 60 and `why`
 *               of 100 and 150 are of the same patients: 28 for 32
 *     south     8 sbp, 4 dbp, 5 doses, 15 and 45 FU, S1; FU of 30 and `why` of 50 are of the same: 20 for 22
 *     xu        5 sbp, 2 dbp, 3 doses, 15 FU, E1; `why` of 50 is of the same: 12 for 13
 *     zheng     the answers about N3 and S4, which zheng had asked; nobody is told of their own candidate
 *     qian      N1, N7 and the candidate of N13; that of E11 is qian's own
 */
export const NOTICES = {
  lin: [28, 32],
  wu: [28, 32],
  south: [20, 22],
  xu: [12, 13],
  zheng: [2, 2],
  qian: [3, 3],
  sun: [0, 0],
} as const

/**
 * When everything of everybody is verified: all items of `COVERAGE_IN_THE_EVENING` without those of pages that are only
 * saved. N: 1330 without 15 DM of 2 and 15 FU of 3 fields; S: 883 without 9 DM and 10 FU.
 */
export const EVERYTHING_PLANNED = {
  N: { patients: 150, due: 1255, done: 39, changed: 3 },
  S: { patients: 99, due: 835, done: 0, changed: 0 },
} as const
