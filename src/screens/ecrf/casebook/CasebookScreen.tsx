import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useOutletContext } from 'react-router-dom'
import { useCasebook } from '#src/data/hooks/patients.ts'
import type { Casebook, CasebookPage } from '#src/data/shapes/types.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { casebookPath, entryPath, patientsPath } from '#src/paths/screenPaths.ts'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { LoadedPatient } from '#src/screens/ecrf/OpenHere.tsx'
import { EntryBarred } from '#src/screens/ecrf/page/EntryBarred.tsx'
import { AskedPagesContext, useAskedPages } from '#src/screens/ecrf/beside/askedPages.ts'
import { ReviewedPagesContext, useReviewedPages } from '#src/screens/ecrf/check/reviewedPages.ts'
import { passOf } from '#src/screens/ecrf/passOf.ts'
import { EditPatientDialog } from '#src/screens/ecrf/patient/EditPatientDialog.tsx'
import { OverruledNotes } from '#src/screens/ecrf/patient/OverruledNotes.tsx'
import { PatientFacts } from '#src/screens/ecrf/patient/PatientFacts.tsx'
import { PatientStrip } from '#src/screens/ecrf/patient/PatientStrip.tsx'
import { rightsTo } from '#src/screens/ecrf/patient/patientRights.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NoVersion } from '#src/ui/illustrations/NoVersion.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { CasebookLinks } from './CasebookLinks.tsx'
import { PageLine } from './PageLine.tsx'
import { TodoList } from './TodoList.tsx'
import { VisitList } from './VisitList.tsx'
import { VisitTimeline } from './VisitTimeline.tsx'
import classes from './casebook.module.css'
import { useVisibleVisits } from './useVisibleVisits.ts'
import { useVisitFolds } from './useVisitFolds.ts'
import { nextPage } from './visitOrder.ts'

/** A patient's pages by visit, each with its state. */
export function CasebookScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { t } = useTranslation('ecrf')
  const label = usePatientLabel()
  const casebook = useCasebook(patientId, projectId)
  const ready = casebook.state === 'ready' ? casebook.value : null
  return (
    <>
      <EcrfHeader
        backTo={ready === null ? '/projects' : patientsPath(projectId, ready.version.id)}
        backLabel={t('casebook.backToPatients')}
        title={
          ready === null
            ? t('casebook.title')
            : [label(ready.patient), ready.patient.initials].filter(Boolean).join(' · ')
        }
        pass={ready === null ? null : passOf(ready)}
      >
        <PatientStrip projectId={projectId} patientId={patientId} book={ready} pathOf={casebookPath} />
      </EcrfHeader>
      <main className={classes.main} id="main" tabIndex={-1}>
        <LoadedPatient of={casebook} rows={9}>
          {(book) => <Body key={book.patient.id} book={book} />}
        </LoadedPatient>
      </main>
    </>
  )
}

function Body({ book }: { readonly book: Casebook }) {
  const { t } = useTranslation('ecrf')
  const visible = useVisibleVisits(book)
  const asked = useAskedPages(book)
  const reviewed = useReviewedPages(book)
  const next = nextPage(book)
  const folds = useVisitFolds(book.folders, next?.entryId ?? null)
  if (book.folders.every(({ pages }) => pages.length === 0)) {
    return <EmptyState icon={<NoVersion />} title={t('casebook.empty.title')} text={t('casebook.empty.text')} />
  }
  const current = visible.folders.find(({ pages }) => pages.some((page) => page === next))
  return (
    <div className={classes.body}>
      <div className={classes.notices}>
        <ProjectBanner project={book.project} />
        <EntryBarred book={book} />
        <Overruled book={book} />
      </div>
      <VisitTimeline visits={visible.folders} currentId={current?.visit.id ?? null} onGo={folds.goTo} />
      <div className={classes.ways} data-print="no">
        <GoOn book={book} next={next} />
        <CasebookLinks book={book} />
      </div>
      <div className={classes.grid}>
        <div className={classes.todo}>
          <TodoList book={book} />
        </div>
        <div className={classes.list}>
          <AskedPagesContext value={asked}>
            <ReviewedPagesContext value={reviewed}>
              <VisitList book={book} visible={visible} folds={folds} />
            </ReviewedPagesContext>
          </AskedPagesContext>
          <Archived book={book} />
        </div>
        <div className={classes.about}>
          <PatientFacts book={book} />
        </div>
      </div>
    </div>
  )
}

/** Leads to the page with which somebody goes on. */
function GoOn({ book, next }: { readonly book: Casebook; readonly next: CasebookPage | null }) {
  const names = useNames()
  const { t } = useTranslation('ecrf')
  if (!book.entry.allowed || next === null) return null
  return (
    <Button
      size="md"
      component={Link}
      to={entryPath(book.project.id, book.patient.id, next.entryId)}
      className={classes.goOn}
      rightSection={<IconChevronRight size={18} aria-hidden="true" />}
    >
      {t('casebook.goOn', { page: names.place(next) })}
    </Button>
  )
}

/** Changes of this user that were not taken, with the way to make them again. */
function Overruled({ book }: { readonly book: Casebook }) {
  const [isEditing, setEditing] = useState(false)
  const { mayEdit } = rightsTo(book)
  return (
    <>
      <OverruledNotes book={book} onAgain={mayEdit ? () => setEditing(true) : null} />
      {isEditing && (
        <EditPatientDialog projectId={book.project.id} patient={book.patient} onClose={() => setEditing(false)} />
      )}
    </>
  )
}

/** Pages that the version no longer has, with what was entered. */
function Archived({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('ecrf')
  if (book.archived.length === 0) return null
  return (
    <section className={classes.visit} aria-label={t('archived.title')}>
      <div className={classes.visitHead}>
        <h2 className={classes.visitName}>{t('archived.title')}</h2>
      </div>
      <p className={classes.hint}>{t('archived.text')}</p>
      <ul className={classes.pages}>
        {book.archived.map((page) => (
          <li key={page.entryId}>
            <PageLine projectId={book.project.id} page={{ ...page, pageName: names.place(page), pageNameEn: null }} />
          </li>
        ))}
      </ul>
    </section>
  )
}
