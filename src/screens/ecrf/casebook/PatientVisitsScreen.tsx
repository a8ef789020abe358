import { Button, Group } from '@mantine/core'
import { IconCalendar, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import { mayBeMade } from '#core/study/visits/visitPlan.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { today } from '#src/data/shapes/today.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { casebookPath, patientVisitsPath } from '#src/paths/screenPaths.ts'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { LoadedPatient, OpenHere } from '#src/screens/ecrf/OpenHere.tsx'
import { passOf } from '#src/screens/ecrf/passOf.ts'
import { PatientStrip } from '#src/screens/ecrf/patient/PatientStrip.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { FolderOrder } from './FolderOrder.tsx'
import { MakeVisitDialog } from './MakeVisitDialog.tsx'
import { VisitCard } from './VisitCard.tsx'
import { VisitTimeline } from './VisitTimeline.tsx'
import type { VisitWithPages } from './VisitTimeline.tsx'
import classes from './casebook.module.css'
import { showVisit } from './useVisitFolds.ts'
import { nextPage } from './visitOrder.ts'
import visits from './visits.module.css'

/**
 * The visits of a patient: when each is planned, when it took place, and what a person can record about it. Works
 * without a network.
 */
export function PatientVisitsScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation('visits')
  const label = usePatientLabel()
  const casebook = useCasebook(patientId, projectId)
  const ready = casebook.state === 'ready' ? casebook.value : null
  return (
    <>
      <EcrfHeader
        backTo={casebookPath(projectId, patientId)}
        backLabel={t('patient.back')}
        title={
          ready === null
            ? t('patient.title')
            : [label(ready.patient), ready.patient.initials, t('patient.title')].filter(Boolean).join(' · ')
        }
        pass={ready === null ? null : passOf(ready)}
      >
        <PatientStrip projectId={projectId} patientId={patientId} book={ready} pathOf={patientVisitsPath} />
      </EcrfHeader>
      <main className={classes.main} id="main" tabIndex={-1}>
        <LoadedPatient of={casebook} rows={6}>
          {(book) => <Schedule key={book.patient.id} book={book} />}
        </LoadedPatient>
      </main>
    </>
  )
}

function Schedule({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('visits')
  const isAway = ({ status }: Casebook['visits'][number]): boolean => status === 'removed' || status === 'notApplicable'
  const shown = book.visits.filter((visit) => !isAway(visit))
  const away = book.visits.filter(isAway)
  const next = nextPage(book)
  const current = shown.find((visit) => pagesOf(book, visit).some((page) => page === next))
  const [open, setOpen] = useState(false)
  const { enrolledOn } = book.patient
  if (book.visits.length === 0) {
    return (
      <EmptyState
        icon={<IconCalendar size={44} stroke={1.4} />}
        title={t('patient.none.title')}
        text={t('patient.none.text')}
      />
    )
  }
  return (
    <div className={classes.body}>
      <div className={classes.notices}>
        <ProjectBanner project={book.project} />
        {book.visitBar === 'no_right' && <Note tone="info">{t('bar.no_right')}</Note>}
        {book.visitBar === 'not_kept' && <OpenHere book={book} />}
        {enrolledOn === null && <Note tone="warning">{t('patient.noEnrolment')}</Note>}
      </div>
      <VisitTimeline
        visits={shown.map((visit): VisitWithPages => ({ visit, pages: pagesOf(book, visit) }))}
        currentId={current?.id ?? null}
        onGo={showVisit}
      />
      {enrolledOn !== null && <p className={visits.facts}>{t('patient.intro', { day: enrolledOn, today: today() })}</p>}
      <ul className={visits.list} aria-label={t('patient.title')}>
        {shown.map((visit) => (
          <li key={visit.id}>
            <VisitCard book={book} visit={visit} />
          </li>
        ))}
      </ul>
      {book.visitBar === null && <AddVisits book={book} />}
      {book.visitBar === null && <FolderOrder book={book} />}
      {away.length > 0 && (
        <>
          <Button variant="subtle" size="md" onClick={() => setOpen(!open)} aria-expanded={open}>
            {t('patient.away', { count: away.length })}
          </Button>
          {open && (
            <ul className={visits.list}>
              {away.map((visit) => (
                <li key={visit.id}>
                  <VisitCard book={book} visit={visit} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

function pagesOf({ folders }: Casebook, { id }: Casebook['visits'][number]): VisitWithPages['pages'] {
  return folders.find(({ visit }) => visit.id === id)?.pages ?? []
}

/** A visit that was made a moment ago and can be undone with one press. */
interface Made {
  readonly visit: VisitKey
  readonly folder: FolderRow
  readonly day: string
}

function isUnscheduled({ schedule }: FolderRow): boolean {
  return schedule?.kind === 'unscheduled'
}

/** Visits that a person may make: unscheduled ones, and further repeats of folders that repeat. */
function AddVisits({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const actions = useDataActions()
  const errorText = useErrorText()
  const [failed, setFailed] = useState<ApiError | null>(null)
  const folders = book.version.folders.filter(mayBeMade).toSorted((a, b) => a.sort - b.sort)
  const [asking, setAsking] = useState<FolderRow | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const make = async (folder: FolderRow, actualDate: string, why: string | null) => {
    const done = await actions.actOnVisit(
      book.project.id,
      { patientId: book.patient.id, folderId: folder.id, folderRepeat: '0' },
      { do: 'make', folderId: folder.id, actualDate, why },
    )
    if (done.ok && done.visit !== undefined) setMade({ visit: done.visit, folder, day: actualDate })
    return done
  }
  const undo = async ({ visit }: Made) => {
    const done = await actions.actOnVisit(book.project.id, visit, {
      do: 'remove',
      reason: { code: 'other', text: t('make.undone') },
    })
    setFailed(done.ok ? null : done.error)
    if (done.ok) setMade(null)
  }
  if (folders.length === 0) return null
  return (
    <>
      {failed !== null && (
        <Note tone="error" live>
          {errorText(failed)}
        </Note>
      )}
      {made !== null && (
        <Note tone="done" live>
          <Group gap="xs">
            <span>{t('make.done', { name: names.visit(made.folder), day: made.day })}</span>
            <Button variant="subtle" size="compact-md" mih={44} onClick={() => void undo(made)}>
              {t('make.undo')}
            </Button>
          </Group>
        </Note>
      )}
      <div className={visits.actions}>
        {folders.map((folder) => (
          <Button
            key={folder.id}
            variant="default"
            size="md"
            leftSection={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => setAsking(folder)}
          >
            {t(isUnscheduled(folder) ? 'add' : 'addAnother', { name: names.visit(folder) })}
          </Button>
        ))}
      </div>
      {asking !== null && (
        <MakeVisitDialog
          name={names.visit(asking)}
          asksWhy={isUnscheduled(asking)}
          onMake={(day, why) => make(asking, day, why)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}
