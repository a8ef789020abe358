import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useParams, useSearchParams } from 'react-router-dom'
import { useCasebook, useEntry } from '#src/data/hooks/patients.ts'
import type { Casebook, CasebookPage, EntryView } from '#src/data/shapes/types.ts'
import { BrokenPage } from '#src/form/BrokenPage.tsx'
import type { EcrfPlace } from '#src/frame/layouts/EcrfLayout.tsx'
import { casebookPath } from '#src/paths/screenPaths.ts'
import type { BesideOf } from '#src/screens/ecrf/beside/useBeside.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { LoadedPatient } from '#src/screens/ecrf/OpenHere.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { withAdded } from './addedPage.ts'
import { EntryEditor } from './EntryEditor.tsx'
import { engineKey } from './engineKey.ts'
import { useShown } from './useShown.ts'

/** One page of a patient. */
export function EntryScreen() {
  const { projectId, patientId } = useOutletContext<EcrfPlace>()
  const { entryId = '' } = useParams()
  const [search] = useSearchParams()
  const { t } = useTranslation(['ecrf', 'common'])
  const casebook = useCasebook(patientId, projectId)
  if (casebook.state !== 'ready') {
    return (
      <Framed projectId={projectId} patientId={patientId} title={t('casebook.title')}>
        <LoadedPatient of={casebook} rows={8}>
          {() => null}
        </LoadedPatient>
      </Framed>
    )
  }
  const book = withAdded(casebook.value, search.get('add'), entryId)
  const archived = book.archived.find((candidate) => candidate.entryId === entryId)
  const page = archived ?? book.folders.flatMap(({ pages }) => pages).find((candidate) => candidate.entryId === entryId)
  if (page === undefined) {
    return (
      <Framed projectId={projectId} patientId={patientId} title={t('casebook.title')}>
        <EmptyState title={t('page.notFound.title')} text={t('page.notFound.text')} />
      </Framed>
    )
  }
  return (
    <Page
      key={page.entryId}
      book={archived === undefined ? book : { ...book, entry: { allowed: false, why: 'archived' } }}
      page={page}
    />
  )
}

function Page({ book, page }: { readonly book: Casebook; readonly page: CasebookPage }) {
  const names = useNames()
  const { t } = useTranslation(['ecrf', 'common'])
  const label = usePatientLabel()
  const entry = useEntry(book.project.id, page.target)
  const title = [label(book.patient), book.patient.initials, names.place(page)].filter(Boolean).join(' · ')
  const place = { projectId: book.project.id, patientId: book.patient.id, title }
  if (entry.state !== 'ready') {
    return (
      <Framed {...place}>
        <LoadedPatient of={entry} rows={8}>
          {() => null}
        </LoadedPatient>
      </Framed>
    )
  }
  return (
    <OpenPage
      book={book}
      page={page}
      view={entry.value}
      title={title}
      backLabel={t('page.back', { patient: label(book.patient) })}
    />
  )
}

interface OpenPageProps {
  readonly book: Casebook
  readonly page: CasebookPage
  readonly view: EntryView
  readonly title: string
  readonly backLabel: string
}

/** A page that has been read. */
function OpenPage({ book, page, view, title, backLabel }: OpenPageProps) {
  // A page that did not take typing when it was opened is opened again once it can. A page that is closed to typing
  // meanwhile stays, with what was typed.
  const [wasOpen, setWasOpen] = useState(book.entry.allowed)
  if (book.entry.allowed && !wasOpen) setWasOpen(true)
  const [beside, setBeside] = useState<BesideOf | null>(null)
  const key = view.compiled === null ? 'broken' : `${engineKey(view.compiled)} ${wasOpen}`
  const { shown, onOpen } = useShown({ key, view, compiled: view.compiled })
  if (shown.compiled === null) {
    return (
      <Framed projectId={book.project.id} patientId={book.patient.id} title={title}>
        <BrokenPage />
      </Framed>
    )
  }
  return (
    <EntryEditor
      key={shown.key}
      book={book}
      page={page}
      view={shown.view}
      compiled={shown.compiled}
      title={title}
      backLabel={backLabel}
      wasOpen={wasOpen}
      besideState={[beside, setBeside]}
      onOpen={onOpen}
    />
  )
}

interface FramedProps {
  readonly projectId: string
  readonly patientId: string
  readonly title: string
  readonly children: ReactNode
}

function Framed({ projectId, patientId, title, children }: FramedProps) {
  const { t } = useTranslation(['ecrf', 'common'])
  return (
    <>
      <EcrfHeader backTo={casebookPath(projectId, patientId)} backLabel={t('common:action.back')} title={title} />
      <main className={classes.main} id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}
