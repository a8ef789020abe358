/** Templates of pages and visits. */
export const template = {
  title: '模板预览',
  titleOf: '模板预览：{{name}}',
  page: '表单页',
  check: '检查本页',
  sound: '没有发现错误。',
  notKept: '可以试填，内容不会保存。',
  withoutRules: '以下字段的规则引用模板以外的页面，预览中未启用：{{fields}}',
} as const
