import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePatientCounts } from '#src/data/hooks/patients.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'

import { askedFor } from './filter.ts'
import type { ListFilter } from './filter.ts'
import type { FilterWord } from './filterWords.ts'

interface NoMatchProps {
  readonly projectId: string
  readonly filter: ListFilter
  readonly search: string
  readonly words: readonly FilterWord[]
  readonly onRemove: (key: FilterWord['key']) => void
  readonly onClear: () => void
}

/**
 * Shown when the filters leave no patient: says which filter leaves none, and how many patients there are without it.
 */
export function NoMatch({ projectId, filter, search, words, onRemove, onClear }: NoMatchProps) {
  const { t } = useTranslation('patients')
  const counts = usePatientCounts(
    projectId,
    words.map(({ key }) => askedFor(without(filter, key), key === 'words' ? '' : search)),
  )
  const all = counts.state === 'ready' ? counts.value : []
  const culprits = words.flatMap((word, at) => ((all[at] ?? 0) > 0 ? [{ ...word, count: all[at] ?? 0 }] : []))
  const [only] = words
  const text =
    words.length === 1 && only !== undefined
      ? t('noMatch.one', { filter: only.text })
      : culprits.length > 0
        ? t('noMatch.which')
        : t('noMatch.all', { filters: words.map((word) => word.text).join(t('assign.and')) })
  return (
    <EmptyState
      icon={<NothingFound />}
      title={t('noMatch.title')}
      text={text}
      action={
        <Group gap="xs" justify="center">
          {words.length > 1 &&
            culprits.map(({ key, text: word, count }) => (
              <Button key={key} size="md" variant="light" onClick={() => onRemove(key)}>
                {t('noMatch.without', { filter: word, count })}
              </Button>
            ))}
          <Button size="md" variant="default" onClick={onClear}>
            {t('noMatch.clear')}
          </Button>
        </Group>
      }
    />
  )
}

function without(filter: ListFilter, key: FilterWord['key']): ListFilter {
  if (key === 'words') return filter
  return { ...filter, [key]: null, ...(key === 'page' ? { table: null } : {}) }
}
