import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { UnexplainedChange } from '#src/data/shapes/types.ts'
import { Note } from '#src/ui/Note.tsx'

import classes from './reasons.module.css'

interface ReasonStripProps {
  readonly changes: readonly UnexplainedChange[]
  /** Null where the page is read only. */
  readonly onGive: (() => void) | null
}

/**
 * Says calmly how many changes of a submitted page still need a reason and who made them, and offers to give the
 * reasons.
 */
export function ReasonStrip({ changes, onGive }: ReasonStripProps) {
  const { t } = useTranslation('reasons')
  const own = changes.filter(({ mine }) => mine)
  const others = Map.groupBy(
    changes.filter(({ mine }) => !mine),
    ({ byName }) => byName,
  )
  return (
    <>
      {own.length > 0 && (
        <Note tone="info" title={t('strip.title', { count: own.length })}>
          <div className={classes.strip}>
            <span>{t(own.some(({ where }) => where === 'device') ? 'strip.text' : 'strip.listed')}</span>
            {onGive !== null && (
              <Button size="md" variant="default" onClick={onGive}>
                {t('strip.give')}
              </Button>
            )}
          </div>
        </Note>
      )}
      {[...others].map(([name, of]) => (
        <Note key={name} tone="info">
          {t('strip.colleague', { name: name === '' ? t('strip.somebody') : name, count: of.length })}
        </Note>
      ))}
    </>
  )
}
