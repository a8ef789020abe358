import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { Casebook, VisitView } from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'
import { entryPath } from '#src/paths/screenPaths.ts'

import { isDated } from './visitOrder.ts'
import classes from './visits.module.css'

/** Acts that a dialog asks about first: the facts of the visit, its removal, or leaving it out. */
export type VisitQuestion = 'facts' | 'remove' | 'leaveOut'

interface VisitActionsProps {
  readonly book: Casebook
  readonly visit: VisitView
  readonly onAsk: (question: VisitQuestion) => void
  /** Does the acts that need no dialog. */
  readonly onAct: (what: VisitAct) => void
}

/** What this user can do with a visit, and the link to its pages. */
export function VisitActions({ book, visit, onAsk, onAct }: VisitActionsProps) {
  const { t } = useTranslation('visits')
  const { status } = visit
  const may = book.visitBar === null
  const isMade = visit.folderRepeat !== FIRST_REPEAT
  const describedBy = `name-${visit.id}`
  return (
    <div className={classes.actions}>
      {may && isDated(visit) && status !== 'removed' && status !== 'notApplicable' && (
        <Button
          size="md"
          variant={isSaid(visit) ? 'default' : 'filled'}
          onClick={() => onAsk('facts')}
          aria-describedby={describedBy}
        >
          {t(isSaid(visit) ? 'change' : 'edit')}
        </Button>
      )}
      <ToPages book={book} visit={visit} />
      {may && isMade && status !== 'removed' && (
        <Button size="md" variant="subtle" color="red" onClick={() => onAsk('remove')} aria-describedby={describedBy}>
          {t('takeBack')}
        </Button>
      )}
      {may && status === 'removed' && (
        <Button size="md" variant="default" onClick={() => onAct({ do: 'restore' })} aria-describedby={describedBy}>
          {t('restore')}
        </Button>
      )}
      {may && !isMade && !visit.begun && status !== 'notApplicable' && status !== 'stopped' && (
        <Button size="md" variant="subtle" onClick={() => onAsk('leaveOut')} aria-describedby={describedBy}>
          {t('leaveOut')}
        </Button>
      )}
      {may && !isMade && status === 'notApplicable' && (
        <Button size="md" variant="default" onClick={() => onAct({ do: 'bringBack' })} aria-describedby={describedBy}>
          {t('bringBack')}
        </Button>
      )}
    </div>
  )
}

/** Leads to the first page of the visit, where it has one. */
function ToPages({ book, visit }: Pick<VisitActionsProps, 'book' | 'visit'>) {
  const { t } = useTranslation('visits')
  const folder = book.folders.find(
    ({ folderId, folderRepeat }) => folderId === visit.folderId && folderRepeat === visit.folderRepeat,
  )
  const first = folder?.pages[0]
  return first === undefined ? null : (
    <Button
      size="md"
      variant="default"
      component={Link}
      to={entryPath(book.project.id, book.patient.id, first.entryId)}
      aria-describedby={`name-${visit.id}`}
    >
      {t('toPages')}
    </Button>
  )
}

/** Whether the visit has an actual date, or an outcome that says why it did not take place. */
function isSaid({ row }: VisitView): boolean {
  const { actualDate = null, outcome = null } = row ?? {}
  return actualDate !== null || outcome !== null
}
