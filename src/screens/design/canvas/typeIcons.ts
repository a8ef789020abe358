import {
  IconAlignLeft, IconBinaryTree, IconCalendar, IconCalendarEvent, IconCalendarMonth, IconCalendarStats, IconCalendarTime, IconCalendarWeek, IconChecklist, IconCircleDot, IconClock, IconClockHour4, IconForms, IconLink, IconList, IconListSearch, IconNumber123, IconPaperclip, IconAdjustmentsHorizontal, IconSelect, IconSitemap, IconTable, IconTablePlus, IconTextCaption,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { FieldType } from '#core/form/definition/column.ts'

export const typeIcons: Readonly<Record<FieldType, Icon>> = {
  input: IconForms,
  textarea: IconAlignLeft,
  autocomplete: IconListSearch,
  url: IconLink,
  array: IconList,
  number: IconNumber123,
  slider: IconAdjustmentsHorizontal,
  radio: IconCircleDot,
  checkbox: IconChecklist,
  select: IconSelect,
  cascader: IconSitemap,
  tree: IconBinaryTree,
  date: IconCalendar,
  datetime: IconCalendarTime,
  time: IconClock,
  year: IconCalendarStats,
  month: IconCalendarMonth,
  week: IconCalendarWeek,
  daterange: IconCalendarEvent,
  datetimerange: IconCalendarTime,
  timerange: IconClockHour4,
  dynamic: IconTablePlus,
  upload: IconPaperclip,
  table: IconTable,
  title: IconTextCaption,
}
