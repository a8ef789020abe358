import { Group, SegmentedControl, Stack } from '@mantine/core'
import { DatePicker, DatesProvider, MonthPicker, YearPicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useState } from 'react'

import { unknownPart, weekFromTyping } from '#core/values/calendarParts.ts'
import { parseDate } from '#core/values/dates.ts'
import type { Field } from '#core/form/definition/page.ts'

import classes from '../form.module.css'
import { useFormEnvironment } from '../formContext.ts'
import { endText } from '../words.ts'
import type { SheetBodyProps } from './MissingSheet.tsx'

type Precision = 'day' | 'month' | 'year'

/**
 * A calendar for people who would rather point than type: of days, or of months and years where only these are known or
 * asked for.
 */
export function CalendarSheet({ cell, end, change, onClose }: SheetBodyProps & { readonly end: 0 | 1 | null }) {
  const { language, t } = useFormEnvironment()
  const { field, value, key } = cell
  const current = endText(value, end ?? 0)
  const [precision, setPrecision] = useState(() => precisionOf(field, current))
  const known = knownDay(current)
  const limit = (bound: number | string | null) => (typeof bound === 'string' ? knownDay(bound) : null)
  const [min, max] = [limit(field.min), limit(field.max)]
  const common = {
    size: 'md',
    ariaLabels: {
      previousMonth: t('calendarWords.previousMonth'),
      nextMonth: t('calendarWords.nextMonth'),
      previousYear: t('calendarWords.previousYear'),
      nextYear: t('calendarWords.nextYear'),
      previousDecade: t('calendarWords.previousDecade'),
      nextDecade: t('calendarWords.nextDecade'),
    },
    value: known,
    ...(known === null ? {} : { defaultDate: known }),
    ...(min === null ? {} : { minDate: min }),
    ...(max === null ? {} : { maxDate: max }),
    onChange: (date: string | null) => {
      const picked = date === null ? '' : pickedText(field, date, precision)
      change((state) => (end === null ? state.setValue(key, picked) : state.setEnd(key, end, picked)))
      onClose()
    },
  } as const
  return (
    <DatesProvider settings={{ locale: language === 'zh' ? 'zh-cn' : 'en', firstDayOfWeek: 1 }}>
      <Stack>
        {field.partial !== null && (
          <SegmentedControl
            size="md"
            aria-label={t('precision.label')}
            value={precision}
            onChange={(chosen) => setPrecision(PRECISIONS.find((one) => one === chosen) ?? 'day')}
            data={PRECISIONS.filter((one) => one !== 'year' || field.partial === 'year').map((one) => ({
              value: one,
              label: t(`precision.${one}`),
            }))}
          />
        )}
        <Group justify="center">
          {precision === 'day' && (
            <DatePicker
              {...common}
              classNames={{ day: classes.day ?? '' }}
              monthLabelFormat={t('calendarWords.monthFormat')}
              getDayAriaLabel={(day) => dayjs(day).format(t('calendarWords.dayFormat'))}
            />
          )}
          {precision === 'month' && <MonthPicker {...common} />}
          {precision === 'year' && <YearPicker {...common} />}
        </Group>
      </Stack>
    </DatesProvider>
  )
}

const PRECISIONS: readonly Precision[] = ['day', 'month', 'year']

function precisionOf(field: Field, current: string): Precision {
  if (field.type === 'month') return 'month'
  const unknown = field.partial === null ? null : unknownPart(current)
  return unknown === null ? 'day' : unknown === 'day' ? 'month' : 'year'
}

/** The first day that the text of a date means; null for other text. */
function knownDay(text: string): string | null {
  const unknown = unknownPart(text)
  const day = unknown === 'day' ? `${text}-01` : unknown === 'month' ? `${text}-01-01` : text.slice(0, 10)
  return parseDate(day) === null ? null : day
}

/** The text that a pick means for the field: calendars of months and years give their first day. */
function pickedText(field: Field, date: string, precision: Precision): string {
  if (field.type === 'week') return weekFromTyping(date) ?? date
  return precision === 'day' ? date : date.slice(0, precision === 'month' ? 7 : 4)
}
