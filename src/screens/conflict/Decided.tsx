import { Button, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { conflictPath } from '#src/paths/screenPaths.ts'
import { useAttention } from '#src/data/hooks/sync.ts'
import type { ConflictView, DecidedView } from '#src/data/shapes/types.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { Content } from './Content.tsx'
import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import type { Subject } from './subject.ts'

interface DecidedProps {
  readonly view: ConflictView
  readonly subject: Subject
  readonly decided: DecidedView
}

/** How a conflict was decided, where the decision is stored so far, and the link to the next conflict. */
export function Decided({ view, subject, decided }: DecidedProps) {
  const { t } = useTranslation('conflict')
  const attention = useAttention()
  const waiting = (attention.state === 'ready' ? attention.value : []).flatMap(({ conflict, projectId }) =>
    conflict === null || conflict.id === view.row.id ? [] : [{ ...conflict, projectId }],
  )
  const [next] = waiting
  const box = useRef<HTMLElement>(null)
  // The pressed button is gone from the screen, so the outcome takes the focus.
  useEffect(() => box.current?.focus(), [])
  return (
    <section ref={box} tabIndex={-1} className={classes.decided} aria-label={t('decided.title')}>
      <Note tone="done" live title={`${t('decided.title')} · ${t(`decided.choice.${decided.choice}`)}`}>
        {decided.where === 'device' ? t('decided.onDevice') : t('decided.onServer')}
      </Note>
      <FactList
        facts={[
          [t('decided.value'), <Content key="value" subject={subject} content={decided.to} />],
          [t('decided.by'), decided.byName],
          [t('decided.at'), fullTime(decided.at)],
          [t('decided.reason'), [t(`reason.${decided.reason.code}`), decided.reason.text].filter(Boolean).join(' · ')],
        ]}
      />
      <TwoValues view={view} subject={subject} choosing={null} />
      {next !== undefined && (
        <Group justify="flex-end">
          <Button component={Link} to={conflictPath(next.projectId, next.entryId, next.id)} size="md">
            {t('decided.next', { count: waiting.length })}
          </Button>
        </Group>
      )}
    </section>
  )
}
