import type { Column, DictionaryItem } from '#core/form/column.ts'
import { check, checkbox, choices, computed, files, group, page, radio, required, select, text, yesNo } from '#server/demo/study/columns.ts'

/** The four examinations of Chinese medicine, and the scale of the syndrome. */

const PULSES = choices('浮', '沉', '迟', '数', '虚', '实', '弦', '滑', '涩', '细', '结', '代')

const NORMAL_ALONE: readonly [string, string] = ['“正常”不能与其他选项同时选择。', '“Normal” cannot be chosen with another answer.']

function position(prop: string, words: readonly [string, string]): Column {
  return checkbox(prop, words, PULSES, { zl: { matrix: 'pulse' } })
}

export const fourExaminations = page('TCM', '四诊信息', [
  group(
    'inspection',
    '望诊',
    required(radio('spirit', ['神', 'Spirit'], choices('得神', '少神', '失神'))),
    required(select('complexion', ['面色', 'Complexion'], choices('如常', '晦暗', '苍白', '潮红', '萎黄', '紫暗'))),
    radio('build', ['形体', 'Build'], choices('适中', '肥胖', '消瘦')),
    required(radio('lips', ['口唇', 'Lips'], choices('淡红', '淡白', '紫暗', '发绀'))),
    required(select('tongue_colour', ['舌色', 'Colour of the tongue'], choices('淡红', '淡白', '红', '绛', '淡紫', '紫暗'))),
    required(
      checkbox('tongue_body', ['舌形与舌质', 'Body of the tongue'], choices('正常', '胖大', '瘦薄', '齿痕', '裂纹', '瘀点瘀斑'), {
        zl: { checks: [check('tongue_body', '"1" in page.tongue_body && page.tongue_body.size() > 1', 'error', NORMAL_ALONE)] },
      }),
    ),
    files('tongue_photo', ['舌象照片', 'Photographs of the tongue']),
    radio('sublingual', ['舌下络脉', 'Sublingual veins'], choices('正常', '迂曲', '增粗紫暗')),
    required(radio('coating_colour', ['苔色', 'Colour of the coating'], choices('白', '黄', '灰黑'))),
    required(
      checkbox('coating', ['苔质', 'Coating'], choices('薄', '厚', '腻', '滑', '燥', '剥落'), {
        zl: {
          checks: [check('coating', '"1" in page.coating && "2" in page.coating', 'error', ['苔质不能既薄又厚。', 'The coating cannot be both thin and thick.'])],
        },
      }),
    ),
  ),
  group(
    'listening',
    '闻诊',
    radio('voice', ['语声', 'Voice'], choices('如常', '低微', '高亢')),
    radio('breathing', ['呼吸', 'Breathing'], choices('平稳', '气短', '气喘')),
    radio('sighing', ['善太息', 'Sighing'], choices('无', '偶有', '频作')),
  ),
  group(
    'asking',
    '问诊',
    radio('cold_heat', ['寒热', 'Cold and heat'], choices('无异常', '畏寒', '恶热', '五心烦热')),
    checkbox('sweat', ['汗出', 'Sweating'], choices('正常', '自汗', '盗汗', '动则汗出'), {
      zl: { checks: [check('sweat', '"1" in page.sweat && page.sweat.size() > 1', 'error', NORMAL_ALONE)] },
    }),
    radio('sleep', ['睡眠', 'Sleep'], choices('正常', '入睡困难', '多梦易醒', '早醒')),
    radio('appetite', ['饮食', 'Appetite'], choices('正常', '纳差', '多食')),
    radio('stool', ['大便', 'Stool'], choices('正常', '便秘', '溏薄')),
    radio('urine', ['小便', 'Urine'], choices('正常', '夜尿频', '短赤', '清长')),
  ),
  group(
    'palpation',
    '切诊',
    position('left_cun', ['左寸', 'Left cun']),
    position('left_guan', ['左关', 'Left guan']),
    position('left_chi', ['左尺', 'Left chi']),
    position('right_cun', ['右寸', 'Right cun']),
    position('right_guan', ['右关', 'Right guan']),
    position('right_chi', ['右尺', 'Right chi']),
    required(
      checkbox('pulse_all', ['总体脉象', 'Pulse as a whole'], PULSES, {
        zl: {
          note: '可多选，如弦、涩',
          checks: [
            check('pulse_depth', '"1" in page.pulse_all && "2" in page.pulse_all', 'error', ['脉象不能既浮又沉。', 'The pulse cannot be both floating and deep.']),
            check('pulse_pace', '"3" in page.pulse_all && "4" in page.pulse_all', 'error', ['脉象不能既迟又数。', 'The pulse cannot be both slow and rapid.']),
          ],
        },
      }),
    ),
  ),
])

