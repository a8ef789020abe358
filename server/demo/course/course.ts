import { Random } from '#server/demo/course/random.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { Subject } from '#server/demo/course/roster.ts'
import { MAIN_SYMPTOMS, SECONDARY_SYMPTOMS } from '#server/demo/study/tcm.ts'

/**
 * A subject's course: when the visits are, and how attacks and symptoms decrease, more so under the drug than under
 * placebo.
 */

export type VisitCode = 'SCR' | 'BL' | 'V1' | 'V2' | 'V3' | 'EOS'
/** Visits at which the effect is assessed. */
export type TreatedVisit = 'BL' | 'V1' | 'V2' | 'V3'

/** Days from consent to each visit: five to baseline, then 2, 4 and 8 weeks. */
const DAY_OF_VISIT: Readonly<Record<VisitCode, number>> = { SCR: 0, BL: 5, V1: 19, V2: 33, V3: 61, EOS: 63 }
/** How many days late the subject came to the end. */
const DAYS_LATE = 9
/** The share of the whole effect at a visit. */
const SHARE: Readonly<Record<TreatedVisit, number>> = { BL: 0, V1: 0.4, V2: 0.7, V3: 1 }

type Symptom = (typeof MAIN_SYMPTOMS)[number] | (typeof SECONDARY_SYMPTOMS)[number]

export interface Course {
  readonly subject: Subject
  /** The day of a visit, `yyyy-MM-dd`. */
  readonly dayOf: (visit: VisitCode) => string
  /** Attacks in the week before a visit. */
  readonly attacks: (visit: TreatedVisit) => number
  /** Score of a symptom at a visit: 0, 2, 4, 6 for the main ones, 0 to 3 for the others. */
  readonly score: (visit: TreatedVisit, symptom: Symptom) => number
  /** Total score of the syndrome at a visit. */
  readonly total: (visit: TreatedVisit) => number
}

/** @param madeOn the day on which the demo was made, from which all days are counted back */
export function courseOf(subject: Subject, madeOn: string): Course {
  const random = new Random(`course ${subject.no}`)
  const consent = addDays(madeOn, -subject.daysAgo)
  // The share of all attacks and symptoms that is gone in the end.
  const response = subject.verum ? random.around(0.7, 0.14, [0.35, 0.98], 3) : random.around(0.3, 0.16, [-0.1, 0.7], 3)
  const attacksBefore = random.int(4, 14)
  const gradeBefore = new Map<Symptom, number>([
    ...MAIN_SYMPTOMS.map((symptom): [Symptom, number] => [symptom, random.int(2, 3)]),
    ...SECONDARY_SYMPTOMS.map((symptom): [Symptom, number] => [symptom, random.pick([0, 1, 1, 2, 2, 3])]),
  ])
  // An enrolled subject has the syndrome: at least two of the secondary symptoms.
  for (const symptom of SECONDARY_SYMPTOMS.slice(0, 2))
    gradeBefore.set(symptom, Math.max(1, gradeBefore.get(symptom) ?? 0))

  const attacks = (visit: TreatedVisit): number => {
    if (visit === 'BL') return attacksBefore
    const wobble = new Random(`attacks ${subject.no} ${visit}`).around(0, 0.08, [-0.15, 0.15], 3)
    return Math.max(0, Math.round(attacksBefore * (1 - response * SHARE[visit] + wobble)))
  }
  const grade = (visit: TreatedVisit, symptom: Symptom): number => {
    const before = gradeBefore.get(symptom) ?? 0
    if (visit === 'BL') return before
    const wobble = new Random(`${symptom} ${subject.no} ${visit}`).around(0, 0.12, [-0.25, 0.25], 3)
    const now = Math.min(3, Math.max(0, Math.round(before * (1 - response * SHARE[visit] + wobble))))
    // A subject with an attack this week does not report that there was no pain.
    return symptom === 'chest_pain' && attacks(visit) > 0 ? Math.max(1, now) : now
  }
  const score = (visit: TreatedVisit, symptom: Symptom): number =>
    grade(visit, symptom) * (MAIN_SYMPTOMS.some((main) => main === symptom) ? 2 : 1)
  return {
    subject,
    dayOf: (visit) => addDays(consent, DAY_OF_VISIT[visit] + (visit === 'EOS' && subject.endsLate ? DAYS_LATE : 0)),
    attacks,
    score,
    total: (visit) =>
      [...MAIN_SYMPTOMS, ...SECONDARY_SYMPTOMS].reduce((sum, symptom) => sum + score(visit, symptom), 0),
  }
}
