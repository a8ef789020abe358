import { Button, Radio, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { MAX_REASON } from '#core/form/definition/shape.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import { useFormEnvironment } from '../formContext.ts'

export interface SheetBodyProps {
  readonly cell: Cell
  readonly change: (apply: (state: FormState) => unknown) => void
  readonly onClose: () => void
}

/** Asks for a missing reason: not done, unknown or not applicable, with the words that it requires. */
export function MissingSheet({ cell, change, onClose }: SheetBodyProps) {
  const { t } = useFormEnvironment()
  const [code, setCode] = useState<string | null>(cell.missing?.m ?? null)
  const [reason, setReason] = useState(cell.missing?.reason ?? '')
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const m = MISSING_CODES.find((item) => item === code)
    if (m === undefined || reason.trim() === '') return
    change((state) => state.setMissing(cell.key, { m, reason: reason.trim() }))
    onClose()
  }
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <Radio.Group
          value={code}
          onChange={setCode}
          aria-label={t('missing.open')}
          error={tried && code === null ? t('missing.codeRequired') : null}
        >
          {MISSING_CODES.map((item) => (
            <Radio
              key={item}
              data-autofocus={item === (cell.missing?.m ?? MISSING_CODES[0]) || undefined}
              value={item}
              label={t(`missing.${item}`)}
              py={10}
              size="md"
            />
          ))}
        </Radio.Group>
        <TextInput
          label={t('missing.reason')}
          placeholder={t('missing.reasonHint')}
          value={reason}
          maxLength={MAX_REASON}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={tried && reason.trim() === '' ? t('missing.reasonRequired') : null}
          size="md"
          withAsterisk
        />
        <Button type="submit" size="md">
          {t('save')}
        </Button>
      </Stack>
    </form>
  )
}
