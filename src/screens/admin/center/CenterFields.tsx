import { NumberInput, TextInput } from '@mantine/core'
import type { NumberInputProps, TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** What is said of a center when it is added and when it is changed. */

export function CenterNameField(props: TextInputProps) {
  const { t } = useTranslation('admin')
  return <TextInput size="md" required label={t('site.name')} maxLength={200} data-autofocus {...props} />
}

/** How many subjects the center is to enrol. */
export function PlannedEnrolmentField(props: NumberInputProps) {
  const { t } = useTranslation('admin')
  return <NumberInput size="md" label={t('site.plan')} min={0} max={1_000_000} allowDecimal={false} {...props} />
}
