/** Picking fields of pages. */
export const fieldPicker = {
  search: '查找表单页或字段',
  wholePage: '{{page}}：全部字段',
  count: '{{count}} / {{total}} 个字段',
  none: '没有找到“{{text}}”。',
} as const
