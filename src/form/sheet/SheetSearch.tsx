import { TextInput } from '@mantine/core'

import { useFormEnvironment } from '../formContext.ts'
import { isComposing } from '../formEvents.ts'

interface SheetSearchProps {
  readonly placeholder: string
  readonly onSearch: (typed: string) => void
  /** Enter takes the best of what is found. */
  readonly onTakeBest: () => void
}

/** The search over the choices of a sheet. */
export function SheetSearch({ placeholder, onSearch, onTakeBest }: SheetSearchProps) {
  const { t } = useFormEnvironment()
  return (
    <TextInput
      aria-label={t('search')}
      placeholder={placeholder}
      size="md"
      autoComplete="off"
      data-autofocus
      // A half-typed word starts no search: the list would be empty while an input method composes.
      onChange={(event) => !isComposing(event.nativeEvent) && onSearch(event.currentTarget.value)}
      onCompositionEnd={(event) => onSearch(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
        // The key must not also press what has the focus then: the field, whose sheet it would open again, or a button.
        event.preventDefault()
        onTakeBest()
      }}
    />
  )
}
