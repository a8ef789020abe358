import type { PlannedField } from '../support/designing.ts'

/**
 * A page of 80 fields as a data manager draws it, what is amended of it later, and what becomes of the data: all
 * figures here were worked out by hand from the plan, none was read off the product.
 */

export const PAGE = { name: '基线评估', code: 'BASE', folder: '基线' } as const

/** 20 symptoms, each graded 0 to 3. */
const SYMPTOMS = [
  '发热',
  '恶寒',
  '咳嗽',
  '咯痰',
  '气喘',
  '胸痛',
  '咽痛',
  '头痛',
  '身痛',
  '乏力',
  '口干',
  '口苦',
  '纳差',
  '腹胀',
  '便溏',
  '便秘',
  '自汗',
  '盗汗',
  '失眠',
  '心悸',
]
const GRADES = [
  ['0', '无'],
  ['1', '轻'],
  ['2', '中'],
  ['3', '重'],
] as const
const YES_NO = [
  ['1', '是'],
  ['0', '否'],
] as const

const symptoms = SYMPTOMS.map((label, at): PlannedField => ({
  type: '单选',
  label,
  code: `s${at + 1}`,
  choices: GRADES,
  like: at > 0,
}))
const laboratory = Array.from({ length: 20 }, (_, at): PlannedField => ({
  type: '数字',
  label: `检验 ${at + 1}`,
  code: `lab${at + 1}`,
  like: at > 0,
}))
const drugs = Array.from({ length: 10 }, (_, at): PlannedField => ({
  type: '单行文本',
  label: `合并用药 ${at + 1}`,
  code: `drug${at + 1}`,
  like: at > 0,
}))
const criteria = Array.from({ length: 8 }, (_, at): PlannedField => ({
  type: '单选',
  label: `入选标准 ${at + 1}`,
  code: `inc${at + 1}`,
  choices: YES_NO,
  like: at > 0,
}))

/** The 80 fields in their order on the page: 16 + 20 + 2 + 20 + 10 + 8 + 4. */
export const FIELDS: readonly PlannedField[] = [
  { type: '日期', label: '评估日期', code: 'visitdate', required: true },
  {
    type: '单选',
    label: '性别',
    code: 'sex',
    choices: [
      ['1', '男'],
      ['2', '女'],
    ],
  },
  {
    type: '单选',
    label: '是否妊娠',
    code: 'pregnant',
    choices: YES_NO,
    rules: { 显示条件: 'page.sex == "2"', 必填条件: 'page.sex == "2"' },
  },
  { type: '数字', label: '身高', code: 'height' },
  {
    type: '数字',
    label: '体重',
    code: 'weight',
    check: {
      when: 'page.weight > 150.0',
      severity: '自动质疑',
      message: '体重超过 150 kg，请核对原始记录',
    },
  },
  {
    type: '数字',
    label: '体重指数',
    code: 'bmi',
    rules: { 计算: 'round(page.weight / (page.height * page.height / 10000.0), 1)' },
  },
  { type: '数字', label: '收缩压', code: 'sbp' },
  {
    type: '数字',
    label: '舒张压',
    code: 'dbp',
    check: { when: 'page.sbp <= page.dbp', severity: '错误', message: '收缩压应高于舒张压' },
  },
  {
    type: '数字',
    label: '脉搏',
    code: 'pulse',
    check: { when: 'page.pulse > 100.0', severity: '警告', message: '脉搏超过 100 次/分' },
  },
  { type: '数字', label: '体温', code: 'temp' },
  {
    type: '单选',
    label: '舌色',
    code: 'tongue',
    choices: [
      ['1', '淡红'],
      ['2', '红'],
      ['3', '绛'],
    ],
  },
  {
    type: '单选',
    label: '舌苔',
    code: 'coat',
    choices: [
      ['1', '薄白'],
      ['2', '黄腻'],
    ],
  },
  { type: '多行文本', label: '主诉', code: 'complaint' },
  { type: '单行文本', label: '既往史', code: 'history' },
  { type: '单行文本', label: '联系方式', code: 'contact' },
  { type: '单行文本', label: '每日吸烟支数', code: 'cigarettes' },
  ...symptoms,
  {
    type: '数字',
    label: '症状总分',
    code: 'total',
    rules: { 计算: SYMPTOMS.map((_, at) => `number(page.s${at + 1})`).join(' + ') },
  },
  { type: '单行文本', label: '病情', code: 'grade', rules: { 计算: 'page.total > 20.0 ? "重" : "轻"' } },
  ...laboratory,
  ...drugs,
  ...criteria,
  { type: '单选', label: '愿意随访', code: 'follow', choices: YES_NO },
  {
    type: '单行文本',
    label: '不愿随访的原因',
    code: 'reason',
    rules: { 显示条件: 'page.follow == "0"', 必填条件: 'page.follow == "0"' },
  },
  { type: '日期', label: '下次随访', code: 'nextdate', rules: { 只读条件: 'page.follow == "0"' } },
  { type: '多行文本', label: '备注', code: 'remark' },
]

