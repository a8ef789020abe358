import type { Column } from '#core/form/definition/column.ts'
import { choice, date, notInFuture, number, option, part, radio, requireField, text, yesNo } from './columns.ts'
import type { Words } from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

/** Main symptoms score 0, 2, 4, 6; secondary ones 0, 1, 2, 3. */
const MAIN = [0, 2, 4, 6] as const
const SECONDARY = [0, 1, 2, 3] as const

type Grades = readonly [none: Words, mild: Words, moderate: Words, severe: Words]

function makeGradedField(values: readonly number[], prop: string, words: Words, grades: Grades): Column {
  return requireField(
    radio(
      prop,
      words,
      grades.map(([zh, en], at) =>
        choice(String(values[at] ?? 0), [`${zh}（${values[at] ?? 0} 分）`, `${en} (${values[at] ?? 0})`]),
      ),
    ),
  )
}

const NONE: Words = ['无', 'None']

const mainSymptoms: readonly Column[] = [
  makeGradedField(
    MAIN,
    'SYNFATIGUE',
    ['神疲乏力', 'Fatigue'],
    [NONE, ['活动后乏力', 'After exertion'], ['稍动即乏', 'After slight exertion'], ['静息时也乏力', 'At rest']],
  ),
  makeGradedField(
    MAIN,
    'SYNBREATH',
    ['气短', 'Shortness of breath'],
    [NONE, ['活动后气短', 'After exertion'], ['稍动即气短', 'After slight exertion'], ['静息时也气短', 'At rest']],
  ),
  makeGradedField(
    MAIN,
    'SYNSWEAT',
    ['自汗', 'Spontaneous sweating'],
    [NONE, ['偶有', 'Occasional'], ['动则汗出', 'On exertion'], ['不动也汗出', 'At rest']],
  ),
]
const secondarySymptoms: readonly Column[] = [
  makeGradedField(
    SECONDARY,
    'SYNSPEECH',
    ['懒言', 'Unwilling to speak'],
    [NONE, ['语言减少', 'Speaks less'], ['不欲多言', 'Speaks little'], ['不欲言语', 'Hardly speaks']],
  ),
  makeGradedField(
    SECONDARY,
    'SYNDIZZY',
    ['头晕', 'Dizziness'],
    [NONE, ['偶有', 'Occasional'], ['时有', 'Frequent'], ['持续', 'Constant']],
  ),
  makeGradedField(
    SECONDARY,
    'SYNAPPETITE',
    ['食少', 'Poor appetite'],
    [
      NONE,
      ['食量减少不足三成', 'Less than a third less'],
      ['减少三至五成', 'A third to a half less'],
      ['减少五成以上', 'More than half less'],
    ],
  ),
  makeGradedField(
    SECONDARY,
    'SYNSTOOL',
    ['便溏', 'Loose stool'],
    [
      NONE,
      ['大便不成形', 'Soft'],
      ['每日 2～3 次', 'Two or three times a day'],
      ['每日 4 次以上', 'Four times a day or more'],
    ],
  ),
]

const sumOf = (fields: readonly Column[]): string => fields.map(({ prop }) => `number(page.${prop})`).join(' + ')

/**
 * A syndrome scale: here for qi deficiency, to be changed to the syndrome of the study. Grades follow the guiding
 * principles for new Chinese medicines.
 */
export const syndromeScale: LibraryPage = {
  id: 'lib-SYN',
  part: 'tcm',
  pageCode: 'SYN',
  name: { zh: '中医证候积分', en: 'Scale of a TCM syndrome' },
  about: {
    zh: '主症、次症分级计分，自动合计；以气虚证为例，可改为所研究的证候',
    en: 'Main and secondary symptoms, graded and added up; written for qi deficiency, to be changed to the syndrome under study',
  },
  repeatable: false,
  option: option(
    part(
      'occasion',
      ['评估', 'Assessment'],
      requireField(date('SYNDAT', ['评估日期', 'Date'], { checks: [notInFuture('SYNDAT')] })),
      text('SYNEVAL', ['评估医师', 'Rated by'], { identifier: true }),
    ),
    part('main', ['主症', 'Main symptoms'], ...mainSymptoms),
    part('secondary', ['次症', 'Secondary symptoms'], ...secondarySymptoms),
    part(
      'signs',
      ['舌脉（不计分）', 'Tongue and pulse (not scored)'],
      requireField(yesNo('SYNTONGUE', ['舌淡或胖，苔白', 'Tongue pale or enlarged, white coating'])),
      requireField(yesNo('SYNPULSE', ['脉虚弱', 'Pulse feeble or weak'])),
    ),
    part(
      'score',
      ['积分', 'Score'],
      number('SYNMAIN', ['主症积分', 'Score of main symptoms'], '', { calculate: sumOf(mainSymptoms) }),
      number('SYNSECOND', ['次症积分', 'Score of secondary symptoms'], '', { calculate: sumOf(secondarySymptoms) }),
      number('SYNTOTAL', ['证候总积分（0～30）', 'Total score (0 to 30)'], '', {
        calculate: 'page.SYNMAIN + page.SYNSECOND',
      }),
      radio(
        'SYNGRADE',
        ['证候轻重', 'Severity'],
        [
          choice('1', ['轻（不足 10 分）', 'Mild (below 10)']),
          choice('2', ['中（10～19 分）', 'Moderate (10 to 19)']),
          choice('3', ['重（20 分以上）', 'Severe (20 or more)']),
        ],
        {
          calculate: 'page.SYNTOTAL < 10.0 ? "1" : page.SYNTOTAL < 20.0 ? "2" : "3"',
        },
      ),
    ),
  ),
}
