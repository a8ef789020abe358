import { Button, Stack } from '@mantine/core'
import { IconFlag, IconHistory } from '@tabler/icons-react'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import { useFormEnvironment } from '../formContext.ts'
import { MissingReasons } from '../missing/MissingReasons.tsx'

export interface SheetBodyProps {
  readonly cell: Cell
  readonly change: (apply: (state: FormState) => unknown) => void
  readonly onClose: () => void
}

/** What can be done with a field beside answering it: to say why it has no value, and to read its history. */
export function MissingSheet({ cell, change, onClose }: SheetBodyProps) {
  const { t, history, queries } = useFormEnvironment()
  return (
    <Stack>
      <MissingReasons
        title={t('missing.open')}
        onGive={(missing) => {
          change((state) => state.setMissing(cell.key, missing))
          onClose()
        }}
      />
      {queries !== null && (
        <Button
          variant="default"
          size="md"
          leftSection={<IconFlag size={18} aria-hidden="true" />}
          onClick={() => {
            onClose()
            queries.open(cell.key)
          }}
        >
          {t('queries')}
        </Button>
      )}
      {history !== null && (
        <Button
          variant="default"
          size="md"
          leftSection={<IconHistory size={18} aria-hidden="true" />}
          onClick={() => {
            onClose()
            history(cell.key)
          }}
        >
          {t('history')}
        </Button>
      )}
    </Stack>
  )
}
