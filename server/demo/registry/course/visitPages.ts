import type { JsonValue } from '#core/json.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { Entered, Values } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'
import { ADDED, SYNDROMES } from '#server/demo/registry/study/formulas.ts'
import type { PrescribedHerb, Syndrome } from '#server/demo/registry/study/formulas.ts'
import { COMPONENTS } from '#server/demo/registry/study/scales.ts'
import type { Participant, RegistryVisit } from '#server/demo/registry/course/roster.ts'

/** What is entered of a participant at a visit. The signs follow the syndrome, and ease with the sleep. */

/** Days from the first visit. */
export const DAY_OF_VISIT: Readonly<Record<RegistryVisit, number>> = { ENR: 0, F1: 14, F2: 28, F3: 84, END: 84 }
/** The share of the whole effect at a visit. */
const SHARE: Readonly<Record<RegistryVisit, number>> = { ENR: 0, F1: 0.4, F2: 0.75, F3: 1, END: 1 }
const PHYSICIAN = '顾主任'

export function dayOfVisit({ daysAgo }: Participant, visit: RegistryVisit, madeOn: string): string {
  return addDays(madeOn, DAY_OF_VISIT[visit] - daysAgo)
}

export function birthDayOf({ no, age, daysAgo }: Participant, madeOn: string): string {
  return addDays(madeOn, -daysAgo - Math.floor(age * 365.25) - new Random(`birth ${no}`).int(20, 300))
}

function syndromeOf({ pattern }: Participant): Syndrome {
  const found = SYNDROMES.find(({ code }) => code === pattern)
  if (found === undefined) throw new RangeError(`the registry has no syndrome ${pattern}`)
  return found
}

export function basicsOf(one: Participant, madeOn: string): Entered {
  const random = new Random(`DM ${one.no}`)
  const occupation = one.age >= 58 ? '4' : random.pick(['1', '1', '2', '5'])
  return {
    values: {
      icf_date: dayOfVisit(one, 'ENR', madeOn),
      birth: birthDayOf(one, madeOn),
      sex: one.sex === 'M' ? '1' : '2',
      occupation,
      night_shift: occupation === '2' && random.chance(0.6) ? '1' : '0',
      phone: `000-0000${String(random.int(0, 9999)).padStart(4, '0')}`,
    },
  }
}

export function diagnosisOf({ no, pattern, age }: Participant): Entered {
  const random = new Random(`DX ${no}`)
  const months = random.int(4, 60)
  const sedatives = random.chance(0.4)
  const worry: JsonValue = pattern === '1' || pattern === '6' ? ['1'] : pattern === '2' ? ['1', '3'] : ['2']
  return {
    values: {
      dx: '1',
      months,
      complaints: random.pick([['1', '4'], ['1', '2'], ['2', '3', '4'], ['1']]),
      causes: age > 60 ? ['4'] : worry,
      sedatives: sedatives ? '1' : '0',
      ...(sedatives ? { sedative: random.pick(['2', '2', '3', '4']) } : {}),
      tcm_before: random.chance(0.5) ? '1' : '0',
      comorbid: age > 55 ? random.pick([['2'], ['2', '3'], ['1']]) : random.pick([['1'], ['4'], ['1']]),
    },
  }
}

export function examinationsOf(one: Participant, visit: RegistryVisit): Entered {
  const random = new Random(`TCM ${one.no} ${visit}`)
  const { colour, body, coatingColour, coating, pulse } = syndromeOf(one).signs
  const better = one.response * SHARE[visit] > 0.5
  return {
    values: {
      spirit: better ? '1' : '2',
      complexion: one.pattern === '3' || one.pattern === '5' ? '5' : one.pattern === '6' ? '2' : better ? '1' : '4',
      build: new Random(`build ${one.no}`).pick(['1', '1', '2', '3']),
      lips: one.pattern === '3' ? '2' : one.pattern === '6' ? '3' : '1',
      tongue_colour: better ? '1' : colour,
      tongue_body: body,
      sublingual: one.pattern === '6' ? '3' : '1',
      coating_colour: better ? '1' : coatingColour,
      coating,
      voice: one.pattern === '5' ? '2' : '1',
      breathing: '1',
      sighing: one.pattern === '1' ? '2' : '1',
      cold_heat: one.pattern === '4' ? '4' : '1',
      sweat: one.pattern === '4' ? ['3'] : ['1'],
      sleep: better ? '1' : random.pick(['2', '3']),
      appetite: one.pattern === '3' ? '2' : '1',
      stool: one.pattern === '1' || one.pattern === '2' ? '2' : '1',
      urine: one.pattern === '1' ? '3' : '1',
      pulse_all: pulse,
    },
  }
}

export function patternOf({ pattern, no }: Participant): Entered {
  const also = new Random(`with ${no}`).pick([['1'], ['5'], ['1'], ['2']])
  return { values: { pattern, with: also, principle: pattern, physician: PHYSICIAN } }
}

export function sleepOf(one: Participant, visit: RegistryVisit): Entered {
  const left = 1 - one.response * SHARE[visit]
  const marks = COMPONENTS.map(([prop]): [string, string] => {
    const before =
      prop === 'p_medication'
        ? new Random(`${prop} ${one.no}`).pick([0, 1])
        : new Random(`${prop} ${one.no}`).pick([2, 2, 3, 3])
    return [prop, String(Math.max(0, Math.round(before * left)))]
  })
  const before = new Random(`diary ${one.no}`)
  const [latency, hours, wakings] = [before.int(60, 110), before.around(4, 0.4, [3, 5], 1), before.int(2, 4)]
  return {
    values: {
      ...Object.fromEntries(marks),
      latency: Math.round((latency * left + 15) / 5) * 5,
      hours: Number((hours + (7 - hours) * (1 - left)).toFixed(1)),
      wakings: Math.round(wakings * left),
    },
  }
}

export function prescriptionOf(one: Participant, visit: RegistryVisit, day: string): Entered {
  const { code, herbs } = syndromeOf(one)
  const added =
    visit === 'ENR' ? null : new Random(`added ${one.no}`).pick([...ADDED] as [(typeof ADDED)[number], ...typeof ADDED])
  const isNew = added !== null && !herbs.some(([herb]) => herb === added.herb[0])
  const all = isNew ? [...herbs, added.herb] : herbs
  return {
    values: {
      rx_date: day,
      formula: code,
      ...(isNew ? { changes: added.why } : {}),
      packets: visit === 'F2' ? 28 : 14,
      taken: '2',
      made_by: new Random(`made ${one.no}`).pick(['1', '1', '2']),
    },
    rows: { herbs: all.map(rowOf) },
  }
}

function rowOf([herb, grams, decoction = '1']: PrescribedHerb): Values {
  return { herb, grams, decoction }
}

/** The judgement follows the reduction of the index. */
export function effectOf(one: Participant, visit: RegistryVisit): Entered {
  const total = (at: RegistryVisit): number =>
    COMPONENTS.reduce((sum, [prop]) => sum + Number(sleepOf(one, at).values[prop]), 0)
  const reduction = ((total('ENR') - total(visit)) / total('ENR')) * 100
  return { values: { judged: reduction >= 75 ? '1' : reduction >= 50 ? '2' : reduction >= 25 ? '3' : '4' } }
}
