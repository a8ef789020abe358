import type { Course, VisitCode } from '#server/demo/course/course.ts'
import type { Entered, Values } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'
import { isFailure } from '#server/demo/course/screeningPages.ts'

/** Vital signs, electrocardiogram and laboratory of a visit. */

export function vitalSignsOf({ subject, dayOf }: Course, visit: VisitCode): Entered {
  const body = new Random(`body ${subject.no}`)
  const woman = subject.sex === 'F'
  const height = woman ? body.around(159, 5, [148, 172], 1) : body.around(170, 5, [158, 184], 1)
  const weight = woman ? body.around(61, 7, [45, 84], 1) : body.around(71, 8, [52, 98], 1)
  const [sbp, pulse] = [body.around(134, 9, [112, 158]), body.around(73, 7, [58, 92])]
  const random = new Random(`VS ${subject.no} ${visit}`)
  const high = isFailure(subject.ending, 'pressure')
  return {
    values: {
      vs_date: dayOf(visit),
      height,
      weight: random.around(weight, 0.6, [40, 110], 1),
      waist: Math.round(height * 0.52 + random.int(-3, 3)),
      temperature: random.around(36.5, 0.15, [36, 37.1], 1),
      pulse: random.around(pulse, 3, [52, 98]),
      breath: random.int(15, 19),
      sbp: high ? 186 : random.around(sbp, 4, [104, 168]),
      dbp: high ? 112 : random.around(sbp * 0.6, 3, [60, 98]),
    },
  }
}

export function electrocardiogramOf({ subject, dayOf }: Course, visit: VisitCode): Entered {
  const random = new Random(`EG ${subject.no} ${visit}`)
  const heartRate = random.around(72, 7, [56, 94])
  const changed = new Random(`ST ${subject.no}`).chance(0.4)
  return {
    values: {
      eg_date: dayOf(visit),
      heart_rate: heartRate,
      rhythm: '1',
      pr: random.around(160, 14, [124, 198]),
      qrs: random.around(92, 7, [72, 110]),
      // So that the corrected interval is about 415 ms at every rate.
      qt: Math.round(random.around(415, 14, [380, 450]) * Math.cbrt(60 / heartRate)),
      ...(changed
        ? {
            st_t: random.pick([['2'], ['4'], ['2', '4'], ['5']]),
            eg_result: '2',
            eg_note: random.pick(['Ⅱ、Ⅲ、aVF 导联 T 波低平，与既往相似。', 'V4～V6 导联 ST 段轻度压低，与既往相似。']),
          }
        : { st_t: ['1'], eg_result: '1' }),
    },
  }
}

/** Mean and deviation of a laboratory value, its digits, and the bounds outside of which it needs a judgement. */
type Draw = readonly [mean: number, deviation: number, digits: number, low: number, high: number]

function draws(woman: boolean): Readonly<Record<string, Draw>> {
  return {
    wbc: [6.2, 1.2, 2, 3.5, 9.5],
    rbc: woman ? [4.4, 0.25, 2, 3.8, 5.1] : [4.9, 0.3, 2, 4.3, 5.8],
    hgb: woman ? [130, 7, 0, 115, 150] : [148, 9, 0, 130, 175],
    plt: [218, 36, 0, 125, 350],
    tc: [4.7, 0.6, 2, 0, 5.2],
    tg: [1.5, 0.4, 2, 0, 1.7],
    ldl: [2.7, 0.5, 2, 0, 3.4],
    hdl: [1.3, 0.12, 2, 1, 2.3],
    alt: woman ? [21, 6, 0, 7, 40] : [27, 8, 0, 9, 50],
    ast: woman ? [22, 4, 0, 13, 35] : [25, 5, 0, 15, 40],
    urea: [5.4, 0.9, 2, 3.1, 8],
    crea: woman ? [58, 7, 0, 41, 73] : [76, 9, 0, 57, 97],
    glu: [5.4, 0.5, 2, 3.9, 6.1],
  }
}

export function laboratoryOf({ subject, dayOf }: Course, visit: VisitCode): Entered {
  const random = new Random(`LB ${subject.no} ${visit}`)
  const values: Record<string, Values[string]> = { lb_date: dayOf(visit), fasting: '1' }
  for (const [code, [mean, deviation, digits, low, high]] of Object.entries(draws(subject.sex === 'F'))) {
    const value = random.around(mean, deviation, [mean * 0.3, mean * 2], digits)
    values[code] = value
    if (value < low || value > high) values[`${code}_cs`] = '1'
  }
  if (isFailure(subject.ending, 'liver')) Object.assign(values, { alt: 138, alt_cs: '2', ast: 97, ast_cs: '2' })
  return { values }
}
