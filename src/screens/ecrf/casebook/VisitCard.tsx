import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { Casebook, LocalWrite, VisitView } from '#src/data/shapes/types.ts'
import type { VisitAct } from '#src/data/shapes/visitTypes.ts'
import { entryAddress } from '#src/paths/addresses.ts'
import { ReasonDialog } from '#src/screens/ecrf/ReasonDialog.tsx'
import { StatusMark } from '#src/ui/marks/StatusMark.tsx'
import { VisitMark } from '#src/ui/marks/VisitMark.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { VisitDialog } from './VisitDialog.tsx'
import { VisitFactsLine } from './VisitFactsLine.tsx'
import classes from './visits.module.css'

interface VisitCardProps {
  readonly book: Casebook
  readonly visit: VisitView
}

/** One visit of a patient, with what can be said of it. */
export function VisitCard({ book, visit }: VisitCardProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const [asks, setAsks] = useState<'facts' | 'remove' | 'leaveOut' | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const actions = useDataActions()
  const errorText = useErrorText()
  const { id, folderId, folderRepeat, status, sync, begun } = visit
  const name = names.visit(visit)
  const act = (what: VisitAct): Promise<LocalWrite> =>
    actions.actOnVisit(book.project.id, { patientId: book.patient.id, folderId, folderRepeat }, what)
  const atOnce = async (what: VisitAct) => {
    const done = await act(what)
    setFailed(done.ok ? null : errorText(done.error))
  }
  const may = book.visitBar === null
  const { actualDate = null, outcome = null } = visit.row ?? {}
  const isSaid = actualDate !== null || outcome !== null
  const isMade = folderRepeat !== '0'
  const isDated = visit.kind !== 'log' && visit.kind !== 'none'
  const first = book.folders.find((folder) => folder.folderId === folderId && folder.folderRepeat === folderRepeat)
    ?.pages[0]
  const close = () => setAsks(null)
  return (
    <article className={classes.card} data-status={status} aria-labelledby={`visit-${id}`}>
      <div className={classes.head}>
        <h2 className={classes.name} id={`visit-${id}`}>
          {name}
        </h2>
        <span className={classes.marks}>
          {sync !== null && sync !== 'received' && <StatusMark status={sync} />}
          <VisitMark status={status} unplanned={visit.kind !== 'planned' || folderRepeat !== '0'} />
        </span>
      </div>
      <VisitFactsLine visit={visit} />
      {failed !== null && (
        <Note tone="error" live>
          {failed}
        </Note>
      )}
      <div className={classes.actions}>
        {may && isDated && status !== 'removed' && status !== 'notApplicable' && (
          <Button
            size="md"
            variant={isSaid ? 'default' : 'filled'}
            onClick={() => setAsks('facts')}
            aria-describedby={`visit-${id}`}
          >
            {t(isSaid ? 'change' : 'edit')}
          </Button>
        )}
        {first !== undefined && (
          <Button
            size="md"
            variant="default"
            component={Link}
            to={entryAddress(book.project.id, book.patient.id, first.entryId)}
            aria-describedby={`visit-${id}`}
          >
            {t('toPages')}
          </Button>
        )}
        {may && isMade && status !== 'removed' && (
          <Button
            size="md"
            variant="subtle"
            color="red"
            onClick={() => setAsks('remove')}
            aria-describedby={`visit-${id}`}
          >
            {t('takeBack')}
          </Button>
        )}
        {may && status === 'removed' && (
          <Button
            size="md"
            variant="default"
            onClick={() => void atOnce({ do: 'restore' })}
            aria-describedby={`visit-${id}`}
          >
            {t('restore')}
          </Button>
        )}
        {may && !isMade && !begun && status !== 'notApplicable' && status !== 'stopped' && (
          <Button size="md" variant="subtle" onClick={() => setAsks('leaveOut')} aria-describedby={`visit-${id}`}>
            {t('leaveOut')}
          </Button>
        )}
        {may && !isMade && status === 'notApplicable' && (
          <Button
            size="md"
            variant="default"
            onClick={() => void atOnce({ do: 'bringBack' })}
            aria-describedby={`visit-${id}`}
          >
            {t('bringBack')}
          </Button>
        )}
      </div>
      {asks === 'facts' && <VisitDialog visit={visit} onSave={(input) => act({ do: 'say', input })} onClose={close} />}
      {asks === 'remove' && (
        <ReasonDialog
          title={t('takeBackTitle', { name })}
          text={t('takeBackText')}
          submit={t('takeBack')}
          onSubmit={(reason) => act({ do: 'remove', reason })}
          onClose={close}
        />
      )}
      {asks === 'leaveOut' && (
        <ReasonDialog
          title={t('leaveOutTitle', { name })}
          text={t('leaveOutText')}
          submit={t('leaveOut')}
          onSubmit={(reason) => act({ do: 'leaveOut', reason })}
          onClose={close}
        />
      )}
    </article>
  )
}
