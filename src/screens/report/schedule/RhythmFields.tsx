import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MOST_MONTH_DAY } from '#core/report/rhythm.ts'
import type { Rhythm } from '#core/report/rhythm.ts'

import classes from './schedule.module.css'

interface RhythmFieldsProps {
  /** What is sent in this rhythm, for a screen reader. */
  readonly name: string
  readonly rhythm: Rhythm
  readonly disabled: boolean
  readonly onChange: (rhythm: Rhythm) => void
}

/** In the order of their numbers, from 1. */
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const MONTH_DAYS = Array.from({ length: MOST_MONTH_DAY }, (_, at) => at + 1)

/** How often, and on which day. */
export function RhythmFields({ name, rhythm, disabled, onChange }: RhythmFieldsProps) {
  const { t } = useTranslation('report')
  const common = { size: 'md', allowDeselect: false, disabled, comboboxProps: { withinPortal: true } } as const
  return (
    <div className={classes.rhythm}>
      <Select
        {...common}
        aria-label={t('schedule.everyOf', { name })}
        value={rhythm.every}
        data={(['day', 'week', 'month'] as const).map((every) => ({
          value: every,
          label: t(`schedule.every.${every}`),
        }))}
        onChange={(every) => onChange(begin(every))}
      />
      {rhythm.every === 'week' && (
        <Select
          {...common}
          aria-label={t('schedule.weekdayOf', { name })}
          value={String(rhythm.weekday)}
          data={WEEKDAYS.map((one, at) => ({ value: String(at + 1), label: t(`schedule.weekday.${one}`) }))}
          onChange={(weekday) => onChange({ every: 'week', weekday: Number(weekday ?? 1) })}
        />
      )}
      {rhythm.every === 'month' && (
        <Select
          {...common}
          aria-label={t('schedule.dayOf', { name })}
          value={String(rhythm.day)}
          data={MONTH_DAYS.map((day) => ({ value: String(day), label: t('schedule.monthDay', { day }) }))}
          onChange={(day) => onChange({ every: 'month', day: Number(day ?? 1) })}
        />
      )}
    </div>
  )
}

/** A rhythm in words, where it cannot be changed. */
export function useRhythmText(): (rhythm: Rhythm) => string {
  const { t } = useTranslation('report')
  return (rhythm) => {
    const every = t(`schedule.every.${rhythm.every}`)
    if (rhythm.every === 'month') return t('schedule.on', { every, day: t('schedule.monthDay', { day: rhythm.day }) })
    const weekday = rhythm.every === 'week' ? WEEKDAYS[rhythm.weekday - 1] : undefined
    return weekday === undefined ? every : t('schedule.on', { every, day: t(`schedule.weekday.${weekday}`) })
  }
}

function begin(every: string | null): Rhythm {
  if (every === 'week') return { every, weekday: 1 }
  return every === 'month' ? { every, day: 1 } : { every: 'day' }
}