function grades(values: readonly number[], words: readonly string[]): readonly DictionaryItem[] {
  return values.map((value, index) => ({ label: `${words[index] ?? ''}（${value} 分）`, value: String(value) }))
}

/** Main symptoms count 0, 2, 4, 6; secondary ones 0, 1, 2, 3. */
const MAIN = [0, 2, 4, 6]
const SECONDARY = [0, 1, 2, 3]

/** Codes of the symptoms of the scale. */
export const MAIN_SYMPTOMS = ['chest_pain', 'chest_tightness'] as const
export const SECONDARY_SYMPTOMS = ['palpitation', 'short_breath', 'hypochondriac', 'sighs', 'irritable', 'insomnia'] as const

function main(prop: (typeof MAIN_SYMPTOMS)[number], words: readonly [string, string], meaning: readonly string[], more: Parameters<typeof radio>[3] = {}): Column {
  return required(radio(prop, words, grades(MAIN, meaning), more))
}

function secondary(prop: (typeof SECONDARY_SYMPTOMS)[number], words: readonly [string, string], meaning: readonly string[]): Column {
  return required(radio(prop, words, grades(SECONDARY, meaning)))
}

function added(symptoms: readonly string[]): string {
  return symptoms.map((prop) => `number(page.${prop})`).join(' + ')
}

/** How many of the symptoms are there at all. */
function present(symptoms: readonly string[]): string {
  return symptoms.map((prop) => `(page.${prop} != "0" ? 1 : 0)`).join(' + ')
}

export const syndromeScale = page('SYN', '气滞血瘀证证候积分', [
  group(
    'main',
    '主症',
    main('chest_pain', ['胸痛', 'Chest pain'], ['无', '偶有隐痛', '时有刺痛或闷痛', '频繁刺痛，痛处固定'], {
      zl: {
        checks: [
          check('pain_without_score', 'page.chest_pain == "0" && visit.AP.attacks > 0.0', 'query', [
            '胸痛记为 0 分，但同一访视记录了心绞痛发作，请核对。',
            'Chest pain is scored 0, but attacks are recorded at this visit; please verify.',
          ]),
        ],
      },
    }),
    main('chest_tightness', ['胸闷', 'Chest tightness'], ['无', '轻微', '明显，可忍受', '憋闷，影响活动']),
  ),
  group(
    'secondary',
    '次症',
    secondary('palpitation', ['心悸', 'Palpitation'], ['无', '偶发', '时有发作', '经常发作']),
    secondary('short_breath', ['气短', 'Shortness of breath'], ['无', '活动后', '稍动即有', '静息时也有']),
    secondary('hypochondriac', ['胸胁胀满', 'Fullness of chest and sides'], ['无', '偶有', '时有', '持续']),
    secondary('sighs', ['善太息', 'Sighing'], ['无', '偶有', '时有', '频作']),
    secondary('irritable', ['急躁易怒', 'Irritability'], ['无', '偶有', '时有', '难以自控']),
    secondary('insomnia', ['失眠', 'Insomnia'], ['无', '睡眠稍差', '每晚不足 5 小时', '每晚不足 3 小时']),
  ),
  group(
    'signs',
    '舌脉（不计分）',
    required(yesNo('tongue_sign', ['舌质紫暗或有瘀点瘀斑', 'Tongue dark purple or with spots of stasis'])),
    required(yesNo('pulse_sign', ['脉弦或涩', 'Pulse wiry or choppy'])),
  ),
  group(
    'score',
    '积分与结论',
    computed('main_score', ['主症积分', 'Score of main symptoms'], '分', added(MAIN_SYMPTOMS)),
    computed('secondary_score', ['次症积分', 'Score of secondary symptoms'], '分', added(SECONDARY_SYMPTOMS)),
    computed('total', ['证候总积分', 'Total score'], '分', 'page.main_score + page.secondary_score', { note: '0～30 分' }),
    radio('severity', ['证候轻重', 'Severity'], choices('轻', '中', '重'), {
      zl: { note: '轻 <10 分，中 10～19 分，重 ≥20 分', calculate: 'page.total < 10.0 ? "1" : page.total < 20.0 ? "2" : "3"' },
    }),
    yesNo('diagnosed', ['符合气滞血瘀证', 'Syndrome present'], {
      zl: {
        note: '主症至少 1 项、次症至少 2 项，并有舌象或脉象',
        calculate: `((${present(MAIN_SYMPTOMS)}) >= 1 && (${present(SECONDARY_SYMPTOMS)}) >= 2 && (page.tongue_sign == "1" || page.pulse_sign == "1")) ? "1" : "0"`,
      },
    }),
    text('rater', ['评估医师', 'Rated by'], { zl: { identifier: true } }),
  ),
])
