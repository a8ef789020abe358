import type { Column, DictionaryItem } from '#core/form/definition/column.ts'
import type { Words } from '#server/demo/study/columns.ts'
import {
  check,
  checkbox,
  choice,
  choices,
  computeField,
  files,
  group,
  page,
  radio,
  requireField,
  select,
  text,
  yesNo,
} from '#server/demo/study/columns.ts'

/** The four examinations of Chinese medicine, and the scale of the syndrome. */

const PULSES = choices(
  ['浮', 'Floating'],
  ['沉', 'Deep'],
  ['迟', 'Slow'],
  ['数', 'Rapid'],
  ['虚', 'Deficient'],
  ['实', 'Excess'],
  ['弦', 'Wiry'],
  ['滑', 'Slippery'],
  ['涩', 'Choppy'],
  ['细', 'Thready'],
  ['结', 'Knotted'],
  ['代', 'Intermittent'],
)

const NORMAL_ALONE: readonly [string, string] = [
  '“正常”不能与其他选项同时选择。',
  '“Normal” cannot be chosen with another answer.',
]

function position(prop: string, words: readonly [string, string]): Column {
  return checkbox(prop, words, PULSES, { zl: { matrix: 'pulse' } })
}

export const fourExaminations = page(
  'TCM',
  ['四诊信息', 'Four examinations'],
  [
    group(
      'inspection',
      ['望诊', 'Inspection'],
      requireField(
        radio(
          'spirit',
          ['神', 'Spirit'],
          choices(['得神', 'Full of spirit'], ['少神', 'Lack of spirit'], ['失神', 'Loss of spirit']),
        ),
      ),
      requireField(
        select(
          'complexion',
          ['面色', 'Complexion'],
          choices(
            ['如常', 'Normal'],
            ['晦暗', 'Dull and dark'],
            ['苍白', 'Pale'],
            ['潮红', 'Flushed'],
            ['萎黄', 'Sallow'],
            ['紫暗', 'Dark purple'],
          ),
        ),
      ),
      radio('build', ['形体', 'Build'], choices(['适中', 'Medium'], ['肥胖', 'Obese'], ['消瘦', 'Thin'])),
      requireField(
        radio(
          'lips',
          ['口唇', 'Lips'],
          choices(['淡红', 'Pale red'], ['淡白', 'Pale'], ['紫暗', 'Dark purple'], ['发绀', 'Cyanotic']),
        ),
      ),
      requireField(
        select(
          'tongue_colour',
          ['舌色', 'Colour of the tongue'],
          choices(
            ['淡红', 'Pale red'],
            ['淡白', 'Pale'],
            ['红', 'Red'],
            ['绛', 'Crimson'],
            ['淡紫', 'Pale purple'],
            ['紫暗', 'Dark purple'],
          ),
        ),
      ),
      requireField(
        checkbox(
          'tongue_body',
          ['舌形与舌质', 'Body of the tongue'],
          choices(
            ['正常', 'Normal'],
            ['胖大', 'Enlarged'],
            ['瘦薄', 'Thin'],
            ['齿痕', 'Teeth marks'],
            ['裂纹', 'Cracks'],
            ['瘀点瘀斑', 'Spots of stasis'],
          ),
          {
            zl: {
              checks: [
                check('tongue_body', '"1" in page.tongue_body && page.tongue_body.size() > 1', 'error', NORMAL_ALONE),
              ],
            },
          },
        ),
      ),
      files('tongue_photo', ['舌象照片', 'Photographs of the tongue']),
      radio(
        'sublingual',
        ['舌下络脉', 'Sublingual veins'],
        choices(['正常', 'Normal'], ['迂曲', 'Tortuous'], ['增粗紫暗', 'Thickened, dark purple']),
      ),
      requireField(
        radio(
          'coating_colour',
          ['苔色', 'Colour of the coating'],
          choices(['白', 'White'], ['黄', 'Yellow'], ['灰黑', 'Grey-black']),
        ),
      ),
      requireField(
        checkbox(
          'coating',
          ['苔质', 'Coating'],
          choices(
            ['薄', 'Thin'],
            ['厚', 'Thick'],
            ['腻', 'Greasy'],
            ['滑', 'Slippery'],
            ['燥', 'Dry'],
            ['剥落', 'Peeling'],
          ),
          {
            zl: {
              checks: [
                check('coating', '"1" in page.coating && "2" in page.coating', 'error', [
                  '苔质不能既薄又厚。',
                  'The coating cannot be both thin and thick.',
                ]),
              ],
            },
          },
        ),
      ),
    ),
    group(
      'listening',
      ['闻诊', 'Listening and smelling'],
      radio('voice', ['语声', 'Voice'], choices(['如常', 'Normal'], ['低微', 'Faint'], ['高亢', 'Loud'])),
      radio(
        'breathing',
        ['呼吸', 'Breathing'],
        choices(['平稳', 'Even'], ['气短', 'Short of breath'], ['气喘', 'Panting']),
      ),
      radio('sighing', ['善太息', 'Sighing'], choices(['无', 'None'], ['偶有', 'Occasional'], ['频作', 'Frequent'])),
    ),
    group(
      'asking',
      ['问诊', 'Inquiry'],
      radio(
        'cold_heat',
        ['寒热', 'Cold and heat'],
        choices(
          ['无异常', 'Normal'],
          ['畏寒', 'Aversion to cold'],
          ['恶热', 'Aversion to heat'],
          ['五心烦热', 'Heat in chest, palms and soles'],
        ),
      ),
      checkbox(
        'sweat',
        ['汗出', 'Sweating'],
        choices(
          ['正常', 'Normal'],
          ['自汗', 'Spontaneous sweating'],
          ['盗汗', 'Night sweats'],
          ['动则汗出', 'Sweating on exertion'],
        ),
        {
          zl: { checks: [check('sweat', '"1" in page.sweat && page.sweat.size() > 1', 'error', NORMAL_ALONE)] },
        },
      ),
      radio(
        'sleep',
        ['睡眠', 'Sleep'],
        choices(
          ['正常', 'Normal'],
          ['入睡困难', 'Trouble falling asleep'],
          ['多梦易醒', 'Dreams, easily woken'],
          ['早醒', 'Early waking'],
        ),
      ),
      radio(
        'appetite',
        ['饮食', 'Appetite'],
        choices(['正常', 'Normal'], ['纳差', 'Poor appetite'], ['多食', 'Overeating']),
      ),
      radio('stool', ['大便', 'Stool'], choices(['正常', 'Normal'], ['便秘', 'Constipation'], ['溏薄', 'Loose'])),
      radio(
        'urine',
        ['小便', 'Urine'],
        choices(
          ['正常', 'Normal'],
          ['夜尿频', 'Frequent at night'],
          ['短赤', 'Scanty and dark'],
          ['清长', 'Clear and copious'],
        ),
      ),
    ),
    group(
      'palpation',
      ['切诊', 'Palpation'],
      position('left_cun', ['左寸', 'Left cun']),
      position('left_guan', ['左关', 'Left guan']),
      position('left_chi', ['左尺', 'Left chi']),
      position('right_cun', ['右寸', 'Right cun']),
      position('right_guan', ['右关', 'Right guan']),
      position('right_chi', ['右尺', 'Right chi']),
      requireField(
        checkbox('pulse_all', ['总体脉象', 'Pulse as a whole'], PULSES, {
          zl: {
            note: '可多选，如弦、涩',
            noteEn: 'Choose all that apply, such as wiry and choppy',
            checks: [
              check('pulse_depth', '"1" in page.pulse_all && "2" in page.pulse_all', 'error', [
                '脉象不能既浮又沉。',
                'The pulse cannot be both floating and deep.',
              ]),
              check('pulse_pace', '"3" in page.pulse_all && "4" in page.pulse_all', 'error', [
                '脉象不能既迟又数。',
                'The pulse cannot be both slow and rapid.',
              ]),
            ],
          },
        }),
      ),
    ),
  ],
)

