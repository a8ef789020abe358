import type { Course, TreatedVisit } from '#server/demo/course/course.ts'
import type { Entered } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'
import { MAIN_SYMPTOMS, SECONDARY_SYMPTOMS } from '#server/demo/study/tcm.ts'

/** The four examinations and the scale of the syndrome at a visit. */

/** Whether tongue and pulse still show the stasis: they change slowly with the score. */
function showsStasis(course: Course, visit: TreatedVisit): boolean {
  return course.total(visit) > course.total('BL') * 0.35
}

export function fourExaminationsOf(course: Course, visit: TreatedVisit): Entered {
  const random = new Random(`TCM ${course.subject.no} ${visit}`)
  const stasis = showsStasis(course, visit)
  const sighs = course.score(visit, 'sighs')
  const insomnia = course.score(visit, 'insomnia')
  const position = () =>
    stasis ? random.pick([['7'], ['7', '10'], ['9'], ['10']]) : random.pick([['7'], ['10'], ['8']])
  return {
    values: {
      spirit: '1',
      complexion: stasis ? random.pick(['2', '2', '6']) : '1',
      build: new Random(`build ${course.subject.no}`).pick(['1', '1', '2', '3']),
      lips: stasis ? random.pick(['3', '3', '1']) : '1',
      tongue_colour: stasis ? random.pick(['6', '5', '6']) : random.pick(['1', '5']),
      tongue_body: stasis ? random.pick([['6'], ['4', '6'], ['6']]) : random.pick([['1'], ['4']]),
      sublingual: stasis ? random.pick(['2', '3']) : random.pick(['1', '2']),
      coating_colour: random.pick(['1', '1', '1', '2']),
      coating: random.pick([['1'], ['1'], ['1', '3'], ['3']]),
      voice: '1',
      breathing: course.score(visit, 'short_breath') > 0 ? '2' : '1',
      sighing: sighs === 0 ? '1' : sighs < 3 ? '2' : '3',
      cold_heat: random.pick(['1', '1', '1', '2']),
      sweat: random.pick([['1'], ['1'], ['2'], ['4']]),
      sleep: insomnia === 0 ? '1' : random.pick(['2', '3']),
      appetite: random.pick(['1', '1', '2']),
      stool: random.pick(['1', '1', '2', '3']),
      urine: random.pick(['1', '1', '2']),
      left_cun: position(),
      left_guan: position(),
      left_chi: position(),
      right_cun: position(),
      right_guan: position(),
      right_chi: position(),
      pulse_all: stasis
        ? random.pick([
            ['7', '9'],
            ['7', '10'],
            ['2', '9'],
          ])
        : random.pick([['7'], ['7', '10']]),
    },
  }
}

export function syndromeOf(course: Course, visit: TreatedVisit): Entered {
  const stasis = showsStasis(course, visit)
  const scores = [...MAIN_SYMPTOMS, ...SECONDARY_SYMPTOMS].map((symptom): [string, string] => [
    symptom,
    String(course.score(visit, symptom)),
  ])
  return {
    values: {
      ...Object.fromEntries(scores),
      tongue_sign: stasis ? '1' : '0',
      pulse_sign: stasis ? '1' : '0',
      rater: ['周主任', '秦副主任', '骆主治'][course.subject.center] ?? '',
    },
  }
}
