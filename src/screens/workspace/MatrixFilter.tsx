import { Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CenterRow } from '#core/api/sync/rows.ts'

import classes from './work.module.css'

interface MatrixFilterProps {
  readonly typed: string
  readonly onTyped: (typed: string) => void
  readonly centers: readonly CenterRow[]
  readonly centerId: string | null
  readonly onCenter: (centerId: string | null) => void
  /** How many patients match; null until that is known. */
  readonly total: number | null
}

/** Narrows down the rows of the matrix: by number, and by center where there are several. */
export function MatrixFilter({ typed, onTyped, centers, centerId, onCenter, total }: MatrixFilterProps) {
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
      {total !== null && <span className={classes.total}>{t('matrix.total', { count: total })}</span>}
    </>
  )
}
