/** Templates of pages and visits. */
export const template = {
  title: '模板预览',
  titleOf: '模板预览：{{name}}',
  page: '表单页',
  language: '表单语言',
  languages: { zh: '中文', en: '英文' },
  width: '页面宽度',
  widths: { horizontal: 'A4 横向', vertical: 'A4 纵向', auto: '自适应' },
  again: '清空',
  check: '检查本页',
  sound: '没有发现错误。',
  form: '表单',
  notKept: '可以试填，内容不会保存。',
  withoutRules: '以下字段的规则引用模板以外的页面，预览中未启用：{{fields}}',
} as const
