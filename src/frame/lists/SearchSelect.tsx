import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { KeptSearches } from './useKeptSearches.ts'

interface SearchSelectProps {
  readonly searches: KeptSearches
  readonly value: string | null
  readonly onChange: (searchId: string | null) => void
  /** Whether the name of the box stands above it; where there is no room, it stands in it. */
  readonly isLabelled: boolean
}

/** Narrows a list down to the subjects whom a kept search finds. Not shown where there is none to choose. */
export function SearchSelect({ searches, value, onChange, isLabelled }: SearchSelectProps) {
  const { t } = useTranslation('search')
  const { choices, barred, nameOf } = searches
  if (value === null && (choices.length === 0 || barred !== null)) return null
  // One that is gone has a name all the same, so that it can be taken away.
  const known = value === null || choices.some((one) => one.value === value)
  return (
    <Select
      size="md"
      clearable
      searchable
      {...(isLabelled ? { label: t('filter.title') } : { 'aria-label': t('filter.title') })}
      placeholder={isLabelled ? t('filter.all') : t('filter.title')}
      value={value}
      data={known ? [...choices] : [...choices, { value, label: nameOf(value) }]}
      onChange={onChange}
      flex="1 1 150px"
      maw={240}
    />
  )
}
