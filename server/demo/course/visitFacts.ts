import type { VisitOutcome } from '#core/study/visits/schedule.ts'
import { visitsOf } from '#server/demo/course/casebook.ts'
import { courseOf } from '#server/demo/course/course.ts'
import type { Course, VisitCode } from '#server/demo/course/course.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import { vitalSignsOf } from '#server/demo/course/examinationPages.ts'
import type { Subject } from '#server/demo/course/roster.ts'
import { endingOf } from '#server/demo/course/treatmentPages.ts'

/** Facts of the subjects' visits: the days of those that took place, and the reasons of the others. */

export interface SaidOfVisit {
  readonly folder: string
  /** 0 for the visit of the schedule, 1, 2 … for those that somebody made. */
  readonly repeat: number
  readonly actualDate?: string
  readonly outcome?: VisitOutcome
  readonly outcomeReason?: string
  readonly deviationReason?: string
  /** Why the visit was taken back afterwards. */
  readonly takenBack?: string
}

/** Visits that are due by now and did not take place, each with the reason. */
const NOT_TAKEN: ReadonlyMap<
  string,
  { readonly visit: VisitCode; readonly outcome: VisitOutcome; readonly outcomeReason: string }
> = new Map([
  ['02-013', { visit: 'V2', outcome: 'missed', outcomeReason: '受试者外出务工，三次电话联系未到。' }],
  [
    '03-012',
    { visit: 'V2', outcome: 'skipped', outcomeReason: '受试者家中有急事，研究者同意免做本次访视，下次访视按期进行。' },
  ],
])

/** Why a subject comes no more, by the reason on the end-of-study page. */
const WHY_LEFT = {
  '1': '受试者撤回同意。',
  '2': '发生不良事件，不宜继续用药。',
  '3': '失访。',
  '4': '疗效不佳，改用其他治疗。',
  '6': '工作调动至外地，无法按期随访。',
} as const

/** Unscheduled visits: the number of days after baseline, and the reason. */
const UNPLANNED: ReadonlyMap<string, { readonly after: number; readonly why: string }> = new Map([
  ['01-012', { after: 21, why: '头晕，来院复测血压。' }],
  ['02-010', { after: 22, why: '头晕，复查生命体征。' }],
])

/** @param madeOn the day on which the demo was made */
export function visitFactsOf(subject: Subject, madeOn: string): readonly SaidOfVisit[] {
  const course = courseOf(subject, madeOn)
  const taken = visitsOf(course, madeOn)
  const dated = taken.map((visit): SaidOfVisit => ({
    folder: visit,
    repeat: 0,
    actualDate: dayOfVisit(course, visit),
    ...deviation(subject, visit),
  }))
  return [...dated, ...notTaken(subject, taken), ...listUnplanned(course, madeOn)]
}

function dayOfVisit(course: Course, visit: VisitCode): string {
  const end = visit === 'EOS' ? endingOf(course).values['ds_date'] : null
  return typeof end === 'string' ? end : course.dayOf(visit)
}

function deviation({ ending, endsLate }: Subject, visit: VisitCode): Pick<SaidOfVisit, 'deviationReason'> {
  if (visit !== 'EOS') return {}
  if (ending !== null) return { deviationReason: '提前结束研究。' }
  return endsLate ? { deviationReason: '受试者出差，返回后才完成研究结束访视。' } : {}
}

/** A subject who left does not come any more after their last visit. */
function notTaken({ no, ending }: Subject, taken: readonly VisitCode[]): readonly SaidOfVisit[] {
  const special = NOT_TAKEN.get(no)
  if (special !== undefined)
    return [{ folder: special.visit, repeat: 0, outcome: special.outcome, outcomeReason: special.outcomeReason }]
  if (ending === null) return []
  const next = (['BL', 'V1', 'V2', 'V3'] as const).find((visit) => !taken.includes(visit))
  if (next === undefined) return []
  return [
    {
      folder: next,
      repeat: 0,
      outcome: 'stopped',
      outcomeReason: 'failed' in ending ? '筛选失败。' : WHY_LEFT[ending.reason],
    },
  ]
}

function listUnplanned(course: Course, madeOn: string): readonly SaidOfVisit[] {
  const visit = unplannedVisit(course, madeOn)
  return visit === null ? [] : [{ folder: 'UNS', repeat: 1, actualDate: visit.day, deviationReason: visit.why }]
}

function unplannedVisit(
  { subject, dayOf }: Course,
  madeOn: string,
): { readonly day: string; readonly why: string } | null {
  const visit = UNPLANNED.get(subject.no)
  if (visit === undefined) return null
  const day = addDays(dayOf('BL'), visit.after)
  return day <= madeOn ? { day, why: visit.why } : null
}

/** The pages of unscheduled visits. */
export function unplannedPagesOf(subject: Subject, madeOn: string): readonly EnteredPage[] {
  const course = courseOf(subject, madeOn)
  const visit = unplannedVisit(course, madeOn)
  if (visit === null) return []
  const { values } = vitalSignsOf(course, 'V1')
  return [
    {
      values: { ...values, vs_date: visit.day },
      folder: 'UNS',
      visitRepeat: 1,
      page: 'VS',
      repeat: 0,
      submit: true,
      corrections: [],
    },
  ]
}
