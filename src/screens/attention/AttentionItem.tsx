import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isErrorCode } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { inboxReasons } from '#core/sync/protocol/operation.ts'
import { attentionPlace } from '#src/paths/screenPaths.ts'
import type { AttentionView } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { Note } from '#src/ui/Note.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'
import { useAttentionWhere } from '#src/ui/words/attentionWhere.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { clockTime, fullTime } from '#src/ui/words/format.ts'

import { Entered } from './Entered.tsx'
import classes from './attention.module.css'

const marks: Readonly<Record<AttentionView['kind'], Status>> = {
  rejected: 'attention',
  inbox: 'attention',
  returned: 'attention',
  conflict: 'conflict',
  held: 'local',
  bounced: 'attention',
  overruled: 'conflict',
  reason: 'local',
}

interface AttentionItemProps {
  readonly item: AttentionView
  readonly onSetAside: (opKey: string) => void
}

/** One thing that needs a person: its place, what it is, the reason, what was entered, and the possible acts. */
export function AttentionItem({ item, onSetAside }: AttentionItemProps) {
  const { t } = useTranslation(['attention', 'form'])
  const reasonText = useReasonText()
  const place = useAttentionWhere()(item)
  const where = place === '' ? t('noPlace') : place
  const { opKey, kind, decision } = item
  return (
    <>
      <StatusBadge compact status={marks[kind]} detail={t(`kind.${kind}`)} />
      <div className={classes.body}>
        <p className={classes.where}>
          {where}
          <span className={classes.kind}>{t(`kind.${kind}`)}</span>
        </p>
        <p className={classes.reason}>
          {decision === null ? reasonText(item) : t('note', { name: decision.byName ?? '', note: decision.note ?? '' })}{' '}
          {item.waitsFor.length > 0 &&
            t(kind === 'reason' ? 'waitsForReason' : 'waitsFor', {
              names: item.waitsFor.join(t('form:listSeparator')),
            })}
        </p>
        {opKey !== null && <Entered opKey={opKey} where={where} />}
      </div>
      <time className={classes.time} dateTime={item.at} title={fullTime(item.at)}>
        {clockTime(item.at)}
      </time>
      <div className={classes.actions}>
        {opKey !== null && kind === 'rejected' && (
          <button type="button" className={classes.quietAct} onClick={() => onSetAside(opKey)}>
            {t('setAside.open')}
          </button>
        )}
        {opKey !== null && (kind === 'returned' || kind === 'overruled') && <NotedButton opKey={opKey} />}
        <WayThere item={item} where={where} />
      </div>
    </>
  )
}

function WayThere({ item, where }: { readonly item: AttentionView; readonly where: string }) {
  const { t } = useTranslation('attention')
  const to = attentionPlace(item)
  if (to === null) return null
  const decides = item.conflict !== null
  return (
    <Link
      className={classes.step}
      data-decides={decides || undefined}
      to={to}
      aria-label={t(decides ? 'decideLabel' : 'openLabel', { where })}
    >
      {t(decides ? 'decide' : 'open')}
    </Link>
  )
}

/** Removes returned work from the list; its receipt stays. */
function NotedButton({ opKey }: { readonly opKey: string }) {
  const { t } = useTranslation('attention')
  const errorText = useErrorText()
  const { noteReturn } = useDataActions()
  const [error, setError] = useState<ApiError | null>(null)
  const note = async () => {
    const result = await noteReturn(opKey)
    setError(result.ok ? null : result.error)
  }
  return (
    <>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <button type="button" className={classes.quietAct} title={t('noted.hint')} onClick={() => void note()}>
        {t('noted.submit')}
      </button>
    </>
  )
}

function useReasonText(): (item: AttentionView) => string {
  const { t } = useTranslation('attention')
  const errorText = useErrorText()
  return ({ kind, reason }) => {
    // Some codes are both an error of a refusal and a reason of a decision; the kind says which one is meant.
    if (isDecision(reason) && kind !== 'rejected') return t(`reason.${reason}`)
    return isErrorCode(reason) ? errorText({ code: reason }) : t(`reason.${reason}`)
  }
}

const decisions = [
  'project_stopped',
  ...inboxReasons,
  'conflict',
  'applied',
  'held',
  'inbox',
  'submit_changed',
  'submit_invalid',
  'submit_conflict',
  'submit_unknown',
  'reason_needed',
  'reason_of_colleague',
] as const

function isDecision(reason: AttentionView['reason']): reason is (typeof decisions)[number] {
  return (decisions as readonly string[]).includes(reason)
}
