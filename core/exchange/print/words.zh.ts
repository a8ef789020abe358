import { TYPES } from '#core/exchange/workbook/layout.ts'

import type { PrintWords } from './words.ts'

export const zh: PrintWords = {
  language: 'zh',
  title: '注释病例报告表',
  visits: '访视安排',
  visit: '访视',
  code: '编码',
  type: '类型',
  choices: '选项',
  required: '必填',
  readOnly: '只读',
  hidden: '不显示',
  identifier: '标识符',
  unit: '单位',
  range: '允许范围',
  plausible: '合理范围',
  reference: '参考范围',
  precision: '小数位数',
  value: '默认值',
  rows: '最多行数',
  repeatable: '可重复填写',
  show: '显示条件',
  require: '必填条件',
  readOnlyWhen: '只读条件',
  calculate: '计算',
  check: '检查',
  severity: { error: '错误', warning: '警告', query: '质疑' },
  types: TYPES,
  rule: { and: '且', or: '或', not: '并非（{a}）', equal: '{a} 等于 {b}', unequal: '{a} 不等于 {b}', less: '{a} 小于 {b}', atMost: '{a} 不大于 {b}', more: '{a} 大于 {b}', atLeast: '{a} 不小于 {b}', chosen: '{a} 选中 {b}', filled: '{a} 已填写', blank: '{a} 为空', today: '今天', now: '现在' },
}
