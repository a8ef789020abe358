import { addDays } from '#server/demo/course/days.ts'
import type { Entered, EnteredPage } from '#server/demo/course/entered.ts'
import { pageOf, withPlanted } from '#server/demo/course/pages.ts'
import type { Planned } from '#server/demo/course/pages.ts'
import type { SaidOfVisit } from '#server/demo/course/visitFacts.ts'
import { planted, SECOND_PASS } from '#server/demo/registry/course/planted.ts'
import type { Participant, RegistryVisit } from '#server/demo/registry/course/roster.ts'
import {
  basicsOf,
  dayOfVisit,
  diagnosisOf,
  effectOf,
  examinationsOf,
  patternOf,
  prescriptionOf,
  sleepOf,
} from '#server/demo/registry/course/visitPages.ts'

/** All data of a participant of the registry until the day on which the demo was made. */

const ORDER = ['ENR', 'F1', 'F2', 'F3', 'END'] as const

/** The visits that took place and of which something was entered. */
export function registryVisits(one: Participant, madeOn: string): readonly RegistryVisit[] {
  const { daysAgo, left, until, half } = one
  if (daysAgo === 0) return []
  if (left !== null) return [...ORDER.slice(0, ORDER.indexOf(left.after) + 1), 'END']
  const due = ORDER.filter((visit) => dayOfVisit(one, visit, madeOn) <= madeOn)
  const last = half ?? until
  return last === undefined ? due : due.slice(0, ORDER.indexOf(last) + 1)
}

export function registryPages(one: Participant, madeOn: string): readonly EnteredPage[] {
  const visits = registryVisits(one, madeOn)
  const pages = visits.flatMap((visit) => {
    const plan = plannedAt(one, visit, madeOn)
    if (visit !== one.half) return plan.map(([page, entered]) => pageOf(visit, page, entered))
    return halfOf(visit, plan)
  })
  const logged = visits.includes('F1')
    ? [pageOf('LOG', 'CM', otherDrugsOf(one, madeOn)), pageOf('LOG', 'AR', reactionOf(one, madeOn))]
    : []
  const first = [...pages, ...logged].map((page) => withPlanted(planted, one.no, page))
  const second = SECOND_PASS.filter(({ no }) => no === one.no).flatMap(({ folder, page, values = {} }) =>
    first
      .filter((entered) => entered.folder === folder && entered.page === page)
      .map((entered) => again({ ...entered, values: { ...entered.values, ...values } })),
  )
  return [...first, ...unplannedPages(one, madeOn), ...second]
}

/** The same page as another person entered it, without the corrections that came later. */
function again(entered: EnteredPage): EnteredPage {
  return { ...entered, pass: 2, corrections: [] }
}

/** What is said of the visits of a participant. */
export function registryFacts(one: Participant, madeOn: string): readonly SaidOfVisit[] {
  const taken = registryVisits(one, madeOn)
  const dated = taken.map((visit): SaidOfVisit => ({
    folder: visit,
    repeat: 0,
    actualDate: visit === 'END' ? endDay(one, madeOn) : dayOfVisit(one, visit, madeOn),
    ...(visit === 'END' && one.left !== null ? { deviationReason: '提前结束登记。' } : {}),
  }))
  const missed: readonly SaidOfVisit[] =
    one.left === null
      ? []
      : one.left.status === '2'
        ? [
            { folder: 'F2', repeat: 0, outcome: 'missed', outcomeReason: '电话联系三次未接，短信未回复。' },
            { folder: 'F3', repeat: 0, outcome: 'stopped', outcomeReason: '失访。' },
          ]
        : [{ folder: 'F2', repeat: 0, outcome: 'stopped', outcomeReason: '因不良反应退出登记。' }]
  return [...dated, ...missed, ...unplannedFacts(one, madeOn)]
}

function plannedAt(one: Participant, visit: RegistryVisit, madeOn: string): readonly Planned[] {
  const day = dayOfVisit(one, visit, madeOn)
  const seen: readonly Planned[] = [
    ['TCM', examinationsOf(one, visit)],
    ['SYN', patternOf(one)],
    ['SCA', sleepOf(one, visit)],
    ['RX', prescriptionOf(one, visit, day)],
  ]
  switch (visit) {
    case 'ENR':
      return [['DM', basicsOf(one, madeOn)], ['DX', diagnosisOf(one)], ...seen]
    case 'F1':
      return seen
    case 'F2':
      return [...seen, ['EFF', effectOf(one, visit)]]
    case 'F3':
      return [
        ['SCA', sleepOf(one, visit)],
        ['EFF', effectOf(one, visit)],
      ]
    case 'END':
      return [['END', endOf(one, madeOn)]]
  }
}

