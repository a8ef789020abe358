import type { Course, TreatedVisit } from '#server/demo/course/course.ts'
import type { Entered } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'

/** Attacks, quality of life and the judgement of the effect at a visit. */

export function attacksOf(course: Course, visit: TreatedVisit): Entered {
  const random = new Random(`AP ${course.subject.no} ${visit}`)
  const attacks = course.attacks(visit)
  const nitro = attacks > 1 && random.chance(0.8)
  const share = attacks / course.attacks('BL')
  return {
    values: {
      attacks,
      ...(attacks === 0
        ? {}
        : {
            duration: share > 0.6 ? random.pick(['2', '2', '3']) : random.pick(['1', '1', '2']),
            pain: Math.round(random.around(25 + 35 * share, 6, [10, 85]) / 5) * 5,
            triggers: random.pick([['1'], ['1', '2'], ['1', '4'], ['2'], ['1', '3']]),
          }),
      ccs_now: share > 0.6 ? random.pick(['2', '2', '3']) : share > 0.2 ? '2' : '1',
      nitro: nitro ? '1' : '0',
      ...(nitro ? { nitro_dose: Math.max(1, Math.round(attacks * random.around(0.6, 0.1, [0.4, 0.9], 2))) } : {}),
    },
  }
}

export function qualityOfLifeOf(course: Course, visit: TreatedVisit): Entered {
  const random = new Random(`QOL ${course.subject.no} ${visit}`)
  const better = 1 - course.total(visit) / course.total('BL')
  const mark = () => Math.round(random.around(48 + 32 * better, 7, [15, 95]))
  return { values: { vas_health: mark(), vas_activity: mark(), vas_sleep: mark(), vas_mood: mark(), vas_ease: mark() } }
}

export function effectOf(course: Course, visit: TreatedVisit): Entered {
  const index = ((course.total('BL') - course.total(visit)) / course.total('BL')) * 100
  return {
    values: { judged: index >= 70 ? '1' : index >= 30 ? '2' : index >= 0 ? '3' : '4', judged_on: course.dayOf(visit) },
  }
}
