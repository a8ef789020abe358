import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Cell } from '#core/form/engine/cell.ts'
import { isWarning, warningName } from '#core/form/engine/warning.ts'

import { useFormEnvironment } from '../formContext.ts'
import { displayText, issueText, labelOf, unitOf } from '../words.ts'

interface ConfirmSheetProps {
  readonly cell: Cell
  /** Name of the warning. */
  readonly warning: string
  readonly onClose: () => void
}

/** Confirms a value that has a warning, with the reason why it is right. */
export function ConfirmSheet({ cell, warning: name, onClose }: ConfirmSheetProps) {
  const { t, language, confirms } = useFormEnvironment()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const warning = cell.issues.find((issue) => isWarning(issue) && warningName(issue) === name)
  if (confirms === null || warning === undefined || !isWarning(warning)) return null
  const isMissing = confirms.needsReason && reason.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isMissing) return
    confirms.give({ cell, warning, reason: reason.trim() })
    onClose()
  }
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        <Text fw={600}>{`${displayText(cell, t)} ${unitOf(cell.field, language) ?? ''}`.trim()}</Text>
        <Text>{issueText(warning, labelOf(cell.field, language), language, t)}</Text>
        <TextInput
          data-autofocus
          label={t('confirm.reason')}
          placeholder={t('confirm.reasonHint')}
          value={reason}
          maxLength={1000}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={tried && isMissing ? t('missing.reasonRequired') : null}
          size="md"
          withAsterisk={confirms.needsReason}
        />
        <Button type="submit" size="md">
          {t('confirm.open')}
        </Button>
      </Stack>
    </form>
  )
}
