import type { Course } from '#server/demo/course/course.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { Entered, Values } from '#server/demo/course/entered.ts'
import { Random } from '#server/demo/course/random.ts'

/** The data that are entered at screening. */

/** Completed years of age at consent. */
function ageOf({ subject }: Course): number {
  if (isFailure(subject.ending, 'age')) return 77
  return new Random(`age ${subject.no}`).around(62, 8, [41, 74])
}

export function isFailure(ending: Course['subject']['ending'], why?: string): boolean {
  return ending !== null && 'failed' in ending && (why === undefined || ending.failed === why)
}

/** The date of birth that gives the age at consent. */
export function birthOf(course: Course): string {
  const days = Math.floor(ageOf(course) * 365.25) + new Random(`birth ${course.subject.no}`).int(20, 320)
  return addDays(course.dayOf('SCR'), -days)
}

export function demographicsOf(course: Course): Entered {
  const { subject } = course
  const random = new Random(`DM ${subject.no}`)
  const [age, consent] = [ageOf(course), course.dayOf('SCR')]
  const fertile: Values =
    subject.sex === 'F' && age < 55
      ? age < 50 && random.chance(0.5)
        ? { childbearing: '1', pregnancy: '1' }
        : { childbearing: '0' }
      : {}
  return {
    values: {
      icf_date: consent,
      icf_version: 'V2.0',
      icf_copy: '1',
      birth: birthOf(course),
      sex: subject.sex === 'F' ? '2' : '1',
      ...fertile,
      nation: random.pick(['1', '1', '1', '1', '1', '1', '2', '3']),
      education: random.pick(['1', '2', '2', '3', '3', '4', '5']),
      occupation: age >= 60 ? '3' : random.pick(['1', '1', '2', '4']),
      contact: `${subject.name.slice(0, 1)}${random.pick(['家属', '先生', '女士'])}`,
      phone: `000-0000${String(random.int(0, 9999)).padStart(4, '0')}`,
    },
  }
}

export function eligibilityOf({ subject, dayOf }: Course): Entered {
  const { ending } = subject
  const values: Record<string, string> = { ie_date: addDays(dayOf('SCR'), 2) }
  for (const number of [1, 2, 3, 4, 5]) values[`inc${number}`] = '1'
  for (const number of [1, 2, 3, 4, 5, 6]) values[`exc${number}`] = '0'
  if (isFailure(ending, 'pressure'))
    Object.assign(values, { exc3: '1', ineligible_why: '两次复测血压均高于 180/110 mmHg，先行降压治疗。' })
  if (isFailure(ending, 'liver'))
    Object.assign(values, { exc4: '1', ineligible_why: 'ALT 超过上限 2 倍以上，转肝病科就诊。' })
  if (isFailure(ending, 'age')) Object.assign(values, { inc2: '0', ineligible_why: '核对身份证后年龄超过 75 岁。' })
  return { values }
}

export function historyOf({ subject, dayOf }: Course): Entered {
  const random = new Random(`MH ${subject.no}`)
  const yes = (probability: number): string => (random.chance(probability) ? '1' : '0')
  const ago = (years: number): string => addDays(dayOf('SCR'), -Math.floor(years * 365.25))
  const [since, hypertension, imaged] = [random.int(1, 12), yes(0.65), yes(0.7)]
  const [infarction, revascularised] = [yes(0.15), random.pick(['1', '1', '1', '2'])]
  const smoking = subject.sex === 'F' ? '1' : random.pick(['1', '2', '2', '3'])
  return {
    values: {
      // A subject who has had the disease for long only remembers the month or the year.
      sap_onset: ago(since).slice(0, since > 6 ? 4 : since > 2 ? 7 : 10),
      ccs: random.pick(['1', '2', '2', '2', '3']),
      imaged,
      ...(imaged === '1'
        ? {
            imaged_on: ago(random.int(0, 2) + 0.2).slice(0, 7),
            vessels: random.pick([['2'], ['2', '4'], ['3'], ['2', '3']]),
            stenosis: random.int(10, 15) * 5,
          }
        : {}),
      infarction,
      ...(infarction === '1' ? { infarction_on: ago(random.int(2, 6)).slice(0, 7) } : {}),
      revascularised,
      ...(revascularised === '1' ? {} : { revascularised_on: ago(random.int(1, 4)).slice(0, 4) }),
      stroke: yes(0.08),
      hypertension,
      ...(hypertension === '1' ? { hypertension_years: random.int(2, 25) } : {}),
      diabetes: hasDiabetes(subject.no) ? '1' : '0',
      dyslipidaemia: yes(0.5),
      family: yes(0.2),
      smoking,
      ...(smoking === '1' ? {} : { cigarettes: random.int(1, 4) * 5, smoking_years: random.int(5, 35) }),
      allergies: random.pick(['无', '无', '无', '无', '青霉素皮试阳性', '海鲜过敏']),
    },
  }
}

/** The facts on which the history page and the list of other drugs have to agree. */
export function hasDiabetes(no: string): boolean {
  return new Random(`diabetes ${no}`).chance(0.25)
}
