import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { AddablePage, Casebook, CasebookFolder, CasebookPage } from '#src/data/shapes/types.ts'
import { addedPagePath } from '#src/paths/screenPaths.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { ReasonDialog } from '#src/screens/ecrf/ReasonDialog.tsx'
import { VisitBadge } from '#src/ui/badges/VisitBadge.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

import { PageLine } from './PageLine.tsx'
import { VisitFactsLine } from './VisitFactsLine.tsx'
import visits from './visits.module.css'

interface VisitPagesProps {
  readonly book: Casebook
  readonly folder: CasebookFolder
}

/** One visit of the casebook: its date and state, its pages, and what can be added to them. */
export function VisitPages({ book, folder }: VisitPagesProps) {
  const names = useNames()
  const { t } = useTranslation('visits')
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<CasebookPage | null>(null)
  const { visit, pages, addable } = folder
  const name = names.visit(folder)
  const add = ({ pageId, another }: AddablePage) => {
    const { patient } = book
    const target = {
      patientId: patient.id,
      folderId: folder.folderId,
      folderRepeat: folder.folderRepeat,
      pageId,
      pageRepeat: another ? newId() : FIRST_REPEAT,
      parentEntryId: null,
      pass: patient.pass,
    }
    void navigate(addedPagePath(book.project.id, target))
  }
  return (
    <section className={classes.folder} aria-label={name}>
      <div className={visits.folderHead}>
        <h2 className={visits.folderName}>{name}</h2>
        <VisitFactsLine visit={visit} short />
        {visit.kind !== 'none' && visit.kind !== 'log' && (
          <VisitBadge status={visit.status} unplanned={visit.kind !== 'planned' || visit.folderRepeat !== '0'} />
        )}
      </div>
      <ul className={classes.pages}>
        {pages.map((page) => (
          <li key={page.entryId} className={visits.pageRow}>
            <PageLine projectId={book.project.id} page={page} />
            {book.entry.allowed && page.removableAt !== null && (
              <ActionIcon
                variant="subtle"
                color="red"
                size={44}
                aria-label={t('deletePageLabel', { page: names.page(page), no: page.repeatNo })}
                onClick={() => setDeleting(page)}
              >
                <IconTrash size={20} aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {book.entry.allowed && addable.length > 0 && (
        <div className={visits.add}>
          {addable.map((page) => (
            <Button
              key={page.pageId}
              variant="subtle"
              h="var(--zl-control)"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
              onClick={() => add(page)}
            >
              {t(page.another ? 'addPageAnother' : 'addPage', { page: names.page(page) })}
            </Button>
          ))}
        </div>
      )}
      {deleting !== null && (
        <DeletePage projectId={book.project.id} page={deleting} onClose={() => setDeleting(null)} />
      )}
    </section>
  )
}

function DeletePage({
  projectId,
  page,
  onClose,
}: {
  readonly projectId: string
  readonly page: CasebookPage
  readonly onClose: () => void
}) {
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
