import { Group } from '@mantine/core'
import { DatePicker, DatesProvider } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/zh-cn'

import { parseDate } from '#core/form/dates.ts'

import { useFormEnvironment } from '../formContext.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'

/** A calendar for those who would rather point than type. */
export function CalendarSheet({ cell, change, onClose }: SheetBodyProps) {
  const { language } = useFormEnvironment()
  const { field, value } = cell
  const current = typeof value === 'string' && parseDate(value) !== null ? value : null
  const limit = (bound: number | string | null) => (typeof bound === 'string' && parseDate(bound) !== null ? bound : undefined)
  const [min, max] = [limit(field.min), limit(field.max)]
  return (
    <DatesProvider settings={{ locale: language === 'zh' ? 'zh-cn' : 'en', firstDayOfWeek: 1 }}>
      <Group justify="center">
        <DatePicker
          size="md"
          value={current}
          {...(current === null ? {} : { defaultDate: current })}
          {...(min === undefined ? {} : { minDate: min })}
          {...(max === undefined ? {} : { maxDate: max })}
          onChange={(date) => {
            change((state) => state.setValue(field.prop, date))
            onClose()
          }}
        />
      </Group>
    </DatesProvider>
  )
}
