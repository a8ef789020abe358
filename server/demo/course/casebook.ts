import { courseOf } from '#server/demo/course/course.ts'
import type { Course, TreatedVisit, VisitCode } from '#server/demo/course/course.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import { attacksOf, effectOf, qualityOfLifeOf } from '#server/demo/course/efficacyPages.ts'
import { adverseEventsOf } from '#server/demo/course/events.ts'
import { electrocardiogramOf, laboratoryOf, vitalSignsOf } from '#server/demo/course/examinationPages.ts'
import { pageOf, withPlanted } from '#server/demo/course/pages.ts'
import type { Planned } from '#server/demo/course/pages.ts'
import { planted } from '#server/demo/course/planted.ts'
import type { Subject } from '#server/demo/course/roster.ts'
import { demographicsOf, eligibilityOf, historyOf } from '#server/demo/course/screeningPages.ts'
import { fourExaminationsOf, syndromeOf } from '#server/demo/course/tcmPages.ts'
import { complianceOf, endingOf, otherDrugsOf, randomisationOf } from '#server/demo/course/treatmentPages.ts'

/** All data of a subject until the day on which the demo was made. */

/** Days within which a visit is still being entered. */
const BEING_ENTERED: Readonly<Record<VisitCode, number>> = { SCR: 5, BL: 3, V1: 3, V2: 3, V3: 3, EOS: 0 }
/** A subject who consented yesterday has no data yet. */
const FIRST_ENTRY = 2

/**
 * @param madeOn the day on which the demo was made; no data are later than this day
 */
export function casebookOf(subject: Subject, madeOn: string): readonly EnteredPage[] {
  const course = courseOf(subject, madeOn)
  const visits = visitsOf(course, madeOn)
  const pages = visits.flatMap((visit) => {
    const open = subject.ending === null && course.dayOf(visit) > addDays(madeOn, -BEING_ENTERED[visit])
    const plan = plannedAt(course, visit)
    return open ? halfEntered(visit, plan) : plan.map(([page, entered]) => pageOf(visit, page, entered))
  })
  const logged = visits.includes('BL') ? [pageOf('LOG', 'CM', otherDrugsOf(course))] : []
  const events = visits.includes('V1')
    ? adverseEventsOf(course, madeOn).map((entered, repeat) => pageOf('LOG', 'AE', entered, repeat))
    : []
  return [...pages, ...logged, ...events].map((page) => withPlanted(planted, subject.no, page))
}

/** The visits that have data. */
export function visitsOf({ subject, dayOf }: Course, madeOn: string): readonly VisitCode[] {
  const { ending, daysAgo, late } = subject
  if (daysAgo < FIRST_ENTRY) return []
  if (ending !== null) {
    if ('failed' in ending) return ['SCR', 'EOS']
    const order = ['SCR', 'BL', 'V1', 'V2'] as const
    return [...order.slice(0, order.indexOf(ending.left) + 1), 'EOS']
  }
  const due = (['SCR', 'BL', 'V1', 'V2', 'V3'] as const).filter((visit) => dayOf(visit) <= madeOn)
  if (late) return due.slice(0, -1)
  // The end is entered once the last visit is.
  return dayOf('EOS') < madeOn ? [...due, 'EOS'] : due
}

function plannedAt(course: Course, visit: VisitCode): readonly Planned[] {
  switch (visit) {
    case 'SCR':
      return [
        ['DM', demographicsOf(course)],
        ['IE', eligibilityOf(course)],
        ['MH', historyOf(course)],
        ['VS', vitalSignsOf(course, visit)],
        ['LB', laboratoryOf(course, visit)],
        ['EG', electrocardiogramOf(course, visit)],
      ]
    case 'BL':
      return [...seenAt(course, visit), ['RND', randomisationOf(course)]]
    case 'V1':
    case 'V2':
      return followUp(course, visit)
    case 'V3':
      return [
        ...followUp(course, visit),
        ['LB', laboratoryOf(course, visit)],
        ['EG', electrocardiogramOf(course, visit)],
      ]
    case 'EOS':
      return [['DS', endingOf(course)]]
  }
}

function seenAt(course: Course, visit: TreatedVisit): readonly Planned[] {
  return [
    ['VS', vitalSignsOf(course, visit)],
    ['TCM', fourExaminationsOf(course, visit)],
    ['SYN', syndromeOf(course, visit)],
    ['AP', attacksOf(course, visit)],
    ['QOL', qualityOfLifeOf(course, visit)],
  ]
}

function followUp(course: Course, visit: Exclude<TreatedVisit, 'BL'>): readonly Planned[] {
  return [...seenAt(course, visit), ['EX', complianceOf(course, visit)], ['EFF', effectOf(course, visit)]]
}

/** A visit of these days: two pages are submitted, the third is saved, and the fourth is only begun. */
function halfEntered(visit: VisitCode, plan: readonly Planned[]): readonly EnteredPage[] {
  return plan.slice(0, 4).map(([page, entered], at) => {
    const whole = pageOf(visit, page, entered)
    if (at < 2) return whole
    const begun = Object.fromEntries(Object.entries(entered.values).slice(0, 3))
    return { ...whole, values: at === 2 ? entered.values : begun, submit: false }
  })
}
