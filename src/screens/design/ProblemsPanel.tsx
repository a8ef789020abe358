import { useState } from 'react'
import { IconAlertTriangle, IconChevronDown, IconChevronUp, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './design.module.css'
import type { Selection } from './selection.ts'

interface ProblemsPanelProps {
  readonly design: Design
  readonly problems: readonly VersionProblem[] | null
  readonly onGo: (to: Selection) => void
}

/** The problems that keep the draft from being tested, each with the way to its place. */
export function ProblemsPanel({ design, problems, onGo }: ProblemsPanelProps) {
  const names = useNames()
  const { t } = useTranslation('design')
  const [opened, setOpened] = useState(false)
  if (problems === null) return <p className={classes.problems}>{t('problems.checking')}</p>
  if (problems.length === 0) {
    return (
      <output className={classes.problems}>
        <IconCircleCheck size={18} aria-hidden="true" /> {t('problems.none')}
      </output>
    )
  }
  return (
    <section className={classes.problems} aria-label={t('problems.title')}>
      <button type="button" className={classes.problemsHead} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        <output>{t('problems.count', { count: problems.length })}</output>
        {opened ? <IconChevronDown size={16} aria-hidden="true" /> : <IconChevronUp size={16} aria-hidden="true" />}
      </button>
      {opened && (
        <ul className={classes.problemList}>
          {problems.map((problem) => {
            const to = selectionOf(design, problem)
            const where = nameOf(design, problem, names)
            return (
              <li key={JSON.stringify(problem)}>
                {to === null ? (
                  <span>{where}</span>
                ) : (
                  <button type="button" className={classes.problemPlace} onClick={() => onGo(to)}>
                    {where}
                  </button>
                )}
                <span>{t(`problems.kinds.${problem.kind}`)}</span>
                {problem.says !== '' && <code className={classes.code}>{problem.says}</code>}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function selectionOf({ folders, pages }: Design, { folder, page, field }: VersionProblem): Selection {
  const owner = folders.find(({ folderCode }) => folderCode === folder)
  if (owner === undefined) return null
  const folderId = owner.id
  const found = owner.pageIds.map((id) => pages.get(id)).find((one) => one?.pageCode === page)
  if (found === undefined) return { of: 'folder', folderId }
  if (field === null) return { of: 'page', folderId, pageId: found.id }
  const [first = '', second] = field.split('.')
  return {
    of: 'fields',
    folderId,
    pageId: found.id,
    table: second === undefined ? null : first,
    props: [second ?? first],
  }
}

function nameOf({ folders, pages }: Design, { folder, page, field }: VersionProblem, names: NamesInLanguage): string {
  const visit = folders.find(({ folderCode }) => folderCode === folder)
  const found = [...pages.values()].find(({ pageCode }) => pageCode === page)
  return [visit === undefined ? null : names.visit(visit), found === undefined ? null : names.page(found), field]
    .filter((name) => name !== null)
    .join(' · ')
}
