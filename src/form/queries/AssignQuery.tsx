import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Deed, QueryView } from '#src/data/shapes/queryTypes.ts'

import { AssigneeSelect } from './AssigneeSelect.tsx'
import { assigneeOf, useAssignees } from './assignees.ts'

interface AssignQueryProps {
  readonly projectId: string
  readonly view: QueryView
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSend: (deed: Deed) => Promise<boolean>
  readonly onBack: () => void
}

/** Gives a query to one person, or to everybody again, with a word if one is needed. */
export function AssignQuery({ projectId, view, text, onText, onSend, onBack }: AssignQueryProps) {
  const { t } = useTranslation('query')
  const of = useAssignees(projectId, [view])
  const [to, setTo] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const canSend = of.choices !== null && of.choices.length > 0
  const send = async () => {
    setTried(true)
    if (to === null) return
    setBusy(true)
    await onSend({
      act: 'assign',
      text: text.trim() === '' ? null : text.trim(),
      category: null,
      assignee: assigneeOf(to),
    })
    setBusy(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack gap="xs">
        <AssigneeSelect of={of} value={to} isMissing={isTried} onChange={setTo} />
        {canSend && (
          <Textarea
            size="md"
            autosize
            minRows={1}
            maxRows={8}
            maxLength={2000}
            label={t('words.assign')}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          {canSend && (
            <Button type="submit" size="md" loading={busy}>
              {t('act.assign')}
            </Button>
          )}
          <Button size="md" variant="default" onClick={onBack}>
            {t('back')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
