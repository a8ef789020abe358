import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isErrorCode } from '#core/api/errors.ts'
import { entryId } from '#core/ids.ts'
import { inboxReasons } from '#core/sync/operation.ts'
import { casebookAddress, entryAddress } from '#src/app/addresses.ts'
import { useAttention } from '#src/data/sync.ts'
import type { AttentionView } from '#src/data/types.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { StatusMark } from '#src/ui/StatusMark.tsx'
import { useErrorText } from '#src/ui/errorText.ts'
import { fullTime } from '#src/ui/format.ts'

import { SetAsideDialog } from './SetAsideDialog.tsx'
import classes from './attention.module.css'

/** What needs a person: each with its reason in words, and the way to the exact place. */
export function AttentionScreen() {
  const { t } = useTranslation('attention')
  const items = useAttention()
  const [aside, setAside] = useState<string | null>(null)
  return (
    <PageFrame title={t('title')} intro={t('intro')}>
      <Loaded of={items} rows={3}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<IconCircleCheck size={44} stroke={1.4} />}
              title={t('empty.title')}
              text={t('empty.text')}
            />
          ) : (
            <ul className={classes.list} aria-label={t('title')}>
              {all.map((item) => (
                <li key={item.id} className={classes.item}>
                  <Item item={item} onSetAside={setAside} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {aside !== null && <SetAsideDialog opKey={aside} onClose={() => setAside(null)} />}
    </PageFrame>
  )
}

interface ItemProps {
  readonly item: AttentionView
  readonly onSetAside: (opKey: string) => void
}

function Item({ item, onSetAside }: ItemProps) {
  const { t } = useTranslation('attention')
  const reasonText = useReasonText()
  const where = [item.patientLabel, item.pageName].filter(Boolean).join(' · ')
  const address = addressOf(item)
  const { opKey } = item
  return (
    <>
      <div className={classes.body}>
        <p className={classes.where}>{where}</p>
        <p className={classes.kind}>
          <StatusMark compact status={item.kind === 'conflict' ? 'conflict' : item.kind === 'held' ? 'local' : 'attention'} />
          {t(`kind.${item.kind}`)} · <time dateTime={item.at}>{fullTime(item.at)}</time>
        </p>
        <p className={classes.reason}>{reasonText(item)}</p>
      </div>
      {opKey !== null && item.kind === 'rejected' && (
        <Button size="md" variant="subtle" onClick={() => onSetAside(opKey)}>
          {t('setAside.open')}
        </Button>
      )}
      {address !== null && (
        <Button size="md" variant="default" component={Link} to={address} aria-label={t('openLabel', { where })}>
          {t('open')}
        </Button>
      )}
    </>
  )
}

/** The exact place: the field if one is meant, else the page, else the patient. */
function addressOf({ projectId, patientId, target, fieldCode }: AttentionView): string | null {
  if (target !== null) return entryAddress(projectId, target.patientId, entryId(target), fieldCode)
  return patientId === null ? null : casebookAddress(projectId, patientId)
}

function useReasonText(): (item: AttentionView) => string {
  const { t } = useTranslation('attention')
  const errorText = useErrorText()
  return ({ kind, reason }) => {
    // Some words are both an error of a refusal and the reason of a decision; the kind says which is meant.
    if (isDecision(reason) && kind !== 'rejected') return t(`reason.${reason}`)
    return isErrorCode(reason) ? errorText({ code: reason }) : t(`reason.${reason}`)
  }
}

const decisions = ['project_stopped', ...inboxReasons, 'conflict', 'applied', 'held', 'inbox', 'submit_changed', 'submit_invalid', 'submit_conflict', 'submit_unknown'] as const

function isDecision(reason: AttentionView['reason']): reason is (typeof decisions)[number] {
  return (decisions as readonly string[]).includes(reason)
}
