import { ActionIcon, Button } from '@mantine/core'
import { IconCalendarCheck, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { AddablePage, Casebook, CasebookFolder, CasebookPage } from '#src/data/shapes/types.ts'
import { addedPagePath } from '#src/paths/screenPaths.ts'
import { ReasonDialog } from '#src/screens/ecrf/ReasonDialog.tsx'
import { ReviewedPagesContext, countsOfPages } from '#src/screens/ecrf/check/reviewedPages.ts'
import { ReviewRollUp } from '#src/ui/badges/ReviewBadge.tsx'
import { StatusRing } from '#src/ui/badges/StatusRing.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { stateOfPages } from '#src/ui/badges/pageState.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { PageLine } from './PageLine.tsx'
import { VisitDialog } from './VisitDialog.tsx'
import { VisitFactsLine } from './VisitFactsLine.tsx'
import classes from './casebook.module.css'
import { isDated, visitAnchor } from './visitOrder.ts'

interface VisitPagesProps {
  readonly book: Casebook
  readonly folder: CasebookFolder
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** One visit of the casebook: a line with its date and state, and below it, while it is open, its pages. */
export function VisitPages({ book, folder, isOpen, onToggle }: VisitPagesProps) {
  const names = useNames()
  const { t } = useTranslation('casebook')
  const { visit, pages } = folder
  const name = names.visit(folder)
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  return (
    <section className={classes.visit} id={visitAnchor(visit.id)} aria-label={name}>
      <div className={classes.visitHead}>
        <IconChevronRight size={18} className={classes.chevron} data-open={isOpen || undefined} aria-hidden="true" />
        <StatusRing visit={visit.status} state={stateOfPages(pages)} left={pages.length - submitted} />
        <h3 className={classes.visitName}>
          <button type="button" data-visit-name="" aria-expanded={isOpen} onClick={onToggle}>
            {name}
          </button>
        </h3>
        <VisitFactsLine visit={visit} short />
        <span className={classes.visitEnd}>
          <ReviewRollUp counts={countsOfPages(use(ReviewedPagesContext), pages)} />
          {isDated(visit) && (
            <VisitBadge
              status={visit.status}
              unplanned={visit.kind !== 'planned' || visit.folderRepeat !== FIRST_REPEAT}
            />
          )}
          <span className={classes.share}>{t('visits.share', { submitted, total: pages.length })}</span>
        </span>
      </div>
      {isOpen && <OpenVisit book={book} folder={folder} />}
    </section>
  )
}

function OpenVisit({ book, folder }: Pick<VisitPagesProps, 'book' | 'folder'>) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const [deleting, setDeleting] = useState<CasebookPage | null>(null)
  return (
    <>
      <ul className={classes.pages}>
        {folder.pages.map((page) => (
          <li key={page.entryId}>
            <PageLine projectId={book.project.id} page={page} />
            {book.entry.allowed && page.removableAt !== null && (
              <ActionIcon
                variant="subtle"
                color="red"
                size="var(--zl-control)"
                data-print="no"
                aria-label={t('deletePageLabel', { page: names.page(page), no: page.repeatNo })}
                onClick={() => setDeleting(page)}
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <VisitFoot book={book} folder={folder} />
      {deleting !== null && (
        <DeletePage projectId={book.project.id} page={deleting} onClose={() => setDeleting(null)} />
      )}
    </>
  )
}

/** What can be added to the visit: the day on which it took place, and pages. */
function VisitFoot({ book, folder }: Pick<VisitPagesProps, 'book' | 'folder'>) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const navigate = useNavigate()
  const actions = useDataActions()
  const [isSaying, setSaying] = useState(false)
  const { visit, addable } = folder
  const { project, patient } = book
  const { folderId, folderRepeat } = visit
  const add = ({ pageId, another }: AddablePage) => {
    const target = {
      patientId: patient.id,
      folderId,
      folderRepeat,
      pageId,
      pageRepeat: another ? newId() : FIRST_REPEAT,
      parentEntryId: null,
      pass: patient.pass,
    }
    void navigate(addedPagePath(project.id, target))
  }
  const added = book.entry.allowed ? addable : []
  const isUnsaid = book.visitBar === null && UNSAID.has(visit.status)
  if (added.length === 0 && !isUnsaid) return null
  return (
    <div className={classes.foot} data-print="no">
      {isUnsaid && (
        <Button
          variant="subtle"
          size="compact-md"
          h="var(--zl-control)"
          leftSection={<IconCalendarCheck size={18} aria-hidden="true" />}
          onClick={() => setSaying(true)}
        >
          {t('edit')}
        </Button>
      )}
      {added.map((page) => (
        <Button
          key={page.pageId}
          variant="subtle"
          size="compact-md"
          h="var(--zl-control)"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => add(page)}
        >
          {t(page.another ? 'addPageAnother' : 'addPage', { page: names.page(page) })}
        </Button>
      ))}
      {isSaying && (
        <VisitDialog
          visit={visit}
          onSave={(input) =>
            actions.actOnVisit(project.id, { patientId: patient.id, folderId, folderRepeat }, { do: 'say', input })
          }
          onClose={() => setSaying(false)}
        />
      )}
    </div>
  )
}

/** Visits that are expected or begun, and of which nobody has said yet whether and when they took place. */
const UNSAID: ReadonlySet<CasebookFolder['visit']['status']> = new Set(['due', 'overdue', 'begun'])

interface DeletePageProps {
  readonly projectId: string
  readonly page: CasebookPage
  readonly onClose: () => void
}

function DeletePage({ projectId, page, onClose }: DeletePageProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const actions = useDataActions()
  return (
    <ReasonDialog
      title={t('deletePageTitle', { page: names.page(page), no: page.repeatNo })}
      text={t('deletePageText')}
      submit={t('deletePage')}
      onSubmit={(reason) => actions.deleteEntry(projectId, page.target, page.removableAt ?? 0, reason)}
      onClose={onClose}
    />
  )
}
