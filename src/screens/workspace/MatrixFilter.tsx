import { Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { SearchSelect } from '#src/frame/lists/SearchSelect.tsx'
import type { KeptSearches } from '#src/frame/lists/useKeptSearches.ts'

import classes from './work.module.css'

interface MatrixFilterProps {
  readonly typed: string
  readonly onTyped: (typed: string) => void
  readonly centers: readonly CenterRow[]
  readonly centerId: string | null
  readonly onCenter: (centerId: string | null) => void
  readonly searches: KeptSearches
  readonly searchId: string | null
  readonly onSearch: (searchId: string | null) => void
  /** How many patients match; null until that is known. */
  readonly total: number | null
}

/** Narrows down the rows of the matrix: by number, by center where there are several, and by a kept search. */
export function MatrixFilter(props: MatrixFilterProps) {
  const { typed, onTyped, centers, centerId, onCenter, searches, searchId, onSearch, total } = props
  const { t } = useTranslation(['workspace', 'patients'])
  return (
    <>
      <TextInput
        size="md"
        inputMode="search"
        value={typed}
        onChange={(event) => onTyped(event.currentTarget.value)}
        placeholder={t('patients:search')}
        aria-label={t('patients:search')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        flex="1 1 160px"
        maw={280}
      />
      {centers.length > 1 && (
        <Select
          size="md"
          clearable
          value={centerId}
          onChange={onCenter}
          placeholder={t('patients:allCenters')}
          aria-label={t('patients:center')}
          data={centers.map(({ id, centerName }) => ({ value: id, label: centerName }))}
          flex="1 1 150px"
          maw={240}
        />
      )}
      <SearchSelect searches={searches} value={searchId} onChange={onSearch} isLabelled={false} />
      {total !== null && <span className={classes.total}>{t('matrix.total', { count: total })}</span>}
    </>
  )
}