/** Who was entered past the screen before the amendment, each with five values; `at` from 0. */
export const BEFORE = 200
export function valuesOf(at: number): Readonly<Record<string, string | number>> {
  return {
    pulse: 60 + (at % 40),
    contact: `电话 ${at}`,
    cigarettes: at % 4 === 0 ? '约20' : String(1 + (at % 30)),
    tongue: String(1 + (at % 3)),
    coat: String(1 + (at % 2)),
  }
}

/**
 * The plan by fields: 80 before. `contact` goes; `cigarettes`, `tongue` and `coat` are written otherwise; `smell` is
 * new; `pulse` goes on as `pulserate`.
 */
export const PLANNED = { 保持的字段: 76, 转换的字段: 3, 停用的字段: 1, 新增的字段: 1 } as const

/**
 * What happens to values, by hand:
 * - 200 past the screen: pulse moves 200 ×, tongue is written otherwise 200 ×, coat 2 → 5 in the 100 with odd `at`,
 *   cigarettes become numbers in 150 (not in the 50 with `at` divisible by four, where it says 约20): 650 converted, 50
 *   not; contact is retired 200 ×; coat 1 stays 100 ×.
 * - A, filled in whole (79 fields visible with `sex` 2 and `follow` 1: all but `reason`): pulse, tongue, coat,
 *   cigarettes converted (4), contact retired (1), 74 stay.
 * - B: sex, height, weight, bmi stay (4), pulse and tongue converted (2), contact retired (1), cigarettes 偶尔 not
 *   converted (1).
 */
export const TRIED = { 保持的值: 178, 转换: 656, 停用: 202, 未转换: 51 } as const

/** A's page, in the order in which it is filled in; what is calculated is not. */
export const ANSWERS_OF_A: Readonly<Record<string, string>> = {
  visitdate: '20260302',
  sex: '2',
  pregnant: '0',
  height: '160',
  weight: '64',
  sbp: '120',
  dbp: '80',
  pulse: '72',
  temp: '36.5',
  tongue: '2',
  coat: '2',
  complaint: '咳嗽三天',
  history: '无',
  contact: '本人 138',
  cigarettes: '12',
  ...Object.fromEntries(symptoms.map(({ code }, at) => [code, String(at % 3)])),
  ...Object.fromEntries(laboratory.map(({ code }, at) => [code, String(at + 1)])),
  ...Object.fromEntries(drugs.map(({ code }, at) => [code, `药物 ${at + 1}`])),
  ...Object.fromEntries(criteria.map(({ code }) => [code, '1'])),
  follow: '1',
  nextdate: '20260401',
  remark: '晨起空腹',
}

/** 64 / 1.6² = 25.0; 0 + 1 + 2 six times over 18 symptoms, then 0 and 1: 19, which is not over 20. */
export const CALCULATED_OF_A = { bmi: '25', total: '19', grade: '轻' } as const
