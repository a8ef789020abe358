import type { Syndrome } from '#server/demo/registry/study/formulas.ts'

/** The seventeen people of the registry. None of them is a real person. */

/** A visit of the registry's schedule. */
export type RegistryVisit = 'ENR' | 'F1' | 'F2' | 'F3' | 'END'

/** How the registry ended early: the last visit that took place, and the code on the end page. */
interface Left {
  readonly after: 'F1'
  readonly status: '2' | '3'
}

export interface Participant {
  readonly no: string
  readonly name: string
  readonly initials: string
  readonly sex: 'F' | 'M'
  readonly age: number
  /** Days between the first visit and the day on which the demo was made. */
  readonly daysAgo: number
  readonly pattern: Syndrome['code']
  /** Which share of the symptoms is gone in the end. */
  readonly response: number
  readonly left: Left | null
  /** The last visit of which anything was entered; absent where all that took place were. */
  readonly until?: RegistryVisit
  /** The visit that is only half entered. */
  readonly half?: RegistryVisit
}

type Line = readonly [
  name: string,
  initials: string,
  sex: 'F' | 'M',
  age: number,
  daysAgo: number,
  pattern: Syndrome['code'],
  response: number,
  special?: Partial<Pick<Participant, 'left' | 'until' | 'half'>>,
]

const LINES: readonly Line[] = [
  ['温静怡', 'WJY', 'F', 46, 118, '3', 0.8],
  ['钱国庆', 'QGQ', 'M', 52, 112, '2', 0.58],
  ['邵雅文', 'SYW', 'F', 38, 105, '1', 0.66],
  ['康志勇', 'KZY', 'M', 44, 101, '1', 0.2, { left: { after: 'F1', status: '3' } }],
  ['庞玉华', 'PYH', 'F', 57, 97, '4', 0.62],
  ['褚明辉', 'CMH', 'M', 35, 92, '5', 0.3, { left: { after: 'F1', status: '2' } }],
  ['尹秋萍', 'YQP', 'F', 49, 88, '3', 0.7, { half: 'F3' }],
  ['管宏亮', 'GHL', 'M', 61, 80, '6', 0.45, { until: 'F2' }],
  ['柳思远', 'LSY', 'M', 29, 60, '2', 0.5],
  ['季红梅', 'JHM', 'F', 54, 38, '4', 0.4, { until: 'F1' }],
  ['安丽娜', 'ALN', 'F', 42, 30, '1', 0.55, { half: 'F2' }],
  ['安丽娜', 'ALN', 'F', 42, 29, '1', 0.55, { until: 'ENR' }],
  ['童建民', 'TJM', 'M', 66, 22, '3', 0.35],
  ['翁晓莉', 'WXL', 'F', 33, 14, '5', 0.5, { until: 'ENR' }],
  ['倪春生', 'NCS', 'M', 58, 9, '6', 0.5],
  ['霍敏', 'HM', 'F', 40, 2, '2', 0.5, { half: 'ENR' }],
  ['路长青', 'LCQ', 'M', 63, 0, '3', 0.5],
]

/** Who was enrolled twice: the second record was removed. */
export const ENROLLED_TWICE = { no: 'BM-012', why: '与 BM-011 为同一受试者，重复登记。' } as const

export const participants: readonly Participant[] = LINES.map(
  ([name, initials, sex, age, daysAgo, pattern, response, special = {}], index) => ({
    no: `BM-${String(index + 1).padStart(3, '0')}`,
    name,
    initials,
    sex,
    age,
    daysAgo,
    pattern,
    response,
    left: null,
    ...special,
  }),
)
