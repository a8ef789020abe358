import type { FieldType } from '#core/form/definition/column.ts'

/** The sheets of our workbook: their names, the titles of their columns and the words in their cells are its format. */

export const SHEETS = {
  help: '说明',
  visits: '访视',
  pages: '表单页',
  fields: '字段',
  choices: '选项',
  checks: '检查',
} as const

export const VISITS = {
  code: '访视编码',
  name: '访视名称',
  english: '英文访视名称',
  pages: '表单页',
  kind: '类型',
  anchor: '基准',
  date: '基准日期',
  day: '第几天',
  before: '可提前天数',
  after: '可推后天数',
  repeating: '可重复',
  sourceOid: '源编号',
} as const
export const PAGES = {
  code: '页面编码',
  name: '页面名称',
  english: '英文页面名称',
  repeatable: '可重复',
  rest: '其他',
} as const
export const FIELDS = {
  page: '页面编码',
  table: '所属表格',
  code: '字段编码',
  label: '标签',
  english: '英文标签',
  type: '类型',
  list: '选项表',
  required: '必填',
  unit: '单位',
  unitEnglish: '英文单位',
  min: '最小值',
  max: '最大值',
  plausibleMin: '合理下限',
  plausibleMax: '合理上限',
  precision: '小数位数',
  note: '提示',
  noteEnglish: '英文提示',
  value: '默认值',
  identifier: '标识符',
  show: '显示条件',
  require: '必填条件',
  readOnlyWhen: '只读条件',
  calculate: '计算',
  rest: '其他',
} as const
export const CHOICES = { list: '选项表', code: '编码', label: '标签', disabled: '停用', rest: '其他' } as const
export const CHECKS = {
  page: '页面编码',
  field: '字段编码',
  id: '编号',
  when: '条件',
  severity: '级别',
  zh: '提示语',
  en: '英文提示语',
} as const

export const YES = '是'
export const NO = '否'

/** The row that begins a section of a page. */
export const SECTION = '分组'

export const TYPES: Readonly<Record<FieldType, string>> = {
  input: '文本',
  autocomplete: '联想输入',
  textarea: '多行文本',
  upload: '附件',
  number: '数字',
  array: '数组',
  url: '链接',
  dynamic: '表格',
  radio: '单选',
  checkbox: '多选',
  select: '下拉',
  cascader: '级联',
  tree: '树形',
  year: '年份',
  month: '月份',
  week: '周',
  date: '日期',
  time: '时间',
  slider: '滑块',
  datetime: '日期时间',
  daterange: '日期范围',
  timerange: '时间范围',
  datetimerange: '日期时间范围',
  table: '选取记录',
  title: '说明文字',
}

export const KINDS = { planned: '计划', unscheduled: '非计划', log: '日志' } as const
export const ENROLMENT = '入组'
export const DATES = { actual: '实际', planned: '计划' } as const
export const SEVERITIES = { error: '错误', warning: '警告', query: '质疑' } as const
