import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import type { Patch } from '#core/design/designEdit.ts'
import { SPANS, extensionOf } from '#src/screens/design/columns.ts'

import { ChoiceProperty, TextProperty } from './inputs.tsx'

interface FieldLayoutProps {
  readonly column: DesignColumn
  readonly set: (patch: Patch) => void
  readonly extend: (patch: Patch) => void
}

/** The layout of a field on its page: its width, and the words in its empty box. */
export function FieldLayout({ column, set, extend }: FieldLayoutProps) {
  const { t } = useTranslation('design')
  const span = SPANS.find((one) => one === String(column.span)) ?? 'auto'
  return (
    <Stack gap="sm">
      <ChoiceProperty
        label={t('props.span')}
        value={span}
        options={[
          { value: 'auto', label: t('props.spans.auto') },
          ...SPANS.map((one) => ({ value: one, label: t(`props.spans.s${one}`) })),
        ]}
        onChange={(next) => set({ span: next === 'auto' ? undefined : Number(next) })}
      />
      <TextProperty
        label={t('props.placeholder')}
        value={typeof column.placeholder === 'string' ? column.placeholder : ''}
        max={200}
        onChange={(next) => set({ placeholder: next === '' ? undefined : next })}
      />
      <TextProperty
        label={t('props.placeholderEn')}
        value={extensionOf(column).placeholderEn ?? ''}
        max={200}
        onChange={(next) => extend({ placeholderEn: next })}
      />
    </Stack>
  )
}
