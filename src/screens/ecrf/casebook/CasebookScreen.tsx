import { Button } from '@mantine/core'
import { IconChevronRight, IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useOutletContext } from 'react-router-dom'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useCasebook } from '#src/data/hooks/patients.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { entryPath, patientsPath } from '#src/paths/screenPaths.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { LoadedPatient } from '#src/screens/ecrf/OpenHere.tsx'
import { EntryBarred } from '#src/screens/ecrf/page/EntryBarred.tsx'
import { passOf } from '#src/screens/ecrf/passOf.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { CasebookLinks } from './CasebookLinks.tsx'
import { DoubleEntry } from './DoubleEntry.tsx'
import { PageLine } from './PageLine.tsx'
import { PatientFacts } from './PatientFacts.tsx'
import { HiddenVisits } from './HiddenVisits.tsx'
import { TodoList } from './TodoList.tsx'
import { VisitPages } from './VisitPages.tsx'
import { useVisibleVisits } from './useVisibleVisits.ts'
import visits from './visits.module.css'

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
      />
      <main className={classes.main} id="main" tabIndex={-1}>
        <LoadedPatient of={casebook} rows={9}>
          {(book) => <Pages book={book} />}
        </LoadedPatient>
      </main>
    </>
  )
}

function Pages({ book }: { readonly book: Casebook }) {
  const names = useNames()
  const { t } = useTranslation('ecrf')
  const visible = useVisibleVisits(book)
  const pages = book.folders.flatMap((folder) => folder.pages)
  if (pages.length === 0) {
    return (
      <EmptyState
        icon={<IconFileText size={44} stroke={1.4} />}
        title={t('casebook.empty.title')}
        text={t('casebook.empty.text')}
      />
    )
  }
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  const next = pages.find(({ status }) => status === 'process') ?? pages.find(({ status }) => status === 'init')
  return (
    <div className={classes.stack}>
      <ProjectBanner project={book.project} />
      <EntryBarred book={book} />
      <p className={classes.facts}>
        <span>{t('casebook.version', { version: book.version.versionNoDesc })}</span>
        <span>{t('casebook.progress', { submitted, total: pages.length })}</span>
      </p>
      {book.entry.allowed && next !== undefined && (
        <Button
          size="md"
          component={Link}
          to={entryPath(book.project.id, book.patient.id, next.entryId)}
          className={classes.goOn}
          rightSection={<IconChevronRight size={18} aria-hidden="true" />}
        >
          {t('casebook.goOn', { page: names.place(next) })}
        </Button>
      )}
      <DoubleEntry book={book} />
      <PatientFacts book={book} />
      <CasebookLinks book={book} />
      <TodoList book={book} />
      <HiddenVisits of={visible} />
      {visible.folders.map((folder) => (
        <VisitPages key={folder.visit.id} book={book} folder={folder} />
      ))}
      {book.archived.length > 0 && (
        <section className={classes.folder} aria-label={t('archived.title')}>
          <h2 className={visits.folderName}>{t('archived.title')}</h2>
          <p className={classes.facts}>{t('archived.text')}</p>
          <ul className={classes.pages}>
            {book.archived.map((page) => (
              <li key={page.entryId} className={visits.pageRow}>
                <PageLine
                  projectId={book.project.id}
                  page={{ ...page, pageName: names.place(page), pageNameEn: null }}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