function grades(values: readonly number[], words: readonly Words[]): readonly DictionaryItem[] {
  return values.map((value, index) => {
    const [zh, en] = words[index] ?? ['', '']
    return choice(String(value), [`${zh}（${value} 分）`, `${en} (${value})`])
  })
}

/** Main symptoms count 0, 2, 4, 6; secondary ones 0, 1, 2, 3. */
const MAIN = [0, 2, 4, 6]
const SECONDARY = [0, 1, 2, 3]

/** Codes of the symptoms of the scale. */
export const MAIN_SYMPTOMS = ['chest_pain', 'chest_tightness'] as const
export const SECONDARY_SYMPTOMS = [
  'palpitation',
  'short_breath',
  'hypochondriac',
  'sighs',
  'irritable',
  'insomnia',
] as const

function main(
  prop: (typeof MAIN_SYMPTOMS)[number],
  words: readonly [string, string],
  meaning: readonly Words[],
  more: Parameters<typeof radio>[3] = {},
): Column {
  return requireField(radio(prop, words, grades(MAIN, meaning), more))
}

function secondary(
  prop: (typeof SECONDARY_SYMPTOMS)[number],
  words: readonly [string, string],
  meaning: readonly Words[],
): Column {
  return requireField(radio(prop, words, grades(SECONDARY, meaning)))
}

function writeSum(symptoms: readonly string[]): string {
  return symptoms.map((prop) => `number(page.${prop})`).join(' + ')
}

/** How many of the symptoms are present. */
function present(symptoms: readonly string[]): string {
  return symptoms.map((prop) => `(page.${prop} != "0" ? 1 : 0)`).join(' + ')
}

