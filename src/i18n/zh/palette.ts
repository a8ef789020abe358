/** The search for subjects and screens. */
export const palette = {
  open: '查找',
  label: '受试者编号、姓名缩写或页面名称',
  group: { patients: '受试者', recent: '最近打开', screens: '页面' },
  none: '没有符合“{{text}}”的受试者或页面',
  count: '找到 {{count}} 项',
} as const
