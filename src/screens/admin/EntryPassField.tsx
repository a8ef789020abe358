import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MemberDetail } from '#core/api/calls/project.ts'

type EntryPass = MemberDetail['entryPass']

const passes = [1, 2] as const

interface EntryPassFieldProps {
  readonly value: EntryPass
  readonly onChange: (pass: EntryPass) => void
}

/** Which pass of double entry a member enters: they see this pass and never the other. */
export function EntryPassField({ value, onChange }: EntryPassFieldProps) {
  const { t } = useTranslation('admin')
  return (
    <Radio.Group
      size="md"
      label={t('mem.pass.label')}
      description={t('mem.pass.hint')}
      value={String(value)}
      onChange={(chosen) => onChange(chosen === '2' ? 2 : 1)}
    >
      <Stack gap="xs" mt="xs">
        {passes.map((pass) => (
          <Radio key={pass} size="md" value={String(pass)} label={t(`mem.pass.${pass}`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
