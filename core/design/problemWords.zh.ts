import type { ProblemKind } from '#core/design/versionProblems.ts'

/** What keeps a draft from being published to test, in Chinese. */
export const problemWordsZh = {
  noPages: '没有任何表单页。',
  emptyFolder: '该访视下没有表单页。',
  folderCodeTwice: '访视编码重复。',
  pageCodeTwice: '同一访视下表单页编码重复。',
  noFields: '该页没有字段。',
  noColumns: '表格没有列，无法填写。',
  'not-json': '表单定义无法读取。',
  'too-large': '表单定义过大。',
  'wrong-shape': '表单定义结构不正确。',
  'bad-prop': '字段编码不符合要求。',
  'duplicate-prop': '字段编码重复。',
  rule: '规则不能使用。',
  cycle: '规则互相依赖，形成循环。',
  planCircle: '访视计划互为起点，形成循环。',
  'unknown-anchor': '访视计划的起点访视不存在。',
  'anchor-without-date': '访视计划的起点访视没有计划日期。',
  'no-window': '访视窗口无效：窗口天数不能为负数。',
  'too-far': '规则引用其他页的字段过多。',
  noList: '未能获取选项列表：地址不是本平台的字典，或不在允许的服务器之列，或当时无法访问。',
  noLookUp: '引用的页或字段不存在。',
} as const satisfies Record<ProblemKind, string>
