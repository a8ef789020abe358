import { Button } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom'
import { entryId as idOf } from '#core/derivedIds.ts'
import { isId } from '#core/ids.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { useConflict } from '#src/data/hooks/sync.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { labelOf } from '#src/form/words.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { Decided } from './Decided.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import { useSubject } from './subject.ts'
import type { Subject } from './subject.ts'

/** One conflict: its place, both values side by side, and the decision. */
export function ConflictScreen() {
  const { entryId = '', conflictId = '' } = useParams()
  const [search] = useSearchParams()
  const projectId = search.get('p') ?? ''
  if (![projectId, entryId, conflictId].every(isId)) return <Navigate to="/404" replace />
  return <Screen key={conflictId} projectId={projectId} entryId={entryId} conflictId={conflictId} />
}

interface ScreenProps {
  readonly projectId: string
  readonly entryId: string
  readonly conflictId: string
}

function Screen({ projectId, entryId, conflictId }: ScreenProps) {
  const { t } = useTranslation('conflict')
  const conflict = useConflict(projectId, entryId, conflictId)
  const decided = conflict.state === 'ready' && conflict.value.decided !== null
  return (
    <PageFrame
      title={t('title')}
      {...(decided ? {} : { intro: t('intro') })}
      actions={
        <Button
          component={Link}
          to="/attention"
          size="md"
          variant="subtle"
          leftSection={<IconChevronLeft size={18} aria-hidden="true" />}
        >
          {t('back')}
        </Button>
      }
    >
      <Loaded of={conflict} rows={5}>
        {(view) => <Conflict view={view} />}
      </Loaded>
    </PageFrame>
  )
}

function Conflict({ view }: { readonly view: ConflictView }) {
  const names = useNames()
  const { t } = useTranslation('conflict')
  const subject = useSubject(view)
  const { target, projectId, row } = view
  const where = [view.patientLabel, names.place(view)].filter(Boolean).join(' · ')
  const isFormer = isAboutFormer(row)
  const place = row.table ?? (subject.kind === 'value' ? row.code : null)
  const page = entryPath(projectId, target.patientId, idOf(target), isFormer ? null : place)
  return (
    <div className={classes.body}>
      <header className={classes.head}>
        <div>
          <p className={classes.where}>{where}</p>
          <h2 className={classes.subject}>{subject.name}</h2>
        </div>
        <Button component={Link} to={page} size="md" variant="default">
          {t('openPage')}
        </Button>
      </header>
      {isFormer && <Note tone="info">{t('formerHint')}</Note>}
      <RowAround view={view} subject={subject} />
      {view.decided !== null ? (
        <Decided view={view} subject={subject} decided={view.decided} />
      ) : view.barred !== null ? (
        <>
          <Note tone="info">{t(`barred.${view.barred}`)}</Note>
          <TwoValues view={view} subject={subject} choosing={null} />
        </>
      ) : (
        <DecisionForm view={view} subject={subject} />
      )}
    </div>
  )
}

/** For a conflict in a table: the other values of its row, by which people recognise it. */
function RowAround({ view: { tableRow }, subject }: { readonly view: ConflictView; readonly subject: Subject }) {
  const { t, i18n } = useTranslation('conflict')
  if (tableRow === null) return null
  const filled = subject.row.filter(({ code }) => (tableRow.values[code] ?? null) !== null)
  if (filled.length === 0) return null
  const language = i18n.language === 'en' ? 'en' : 'zh'
  return (
    <section className={classes.rowAround} aria-label={t('rowHolds')}>
      <h3>{t('rowHolds')}</h3>
      <FactList
        facts={filled.map((field) => [
          labelOf(field, language),
          <ContentText
            key={field.code}
            field={field}
            content={{ value: tableRow.values[field.code] ?? null, missing: null }}
          />,
        ])}
      />
    </section>
  )
}
