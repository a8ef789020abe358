import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { Casebook, LocalWrite, VisitView } from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'
import { ReasonDialog } from '#src/screens/ecrf/ReasonDialog.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { VisitActions } from './VisitActions.tsx'
import type { VisitQuestion } from './VisitActions.tsx'
import { VisitDialog } from './VisitDialog.tsx'
import { VisitFactsLine } from './VisitFactsLine.tsx'
import { visitAnchor } from './visitOrder.ts'
import classes from './visits.module.css'

interface VisitCardProps {
  readonly book: Casebook
  readonly visit: VisitView
}

/** One visit of a patient, with the actions that the user has for it. */
export function VisitCard({ book, visit }: VisitCardProps) {
  const names = useNames()
  const [question, setQuestion] = useState<VisitQuestion | null>(null)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const actions = useDataActions()
  const errorText = useErrorText()
  const { id, folderId, folderRepeat, status, sync } = visit
  const act = (what: VisitAct): Promise<LocalWrite> =>
    actions.actOnVisit(book.project.id, { patientId: book.patient.id, folderId, folderRepeat }, what)
  const actAtOnce = async (what: VisitAct) => {
    const done = await act(what)
    setFailed(done.ok ? null : done.error)
  }
  return (
    <article className={classes.card} data-status={status} id={visitAnchor(id)} aria-labelledby={`name-${id}`}>
      <div className={classes.what}>
        <div className={classes.head}>
          <h2 className={classes.name} id={`name-${id}`} tabIndex={-1} data-visit-name="">
            {names.visit(visit)}
          </h2>
          <VisitBadge status={status} unplanned={visit.kind !== 'planned' || folderRepeat !== '0'} />
          {sync !== null && sync !== 'received' && <StatusBadge status={sync} />}
        </div>
        <VisitFactsLine visit={visit} />
        {failed !== null && (
          <Note tone="error" live>
            {errorText(failed)}
          </Note>
        )}
      </div>
      <VisitActions book={book} visit={visit} onAsk={setQuestion} onAct={(what) => void actAtOnce(what)} />
      {question !== null && (
        <QuestionDialog question={question} visit={visit} onAct={act} onClose={() => setQuestion(null)} />
      )}
    </article>
  )
}

interface QuestionDialogProps {
  readonly question: VisitQuestion
  readonly visit: VisitView
  readonly onAct: (what: VisitAct) => Promise<LocalWrite>
  readonly onClose: () => void
}

/** The dialog for the question that an action asks. */
function QuestionDialog({ question, visit, onAct, onClose }: QuestionDialogProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const name = names.visit(visit)
  switch (question) {
    case 'facts':
      return <VisitDialog visit={visit} onSave={(input) => onAct({ do: 'say', input })} onClose={onClose} />
    case 'remove':
      return (
        <ReasonDialog
          key="remove"
          title={t('takeBackTitle', { name })}
          text={t('takeBackText')}
          submit={t('takeBack')}
          onSubmit={(reason) => onAct({ do: 'remove', reason })}
          onClose={onClose}
        />
      )
    case 'leaveOut':
      return (
        <ReasonDialog
          key="leaveOut"
          title={t('leaveOutTitle', { name })}
          text={t('leaveOutText')}
          submit={t('leaveOut')}
          onSubmit={(reason) => onAct({ do: 'leaveOut', reason })}
          onClose={onClose}
        />
      )
  }
}
