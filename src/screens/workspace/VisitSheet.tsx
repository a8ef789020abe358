import { Anchor } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'
import { casebookPath, entryPath } from '#src/paths/screenPaths.ts'
import type { PageMark, PatientView } from '#src/data/shapes/types.ts'
import { PageStatus } from '#src/ui/badges/PageStatus.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import classes from './matrix.module.css'

/** A visit of a patient. */
export interface Visit {
  readonly patient: PatientView
  readonly folder: FolderRow
}

interface VisitSheetProps {
  readonly projectId: string
  readonly visit: Visit
  /** All known pages of the patient. */
  readonly pages: readonly PageMark[]
  readonly onClose: () => void
}

/** The pages of one visit of a patient, each with its link. */
export function VisitSheet({ projectId, visit: { patient, folder }, pages, onClose }: VisitSheetProps) {
  const names = useNames()
  const { t } = useTranslation(['workspace', 'common', 'ecrf'])
  const label = usePatientLabel()
  const lines = folder.pages
    .toSorted((a, b) => a.sort - b.sort)
    .flatMap((page) => linesOf(page, folder.id, patient, pages))
  return (
    <Sheet
      onClose={onClose}
      title={[label(patient), patient.initials, names.visit(folder)].filter(Boolean).join(' · ')}
    >
      <ul className={classes.pages}>
        {lines.map(({ entry, page, mark, no }) => (
          <li key={entry}>
            <Link to={entryPath(projectId, patient.id, entry)} className={classes.page}>
              <span className={classes.pageName}>
                {names.page(page)}
                {page.repeatable && <small>{t('ecrf:casebook.repeat', { no })}</small>}
              </span>
              <PageStatus pages={mark === null ? [] : [mark]} expected={1} />
              <IconChevronRight size={20} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      <Anchor component={Link} to={casebookPath(projectId, patient.id)} className={classes.whole}>
        {t('matrix.casebook')}
      </Anchor>
    </Sheet>
  )
}

interface Line {
  readonly entry: string
  readonly page: PageRow
  readonly mark: PageMark | null
  readonly no: number
}

/** The page as it is scheduled, and its repeats. */
function linesOf(
  page: PageRow,
  folderId: string,
  { id: patientId, pass }: Visit['patient'],
  pages: readonly PageMark[],
): readonly Line[] {
  const known = pages.filter(({ target }) => target.folderId === folderId && target.pageId === page.id)
  const scheduled = {
    patientId,
    folderId,
    folderRepeat: FIRST_REPEAT,
    pageId: page.id,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass,
  }
  const isFirst = ({ target }: PageMark): boolean =>
    target.pageRepeat === FIRST_REPEAT && target.folderRepeat === FIRST_REPEAT
  const first = known.find(isFirst) ?? null
  const repeats = known
    .filter((mark) => !isFirst(mark))
    .toSorted((a, b) => (a.target.pageRepeat < b.target.pageRepeat ? -1 : 1))
  return [
    { entry: first?.entryId ?? entryId(scheduled), page, mark: first, no: 1 },
    ...repeats.map((mark, at) => ({ entry: mark.entryId, page, mark, no: at + 2 })),
  ]
}
