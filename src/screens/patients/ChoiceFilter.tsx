import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ChoiceFilterProps {
  readonly label: string
  /** Hides the label, which only a screen reader reads: a bar has no room above the field. */
  readonly bare?: boolean
  /** What the field says while nothing is chosen. */
  readonly all: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  readonly data: readonly { readonly value: string; readonly label: string }[]
  readonly searchable?: boolean
  readonly disabled?: boolean
}

/** Narrows the list down to one choice, or takes all. */
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
