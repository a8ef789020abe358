import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { SyncStage } from '#src/data/shapes/types.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'

/** How long the figures lag behind the typing, in milliseconds, so that not every keystroke counts the whole page. */
const PACE_MS = 200

interface EntryProgressProps {
  readonly form: FormState
  readonly submitted: boolean
  readonly mark: SyncStage | null
  readonly onJump: (code: string) => void
  /** The act for a page that was not done: offered while nothing is answered. */
  readonly notDone: ReactNode
}

/** How far the page is; each figure leads to the first field it counts. */
export function EntryProgress({ form, submitted, mark, onJump, notDone }: EntryProgressProps) {
  const { t } = useTranslation('ecrf')
  const { total, answered, missingRequired } = useCompleteness(form)
  const [firstMissing] = missingRequired
  const share = total === 0 ? 0 : (100 * answered) / total
  return (
    <div className={classes.progressLine}>
      <Progress
        className={classes.progressBar}
        value={share}
        size="md"
        aria-label={t('page.progress')}
        transitionDuration={120}
      />
      <span>{t('page.answered', { done: answered, total })}</span>
      {firstMissing !== undefined && (
        <button
          type="button"
          className={classes.jump}
          aria-label={t('page.jumpMissing', { count: missingRequired.length })}
          onClick={() => onJump(firstMissing)}
        >
          <StatusBadge status="missing" count={missingRequired.length} />
        </button>
      )}
      {answered === 0 && total > 0 && notDone}
      {submitted && <StatusBadge status="submitted" />}
      {mark !== null && mark !== 'received' && <StatusBadge status={mark} />}
    </div>
  )
}

function useCompleteness(form: FormState) {
  const [completeness, setCompleteness] = useState(() => form.completeness())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = form.subscribeForm(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setCompleteness(form.completeness())
      }, PACE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [form])
  return completeness
}
