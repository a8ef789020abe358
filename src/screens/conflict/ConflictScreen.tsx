import { Button } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom'
import { entryId as idOf } from '#core/derivedIds.ts'
import { isId } from '#core/ids.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import { conflictPath, entryPath } from '#src/paths/screenPaths.ts'
import { useAttention, useConflictsOfPage } from '#src/data/hooks/sync.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { Decided } from './Decided.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { ConflictPart } from './FieldConflict.tsx'
import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import { useNamedConflicts } from './subject.ts'
import type { NamedConflict } from './subject.ts'

/** The conflicts of a page: the one that was opened first, each with both values side by side, and the decision. */
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
  const conflicts = useConflictsOfPage(projectId, entryId, conflictId)
  const isOpen = conflicts.state === 'ready' && conflicts.value.some(({ decided }) => decided === null)
  return (
    <PageFrame
      title={t('title')}
      {...(isOpen ? { intro: t('intro') } : {})}
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
      <Loaded of={conflicts} rows={5}>
        {(views) => <Conflicts views={views} />}
      </Loaded>
    </PageFrame>
  )
}

function Conflicts({ views }: { readonly views: readonly ConflictView[] }) {
  const conflicts = useNamedConflicts(views)
  const [first] = conflicts
  if (first === undefined) return null
  const open = conflicts.filter(({ view }) => view.decided === null && view.barred === null)
  const others = conflicts.filter((one) => !open.includes(one))
  return (
    <div className={classes.body}>
      <Where conflict={first} />
      {open.length > 0 && <DecisionForm conflicts={open} />}
      {others.map((conflict) => (
        <ConflictPart key={conflict.view.row.id} conflict={conflict}>
          <NothingToChoose conflict={conflict} takesFocus={conflict === others[0] && open.length === 0} />
        </ConflictPart>
      ))}
      {open.length === 0 && <NextConflict views={views} />}
    </div>
  )
}

/** Whose page it is, and the way to it. */
function Where({ conflict: { view, subject } }: { readonly conflict: NamedConflict }) {
  const names = useNames()
  const { t } = useTranslation('conflict')
  const { target, projectId, row } = view
  const place = row.table ?? (subject.kind === 'value' ? row.code : null)
  return (
    <header className={classes.head}>
      <p className={classes.where}>{[view.patientLabel, names.place(view)].filter(Boolean).join(' · ')}</p>
      <Button
        component={Link}
        to={entryPath(projectId, target.patientId, idOf(target), isAboutFormer(row) ? null : place)}
        size="md"
        variant="default"
      >
        {t('openPage')}
      </Button>
    </header>
  )
}

/** Values of a conflict that is decided, or that this person cannot decide. */
function NothingToChoose({ conflict, takesFocus }: { readonly conflict: NamedConflict; readonly takesFocus: boolean }) {
  const { t } = useTranslation('conflict')
  const { decided, barred } = conflict.view
  if (decided !== null) return <Decided conflict={conflict} decided={decided} takesFocus={takesFocus} />
  return (
    <>
      {barred !== null && <Note tone="info">{t(`barred.${barred}`)}</Note>}
      <TwoValues conflict={conflict} choosing={null} />
    </>
  )
}

/** The way to the next conflict of another page; nothing where none waits. */
function NextConflict({ views }: { readonly views: readonly ConflictView[] }) {
  const { t } = useTranslation('conflict')
  const attention = useAttention()
  const here = new Set(views.map(({ row }) => row.id))
  const waiting = (attention.state === 'ready' ? attention.value : []).flatMap(({ conflict, projectId }) =>
    conflict === null || here.has(conflict.id) ? [] : [{ ...conflict, projectId }],
  )
  const [next] = waiting
  if (next === undefined) return null
  return (
    <div className={classes.next}>
      <Button component={Link} to={conflictPath(next.projectId, next.entryId, next.id)} size="md">
        {t('decided.next', { count: waiting.length })}
      </Button>
    </div>
  )
}