/** A visit of these days: the first page is submitted, the second saved, the third begun. */
function halfOf(visit: RegistryVisit, plan: readonly Planned[]): readonly EnteredPage[] {
  return plan.slice(0, visit === 'F3' ? 1 : 3).map(([page, entered], at) => {
    const whole = pageOf(visit, page, entered)
    if (at === 0) return visit === 'F3' ? { ...whole, submit: false } : whole
    const begun = Object.fromEntries(Object.entries(entered.values).slice(0, 4))
    return { ...whole, values: at === 1 ? entered.values : begun, submit: false }
  })
}

function endDay(one: Participant, madeOn: string): string {
  return one.left === null ? dayOfVisit(one, 'END', madeOn) : addDays(dayOfVisit(one, one.left.after, madeOn), 21)
}

function endOf(one: Participant, madeOn: string): Entered {
  const end_date = endDay(one, madeOn)
  switch (one.left?.status) {
    case '2':
      return { values: { end_status: '2', end_date, end_note: '复诊 1 后失去联系。' } }
    case '3':
      return {
        values: { end_status: '3', end_date, end_reason: '1', end_note: '服药后反复腹泻，停药后缓解，不愿继续。' },
      }
    case undefined:
      return { values: { end_status: '1', end_date } }
  }
}

function otherDrugsOf({ no }: Participant, madeOn: string): Entered {
  if (no !== 'BM-002' && no !== 'BM-005') return { values: { cm_any: '0' } }
  const drug = {
    cm_name: no === 'BM-002' ? '苯磺酸氨氯地平片' : '右佐匹克隆片',
    cm_dose: no === 'BM-002' ? 5 : 1,
    cm_unit: '1',
    cm_freq: no === 'BM-002' ? '1' : '6',
    cm_route: '1',
    cm_reason: no === 'BM-002' ? '高血压' : '失眠',
    cm_start: addDays(madeOn, -700).slice(0, 7),
    cm_ongoing: '1',
  }
  return { values: { cm_any: '1' }, rows: { cm_drugs: [drug] } }
}

function reactionOf(one: Participant, madeOn: string): Entered {
  const start = addDays(dayOfVisit(one, 'ENR', madeOn), 5)
  if (one.no === 'BM-004')
    return {
      values: {
        ar_any: '1',
        ar_term: '腹泻',
        ar_start: start,
        ar_end: addDays(start, 16),
        ar_grade: '2',
        ar_related: '3',
        ar_action: '3',
        ar_outcome: '1',
        ar_note: '服药第 5 天起大便溏泻，每日 3～4 次，减量后未缓解，停药 3 天后恢复正常。',
      },
    }
  if (one.no !== 'BM-003') return { values: { ar_any: '0' } }
  return {
    values: {
      ar_any: '1',
      ar_term: '胃脘不适',
      ar_start: start,
      ar_end: addDays(start, 4),
      ar_grade: '1',
      ar_related: '3',
      ar_action: '1',
      ar_outcome: '1',
      ar_note: '改为饭后温服，4 天后消失。',
    },
  }
}

/** Visits that nobody planned: one that took place, and one that was booked and taken back. */
function unplannedFacts(one: Participant, madeOn: string): readonly SaidOfVisit[] {
  if (one.no !== 'BM-013') return []
  const [came, booked] = [unplannedDay(one, madeOn), addDays(madeOn, -1)]
  return [
    { folder: 'UNS', repeat: 1, actualDate: came, deviationReason: '药后大便偏稀，提前就诊调方。' },
    {
      folder: 'UNS',
      repeat: 2,
      actualDate: booked,
      deviationReason: '受试者来电要求加诊。',
      takenBack: '受试者未来，改为按期复诊。',
    },
  ]
}

function unplannedDay(one: Participant, madeOn: string): string {
  return addDays(dayOfVisit(one, 'F1', madeOn), 4)
}

function unplannedPages(one: Participant, madeOn: string): readonly EnteredPage[] {
  if (one.no !== 'BM-013') return []
  const page = pageOf('UNS', 'RX', prescriptionOf(one, 'ENR', unplannedDay(one, madeOn)))
  const why = '去当归，减木香至 3 g，药后大便成形。'
  const herbs = (page.rows?.['herbs'] ?? [])
    .filter(({ herb }) => herb !== 'danggui')
    .map((row) => (row['herb'] === 'muxiang' ? { ...row, grams: 3 } : row))
  return [{ ...page, visitRepeat: 1, values: { ...page.values, packets: 7, changes: why }, rows: { herbs } }]
}
