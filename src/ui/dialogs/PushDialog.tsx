import { Checkbox, Radio, Stack, Textarea } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { MessageKind } from '#core/api/patientMessage.ts'
import { MESSAGE_MAX_LENGTH } from '#core/api/patientMessage.ts'
import type { Result } from '#core/result.ts'
import { Note } from '#src/ui/Note.tsx'

import classes from './PushDialog.module.css'
import { SubmitDialog } from './SubmitDialog.tsx'

/** Somebody who can be written to. */
export interface PushRecipient {
  readonly id: string
  readonly name: string
  /** Message kinds that do not reach this recipient. */
  readonly unreachable: readonly MessageKind[]
}

export interface PushDraft {
  readonly kind: MessageKind
  readonly content: string
  readonly recipientIds: readonly string[]
}

interface PushDialogProps {
  /** Message kinds that are set up. */
  readonly ways: readonly MessageKind[]
  readonly recipients: readonly PushRecipient[]
  /** The kind that is chosen at first. */
  readonly kind?: MessageKind
  readonly content?: string
  readonly onSend: (draft: PushDraft) => Promise<Result<unknown, ApiError>>
  readonly onClose: () => void
}

/** Up to this many names are listed one by one. */
const MOST_NAMES = 8

/** Sends a message to subjects (specification §2, §5). It names those who cannot be reached before sending. */
export function PushDialog({ ways, recipients, kind: given, content: begun = '', onSend, onClose }: PushDialogProps) {
  const { t } = useTranslation('message')
  const [kind, setKind] = useState<MessageKind | null>(
    given !== undefined && ways.includes(given) ? given : ways.length === 1 ? (ways[0] ?? null) : null,
  )
  const [content, setContent] = useState(begun)
  const [chosen, setChosen] = useState<readonly string[]>(recipients.map(({ id }) => id))
  const [tried, setTried] = useState(false)
  const to = recipients.filter(({ id }) => chosen.includes(id))
  const without = kind === null ? [] : to.filter(({ unreachable }) => unreachable.includes(kind))
  const reachesNobody = kind !== null && to.length > 0 && without.length === to.length
  const wrong = {
    way: kind === null ? t('dialog.wayRequired') : null,
    content: content.trim() === '' ? t('dialog.contentRequired') : null,
    recipients:
      to.length === 0 ? t('dialog.recipientsRequired') : reachesNobody ? t(`dialog.noneReachable.${kind}`) : null,
  }
  const names = [
    ...without.slice(0, MOST_NAMES).map(({ name }) => name),
    ...(without.length > MOST_NAMES ? ['…'] : []),
  ].join(t('dialog.separator'))
  return (
    <SubmitDialog
      title={t('dialog.title')}
      submit={t('dialog.submit')}
      size="lg"
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (kind === null || Object.values(wrong).some((text) => text !== null)) return null
        return onSend({ kind, content: content.trim(), recipientIds: to.map(({ id }) => id) })
      }}
    >
      <WayChoice ways={ways} kind={kind} onKind={setKind} error={tried ? wrong.way : null} />
      <Textarea
        data-autofocus
        withAsterisk
        size="md"
        rows={5}
        maxLength={MESSAGE_MAX_LENGTH}
        label={t('dialog.content')}
        description={t('dialog.contentHint')}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        error={tried ? wrong.content : null}
      />
      <RecipientChoice
        recipients={recipients}
        chosen={chosen}
        onChosen={setChosen}
        error={tried || reachesNobody ? wrong.recipients : null}
      />
      {kind !== null && without.length > 0 && !reachesNobody && (
        <Note tone="warning" live>
          {t(`dialog.without.${kind}`, { count: without.length, names })}
        </Note>
      )}
    </SubmitDialog>
  )
}

interface WayChoiceProps {
  readonly ways: readonly MessageKind[]
  readonly kind: MessageKind | null
  readonly onKind: (kind: MessageKind | null) => void
  readonly error: string | null
}

function WayChoice({ ways, kind, onKind, error }: WayChoiceProps) {
  const { t } = useTranslation('message')
  const wayId = useId()
  return (
    <Radio.Group
      id={wayId}
      size="md"
      label={t('dialog.way')}
      withAsterisk
      value={kind}
      onChange={(value) => onKind(ways.find((way) => way === value) ?? null)}
      error={error}
    >
      <div className={classes.choices}>
        {ways.map((way) => (
          <Radio key={way} size="md" value={way} label={t(`kind.${way}`)} classNames={{ body: classes.choice ?? '' }} />
        ))}
      </div>
    </Radio.Group>
  )
}

interface RecipientChoiceProps {
  readonly recipients: readonly PushRecipient[]
  readonly chosen: readonly string[]
  readonly onChosen: (ids: readonly string[]) => void
  readonly error: string | null
}

function RecipientChoice({ recipients, chosen, onChosen, error }: RecipientChoiceProps) {
  const { t } = useTranslation('message')
  return (
    <Checkbox.Group
      size="md"
      label={t('dialog.recipients')}
      withAsterisk
      value={[...chosen]}
      onChange={onChosen}
      error={error}
    >
      <Stack gap={0} className={classes.recipients ?? ''}>
        {recipients.map(({ id, name }) => (
          <Checkbox key={id} size="md" value={id} label={name} classNames={{ body: classes.choice ?? '' }} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
