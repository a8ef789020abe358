import type { Course, TreatedVisit } from '#server/demo/course/course.ts'
import { addDays, daysFrom } from '#server/demo/course/days.ts'
import type { Entered, Values } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'
import { hasDiabetes, isFailure } from '#server/demo/course/screeningPages.ts'
import { CAPSULES_A_DAY } from '#server/demo/study/treatment.ts'

/** Capsules, other drugs and the end of the study. */

/** Capsules that are given out at a visit: enough until the next one, and some to spare. */
const GIVEN: Readonly<Record<'BL' | 'V1' | 'V2', number>> = { BL: 180, V1: 180, V2: 360 }
const BEFORE = { V1: 'BL', V2: 'V1', V3: 'V2' } as const

export function randomisationOf({ subject, dayOf }: Course): Entered {
  const random = new Random(`RND ${subject.no}`)
  const day = dayOf('BL')
  return {
    values: {
      rnd_date: day,
      rnd_no: `R${random.int(1000, 9999)}`,
      kit_no: `K${random.int(10_000, 99_999)}`,
      dispensed: GIVEN.BL,
      first_dose: day,
    },
  }
}

export function complianceOf({ subject, dayOf }: Course, visit: Exclude<TreatedVisit, 'BL'>): Entered {
  const random = new Random(`EX ${subject.no} ${visit}`)
  const before = BEFORE[visit]
  const [from, to, given] = [dayOf(before), dayOf(visit), GIVEN[before]]
  const taken = Math.round(daysFrom(from, to) * CAPSULES_A_DAY * random.around(0.96, 0.03, [0.86, 1.04], 3))
  const interrupted = random.chance(0.1)
  return {
    values: {
      ex_from: from,
      ex_date: to,
      ex_given: given,
      ex_back: given - taken,
      ex_break: interrupted ? '1' : '0',
      ...(interrupted ? { ex_break_days: random.int(1, 2) } : {}),
      ...(visit === 'V3' ? {} : { ex_next: GIVEN[visit] }),
    },
  }
}

/** Drugs of one kind, each with its own dose. */
const STATINS: readonly [Values, Values] = [
  { cm_name: '阿托伐他汀钙片', cm_dose: 20 },
  { cm_name: '瑞舒伐他汀钙片', cm_dose: 10 },
]
const BETA_BLOCKERS: readonly [Values, Values] = [
  { cm_name: '琥珀酸美托洛尔缓释片', cm_dose: 47.5 },
  { cm_name: '富马酸比索洛尔片', cm_dose: 5 },
]

export function otherDrugsOf({ subject, dayOf }: Course): Entered {
  const random = new Random(`CM ${subject.no}`)
  const since = (years: number): string => addDays(dayOf('SCR'), -Math.floor(years * 365.25)).slice(0, 7)
  const ongoing = { cm_route: '1', cm_ongoing: '1' }
  const rows: Values[] = []
  if (random.chance(0.85))
    rows.push({
      cm_name: '阿司匹林肠溶片',
      cm_dose: 100,
      cm_unit: '1',
      cm_freq: '1',
      cm_reason: '冠心病二级预防',
      cm_start: since(random.int(1, 6)),
      ...ongoing,
    })
  if (random.chance(0.75))
    rows.push({
      ...random.pick(STATINS),
      cm_unit: '1',
      cm_freq: '5',
      cm_reason: '调脂',
      cm_start: since(random.int(1, 5)),
      ...ongoing,
    })
  if (random.chance(0.5))
    rows.push({
      ...random.pick(BETA_BLOCKERS),
      cm_unit: '1',
      cm_freq: '1',
      cm_reason: '心绞痛',
      cm_start: since(random.int(1, 3)),
      ...ongoing,
    })
  if (random.chance(0.4))
    rows.push({
      cm_name: '苯磺酸氨氯地平片',
      cm_dose: 5,
      cm_unit: '1',
      cm_freq: '1',
      cm_reason: '高血压',
      cm_start: since(random.int(2, 8)),
      ...ongoing,
    })
  if (hasDiabetes(subject.no))
    rows.push({
      cm_name: '盐酸二甲双胍片',
      cm_dose: 0.5,
      cm_unit: '2',
      cm_freq: '2',
      cm_reason: '2 型糖尿病',
      cm_start: since(random.int(2, 8)).slice(0, 4),
      ...ongoing,
    })
  if (random.chance(0.2)) {
    const from = addDays(dayOf('SCR'), -20)
    rows.push({
      cm_name: '布洛芬缓释胶囊',
      cm_dose: 0.3,
      cm_unit: '2',
      cm_freq: '6',
      cm_route: '1',
      cm_reason: '关节痛',
      cm_start: from,
      cm_ongoing: '0',
      cm_end: addDays(from, 5),
    })
  }
  return rows.length === 0 ? { values: { cm_any: '0' } } : { values: { cm_any: '1' }, rows: { cm_drugs: rows } }
}

const WHY_LEFT: Readonly<Record<string, string>> = { '6': '工作调动至外地，无法按期随访。' }

/** How the study ended for a subject who has left or completed it. */
export function endingOf({ subject, dayOf }: Course): Entered {
  const { ending } = subject
  if (ending === null) return { values: { ds_status: '1', ds_date: dayOf('EOS'), ds_last_dose: dayOf('V3') } }
  if (isFailure(ending))
    return {
      values: { ds_status: '3', ds_date: addDays(dayOf('SCR'), 2), ds_note: '不符合入选与排除标准，详见该页说明。' },
    }
  if ('failed' in ending) throw new RangeError('whoever failed is told of above')
  const last = addDays(dayOf(ending.left), 6)
  const why = WHY_LEFT[ending.reason]
  return {
    values: {
      ds_status: '2',
      ds_date: last,
      ds_last_dose: addDays(last, -1),
      ds_reason: ending.reason,
      ...(why === undefined ? {} : { ds_note: why }),
    },
  }
}
