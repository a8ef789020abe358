import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DecidedView } from '#src/data/shapes/types.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import type { NamedConflict } from './subject.ts'
import { useContentWords } from './useContentWords.ts'

interface DecidedProps {
  readonly conflict: NamedConflict
  readonly decided: DecidedView
  /** Whether it takes the focus: the pressed button is gone from the screen. */
  readonly takesFocus: boolean
}

/** How a conflict was decided, and where the decision is stored so far; below that the values it decided between. */
export function Decided({ conflict, decided, takesFocus }: DecidedProps) {
  const { t } = useTranslation('conflict')
  const wordsOf = useContentWords()
  const { row } = conflict.view
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  const value = wordsOf(conflict.subject, decided.to)
  const name = decided.choice === 'server' ? row.serverByName : row.mineByName
  return (
    <section ref={box} tabIndex={-1} className={classes.decided} aria-label={t('decided.title')}>
      <Note
        tone="done"
        live
        title={`${t('decided.title')} · ${decided.choice === 'new' ? t('decided.other') : t('decided.took', { name })}`}
      >
        {decided.where === 'device' ? t('decided.onDevice') : t('decided.onServer')}
      </Note>
      <FactList
        facts={[
          [t('decided.value'), <strong key="value">{value}</strong>],
          [t('decided.by'), decided.byName],
          [t('decided.at'), fullTime(decided.at)],
          [t('decided.reason'), [t(`reason.${decided.reason.code}`), decided.reason.text].filter(Boolean).join(' · ')],
        ]}
      />
      <TwoValues conflict={conflict} choosing={null} />
    </section>
  )
}
