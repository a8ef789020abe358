import { Button, Checkbox, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditKinds } from '#core/api/calls/sync.ts'
import { dateFromTyping } from '#core/values/dates.ts'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { DayInput } from '#src/ui/DayInput.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import type { TrailFilter } from './filter.ts'
import { EVERYTHING } from './filter.ts'
import classes from './trail.module.css'

interface TrailFiltersProps {
  readonly book: Casebook
  readonly filter: TrailFilter
  readonly onChange: (filter: TrailFilter) => void
}

/** Filters lines by user, kind, page and day of receipt. */
export function TrailFilters({ book, filter, onChange }: TrailFiltersProps) {
  const names = useNames()
  const { t } = useTranslation('trail')
  const members = useMembers(book.project.id)
  const [cleared, setCleared] = useState(0)
  const people = members.state === 'ready' ? members.value : []
  // A page that stands in several visits is offered once.
  const pages = new Map(
    book.version.folders.flatMap((folder) => folder.pages.map((page) => [page.id, names.page(page)] as const)),
  )
  const put = (change: Partial<TrailFilter>) => onChange({ ...filter, ...change })
  return (
    <section aria-label={t('filter.title')} className={classes.filters}>
      <Select
        size="md"
        searchable
        clearable
        label={t('filter.person')}
        placeholder={t('filter.everybody')}
        value={filter.userId}
        onChange={(userId) => put({ userId })}
        data={people.map(({ userId, realName }) => ({ value: userId, label: realName }))}
      />
      <Select
        size="md"
        clearable
        label={t('filter.kind')}
        placeholder={t('filter.allKinds')}
        value={filter.kind}
        onChange={(value) => put({ kind: auditKinds.find((one) => one === value) ?? null })}
        data={auditKinds.map((one) => ({ value: one, label: t(`kind.${one}`) }))}
      />
      <Select
        size="md"
        searchable
        clearable
        label={t('filter.page')}
        placeholder={t('filter.allPages')}
        value={filter.pageId}
        onChange={(pageId) => put({ pageId })}
        data={[...pages].map(([value, label]) => ({ value, label }))}
      />
      <Day key={`from ${cleared}`} label={t('filter.from')} day={filter.from} onDay={(from) => put({ from })} />
      <Day key={`to ${cleared}`} label={t('filter.to')} day={filter.to} onDay={(to) => put({ to })} />
      <div>
        <Checkbox
          size="md"
          py={10}
          label={t('filter.unexplained')}
          checked={filter.unexplained}
          onChange={(event) => put({ unexplained: event.currentTarget.checked })}
        />
        <Button
          size="md"
          variant="subtle"
          disabled={filter === EVERYTHING}
          onClick={() => {
            setCleared(cleared + 1)
            onChange(EVERYTHING)
          }}
        >
          {t('filter.clear')}
        </Button>
      </div>
    </section>
  )
}

interface DayProps {
  readonly label: string
  readonly day: string | null
  readonly onDay: (day: string | null) => void
}

/** A box for a day; it filters once a whole date is typed. */
function Day({ label, day, onDay }: DayProps) {
  const { t } = useTranslation('trail')
  const [typed, setTyped] = useState(day ?? '')
  const [left, setLeft] = useState(false)
  const take = (text: string) => {
    setTyped(text)
    setLeft(false)
    const whole = dateFromTyping(text)
    if (whole !== day && (whole !== null || text === '')) onDay(whole)
  }
  return (
    <DayInput
      label={label}
      value={typed}
      error={left && typed !== '' && dateFromTyping(typed) === null ? t('filter.dayWrong') : null}
      onChange={take}
      onBlur={() => setLeft(true)}
    />
  )
}