export const syndromeScale = page(
  'SYN',
  ['气滞血瘀证证候积分', 'Syndrome score: qi stagnation and blood stasis'],
  [
    group(
      'main',
      ['主症', 'Main symptoms'],
      main(
        'chest_pain',
        ['胸痛', 'Chest pain'],
        [
          ['无', 'None'],
          ['偶有隐痛', 'Occasional dull pain'],
          ['时有刺痛或闷痛', 'Stabbing or oppressive pain at times'],
          ['频繁刺痛，痛处固定', 'Frequent stabbing pain, fixed in place'],
        ],
        {
          zl: {
            checks: [
              check('pain_without_score', 'page.chest_pain == "0" && visit.AP.attacks > 0.0', 'query', [
                '胸痛记为 0 分，但同一访视记录了心绞痛发作，请核对。',
                'Chest pain is scored 0, but attacks are recorded at this visit; please verify.',
              ]),
            ],
          },
        },
      ),
      main(
        'chest_tightness',
        ['胸闷', 'Chest tightness'],
        [
          ['无', 'None'],
          ['轻微', 'Slight'],
          ['明显，可忍受', 'Marked, bearable'],
          ['憋闷，影响活动', 'Stifling, limits activity'],
        ],
      ),
    ),
    group(
      'secondary',
      ['次症', 'Secondary symptoms'],
      secondary(
        'palpitation',
        ['心悸', 'Palpitation'],
        [
          ['无', 'None'],
          ['偶发', 'Occasional'],
          ['时有发作', 'At times'],
          ['经常发作', 'Often'],
        ],
      ),
      secondary(
        'short_breath',
        ['气短', 'Shortness of breath'],
        [
          ['无', 'None'],
          ['活动后', 'On exertion'],
          ['稍动即有', 'On slight exertion'],
          ['静息时也有', 'Even at rest'],
        ],
      ),
      secondary(
        'hypochondriac',
        ['胸胁胀满', 'Fullness of chest and sides'],
        [
          ['无', 'None'],
          ['偶有', 'Occasional'],
          ['时有', 'At times'],
          ['持续', 'Constant'],
        ],
      ),
      secondary(
        'sighs',
        ['善太息', 'Sighing'],
        [
          ['无', 'None'],
          ['偶有', 'Occasional'],
          ['时有', 'At times'],
          ['频作', 'Frequent'],
        ],
      ),
      secondary(
        'irritable',
        ['急躁易怒', 'Irritability'],
        [
          ['无', 'None'],
          ['偶有', 'Occasional'],
          ['时有', 'At times'],
          ['难以自控', 'Hard to control'],
        ],
      ),
      secondary(
        'insomnia',
        ['失眠', 'Insomnia'],
        [
          ['无', 'None'],
          ['睡眠稍差', 'Slightly poor sleep'],
          ['每晚不足 5 小时', 'Under 5 hours a night'],
          ['每晚不足 3 小时', 'Under 3 hours a night'],
        ],
      ),
    ),
    group(
      'signs',
      ['舌脉（不计分）', 'Tongue and pulse (not scored)'],
      requireField(yesNo('tongue_sign', ['舌质紫暗或有瘀点瘀斑', 'Tongue dark purple or with spots of stasis'])),
      requireField(yesNo('pulse_sign', ['脉弦或涩', 'Pulse wiry or choppy'])),
    ),
    group(
      'score',
      ['积分与结论', 'Score and conclusion'],
      computeField('main_score', ['主症积分', 'Score of main symptoms'], ['分', 'points'], writeSum(MAIN_SYMPTOMS)),
      computeField(
        'secondary_score',
        ['次症积分', 'Score of secondary symptoms'],
        ['分', 'points'],
        writeSum(SECONDARY_SYMPTOMS),
      ),
      computeField('total', ['证候总积分', 'Total score'], ['分', 'points'], 'page.main_score + page.secondary_score', {
        note: '0～30 分',
        noteEn: '0 to 30 points',
      }),
      radio('severity', ['证候轻重', 'Severity'], choices(['轻', 'Mild'], ['中', 'Moderate'], ['重', 'Severe']), {
        zl: {
          note: '轻 <10 分，中 10～19 分，重 ≥20 分',
          noteEn: 'Mild <10 points, moderate 10 to 19, severe ≥20',
          calculate: 'page.total < 10.0 ? "1" : page.total < 20.0 ? "2" : "3"',
        },
      }),
      yesNo('diagnosed', ['符合气滞血瘀证', 'Syndrome present'], {
        zl: {
          note: '主症至少 1 项、次症至少 2 项，并有舌象或脉象',
          noteEn: 'At least 1 main and 2 secondary symptoms, with a sign of tongue or pulse',
          calculate: `((${present(MAIN_SYMPTOMS)}) >= 1 && (${present(SECONDARY_SYMPTOMS)}) >= 2 && (page.tongue_sign == "1" || page.pulse_sign == "1")) ? "1" : "0"`,
        },
      }),
      text('rater', ['评估医师', 'Rated by'], { zl: { identifier: true } }),
    ),
  ],
)
