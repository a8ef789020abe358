import { Button } from '@mantine/core'
import { IconMail, IconMessage2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { PatientMessage } from '#core/api/patientMessage.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './message.module.css'

interface MessageCardProps {
  readonly message: PatientMessage
  /** Opens a new message with the same words; null where the user may not write. */
  readonly onAgain: ((message: PatientMessage) => void) | null
}

/** Colour and shape of each state; its word stands beside it. */
const SHAPES: Readonly<Record<PatientMessage['state'] | 'uncertain', Status>> = {
  waiting: 'inProgress',
  sent: 'received',
  failed: 'attention',
  no_address: 'missing',
  uncertain: 'missing',
}

/** One message: its state and why, its words, and its author. */
export function MessageCard({ message, onAgain }: MessageCardProps) {
  const { t } = useTranslation('message')
  const { kind, content, state, byName, at, endedAt } = message
  // A message that may have arrived is not shown as failed.
  const shown = state === 'failed' && isUncertain(message) ? 'uncertain' : state
  return (
    <article className={classes.card} data-state={shown}>
      <p className={classes.line}>
        <StatusShape status={SHAPES[shown]}>{t(`state.${shown}`)}</StatusShape>
        <span className={classes.kind}>
          {kind === 'email' ? <IconMail size={18} aria-hidden="true" /> : <IconMessage2 size={18} aria-hidden="true" />}
          {t(`kind.${kind}`)}
        </span>
        <span className={classes.quiet}>{t('by', { name: byName, time: fullTime(at) })}</span>
      </p>
      {content === null ? <p className={classes.quiet}>{t('hidden')}</p> : <p className={classes.content}>{content}</p>}
      {state === 'sent' && endedAt !== null && (
        <p className={classes.quiet}>{t('ended', { time: fullTime(endedAt) })}</p>
      )}
      <Why message={message} />
      {state === 'failed' && content !== null && onAgain !== null && (
        <Button variant="default" size="md" className={classes.again ?? ''} onClick={() => onAgain(message)}>
          {t('again')}
        </Button>
      )}
    </article>
  )
}

/** Why the message has not gone out, and when it is tried again. */
function Why({ message: { kind, state, why, tries, nextTryAt } }: { readonly message: PatientMessage }) {
  const { t } = useTranslation('message')
  if (state === 'no_address') return <p className={classes.why}>{t(`noAddress.${kind}`)}</p>
  if (state === 'sent' || why === null) return null
  const parts = [
    t(`why.${why}`),
    t('tried', { count: tries }),
    ...(nextTryAt === null ? [] : [t('next', { time: fullTime(nextTryAt) })]),
  ]
  return <p className={classes.why}>{(tries === 0 ? parts.slice(0, 1) : parts).join(' · ')}</p>
}

function isUncertain({ why }: PatientMessage): boolean {
  return why === 'uncertain' || why === 'restored'
}
