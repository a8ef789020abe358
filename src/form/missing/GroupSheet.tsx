import { Stack, Text } from '@mantine/core'
import type { Missing } from '#core/form/definition/value.ts'

import { useFormEnvironment } from '../formContext.ts'
import { listUnanswered } from './markMissing.ts'
import { MissingReasons } from './MissingReasons.tsx'

interface GroupSheetProps {
  readonly codes: readonly string[]
  readonly onGive: (codes: readonly string[], missing: Missing) => void
  readonly onClose: () => void
}

/** One reason for all fields of a group that have no answer; what was answered stays. */
export function GroupSheet({ codes, onGive, onClose }: GroupSheetProps) {
  const { t, state } = useFormEnvironment()
  return (
    <Stack>
      <Text size="sm">{t('missing.groupText', { count: listUnanswered(state, codes).length })}</Text>
      <MissingReasons
        title={t('missing.group')}
        onGive={(missing) => {
          onGive(codes, missing)
          onClose()
        }}
      />
    </Stack>
  )
}
