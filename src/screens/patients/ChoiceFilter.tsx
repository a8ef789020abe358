import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ChoiceFilterProps {
  readonly label: string
  /** In a bar there is no room for the label above the field: it is said, not seen. */
  readonly bare?: boolean
  /** What the field says while nothing is chosen. */
  readonly all: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly data: readonly { readonly value: string; readonly label: string }[]
  readonly searchable?: boolean
  readonly disabled?: boolean
}

/** One of some choices that the list is narrowed down by, or all of them. */
export function ChoiceFilter({ label, bare = false, all, data, ...field }: ChoiceFilterProps) {
  const { t } = useTranslation('common')
  return (
    <Select
      size="md"
      {...(bare ? { 'aria-label': label } : { label })}
      placeholder={all}
      clearable
      clearButtonProps={{ 'aria-label': t('action.clear') }}
      data={[...data]}
      {...field}
    />
  )
}
