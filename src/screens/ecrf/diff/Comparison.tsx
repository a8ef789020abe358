import { Button, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { GapCheck, GapRow } from '#core/api/calls/double.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { fieldsOf } from '#src/form/fieldAt.ts'
import { agreementPath } from '#src/paths/screenPaths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'

import { ComparisonDialog } from './ComparisonDialog.tsx'
import type { ComparisonQuestion } from './ComparisonDialog.tsx'
import { PageGaps } from './PageGaps.tsx'
import { listUndecided } from './decisions.ts'
import classes from './diff.module.css'
import { useDecisions } from './useDecisions.ts'

interface ComparisonProps {
  readonly book: Casebook
  readonly check: GapCheck
}

/**
 * The differences page by page, the decision about each, and the merge. A decision changes no data before the merge.
 */
export function Comparison({ book, check }: ComparisonProps) {
  const names = useNames()
  const { t } = useTranslation('diff')
  const errorText = useErrorText()
  const { decisions, decide, takeRest } = useDecisions()
  const [question, setQuestion] = useState<ComparisonQuestion | null>(null)
  const [tried, setTried] = useState(false)
  const projectId = book.project.id
  const { gaps, state } = check
  const definitions = useMemo(
    () =>
      new Map(book.version.folders.flatMap((folder) => folder.pages.map((page) => [page.id, fieldsOf(page.option)]))),
    [book.version],
  )
  const { openAgain, error } = useOpenAgain(projectId)
  const ignore = useCallback((gap: GapRow) => setQuestion({ kind: 'ignore', gap }), [])
  const readOnly = state !== 'open'
  const left = listUndecided(gaps, decisions).length
  const merge = () => {
    setTried(true)
    if (left === 0) setQuestion({ kind: 'merge' })
  }
  return (
    <>
      <Text mb="sm">{t('intro')}</Text>
      <ComparisonFacts projectId={projectId} check={check} />
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      {gaps.length === 0 && (
        <EmptyState
          icon={<IconArrowsDiff size={44} stroke={1.4} />}
          title={t(`empty.${state}.title`)}
          text={t(`empty.${state}.text`)}
        />
      )}
      {pagesOf(gaps, names).map(({ key, title, gaps: ofPage }) => (
        <PageGaps
          key={key}
          title={title}
          gaps={ofPage}
          definitions={definitions}
          decisions={decisions}
          readOnly={readOnly}
          tried={tried}
          onDecide={decide}
          onTakeRest={takeRest}
          onIgnore={ignore}
          onOpenAgain={openAgain}
        />
      ))}
      {!readOnly && (
        <footer className={classes.foot}>
          <output>
            {tried && left > 0
              ? t('merge.left', { count: left })
              : t('progress', { done: gaps.length - left, total: gaps.length })}
          </output>
          <Button size="md" variant="subtle" onClick={() => setQuestion({ kind: 'destroy' })}>
            {t('destroy.open')}
          </Button>
          <Button size="md" onClick={merge}>
            {t('merge.submit')}
          </Button>
        </footer>
      )}
      {question !== null && (
        <ComparisonDialog
          question={question}
          projectId={projectId}
          check={check}
          decisions={decisions}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  )
}

/** How far the comparison is, and how much of the two passes agrees. */
function ComparisonFacts({ projectId, check }: { readonly projectId: string; readonly check: GapCheck }) {
  const { t } = useTranslation('diff')
  const { compared, differing } = check.agreement
  const percent = compared === 0 ? 100 : ((compared - differing) / compared) * 100
  return (
    <p className={classes.facts}>
      <span>{t(`state.${check.state}`)}</span>
      <span>{t('agreement', { percent: percent.toFixed(1), compared, differing })}</span>
      <Link to={agreementPath(projectId)}>{t('report')}</Link>
    </p>
  )
}

/** Takes back that a difference was accepted, so that it waits for a decision again. Says why where that fails. */
function useOpenAgain(projectId: string): {
  readonly openAgain: (gap: GapRow) => void
  readonly error: ApiError | null
} {
  const act = useServerAction()
  const [error, setError] = useState<ApiError | null>(null)
  const openAgain = useCallback(
    (gap: GapRow) => {
      void act('double.gapIgnore', { body: { dataIdList: [gap.id], isIgnoreGap: 0 }, projectId }).then((done) =>
        setError(done.ok ? null : done.error),
      )
    },
    [act, projectId],
  )
  return { openAgain, error }
}

function pagesOf(
  gaps: readonly GapRow[],
  names: NamesInLanguage,
): readonly { readonly key: string; readonly title: string; readonly gaps: readonly GapRow[] }[] {
  return Array.from(
    Map.groupBy(gaps, ({ entryId }) => entryId),
    ([key, ofPage]) => ({ key, title: ofPage[0] === undefined ? '' : names.place(ofPage[0]), gaps: ofPage }),
  )
}
