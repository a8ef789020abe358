import { Button, Kbd, Switch } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { agreementPath } from '#src/paths/screenPaths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { CompareTable } from './CompareTable.tsx'
import { ComparisonDialog } from './ComparisonDialog.tsx'
import type { ComparisonQuestion } from './ComparisonDialog.tsx'
import { useComparedPages } from './comparedPages.ts'
import { listUndecided } from './decisions.ts'
import classes from './diff.module.css'
import { useDecisions } from './useDecisions.ts'
import { useTableKeys } from './useTableKeys.ts'

interface ComparisonProps {
  readonly book: Pick<Casebook, 'project' | 'version'>
  readonly check: GapCheck
}

/**
 * The two passes beside each other, the decision about each difference, and the merge. A decision changes no data
 * before the merge.
 */
export function Comparison({ book, check }: ComparisonProps) {
  const { t } = useTranslation('diff')
  const errorText = useErrorText()
  const { decisions, decide, takeRest } = useDecisions()
  const [question, setQuestion] = useState<ComparisonQuestion | null>(null)
  const [tried, setTried] = useState(false)
  const [onlyDifferences, setOnlyDifferences] = useState(true)
  const keys = useTableKeys()
  const projectId = book.project.id
  const { gaps, state } = check
  const { openAgain, error } = useOpenAgain(projectId)
  const ignore = useCallback((gap: GapRow) => setQuestion({ kind: 'ignore', gap }), [])
  const readOnly = state !== 'open'
  const left = listUndecided(gaps, decisions).length
  const merge = () => {
    setTried(true)
    if (left === 0) return setQuestion({ kind: 'merge' })
    keys.goToNext()
  }
  const acts = { readOnly, tried, onDecide: decide, onIgnore: ignore, onOpenAgain: openAgain, onTakeRest: takeRest }
  const table = { book, check, decisions, tableRef: keys.tableRef, ...acts }
  return (
    <>
      {!readOnly && <p className={classes.intro}>{t('intro')}</p>}
      <div className={classes.bar}>
        <ComparisonFacts projectId={projectId} check={check} />
        {state !== 'none' && (
          <Switch
            size="md"
            checked={onlyDifferences}
            onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
            label={t('onlyDifferences', { count: gaps.length })}
          />
        )}
      </div>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      {gaps.length === 0 && onlyDifferences && (
        <EmptyState
          icon={<IconArrowsDiff size={44} stroke={1.4} />}
          title={t(`empty.${state}.title`)}
          text={t(`empty.${state}.text`)}
        />
      )}
      {onlyDifferences ? <Differences {...table} /> : <Everything {...table} />}
      {!readOnly && (
        <Foot
          done={gaps.length - left}
          total={gaps.length}
          tried={tried}
          onNext={keys.goToNext}
          onDestroy={() => setQuestion({ kind: 'destroy' })}
          onMerge={merge}
        />
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

type TableProps = ComparisonProps & Omit<Parameters<typeof CompareTable>[0], 'pages'>

function Differences({ book, check, ...table }: TableProps) {
  const pages = useComparedPages(book, check, null)
  return pages.length === 0 ? null : <CompareTable pages={pages} {...table} />
}

/** Everything that was compared: what is the same as well, which has to be asked for. */
function Everything(props: TableProps) {
  const { book, check } = props
  const both = useServerQuery('double.list', { params: { id: check.patientId }, projectId: book.project.id })
  return (
    <Loaded of={both} rows={8}>
      {(entries) => <AllPages {...props} both={entries} />}
    </Loaded>
  )
}

function AllPages({
  book,
  check,
  both,
  ...table
}: TableProps & { readonly both: Parameters<typeof useComparedPages>[2] }) {
  const pages = useComparedPages(book, check, both)
  return <CompareTable pages={pages} {...table} />
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

interface FootProps {
  readonly done: number
  readonly total: number
  readonly tried: boolean
  readonly onNext: () => void
  readonly onDestroy: () => void
  readonly onMerge: () => void
}

/** How many differences are decided, the keys, and what ends the comparison. */
function Foot({ done, total, tried, onNext, onDestroy, onMerge }: FootProps) {
  const { t } = useTranslation('diff')
  const left = total - done
  return (
    <footer className={classes.foot}>
      <span className={classes.track} aria-hidden="true">
        <span style={{ inlineSize: `${total === 0 ? 100 : (done / total) * 100}%` }} />
      </span>
      <output data-missing={(tried && left > 0) || undefined}>
        {tried && left > 0 ? t('merge.left', { count: left }) : t('progress', { done, total })}
      </output>
      {total > 0 && (
        <span className={classes.keys}>
          {(['move', 'choose', 'next'] as const).map((key) => (
            <span key={key}>
              <Kbd>{KEYS[key]}</Kbd> {t(`keys.${key}`)}
            </span>
          ))}
        </span>
      )}
      <span className={classes.footEnd}>
        <Button size="md" variant="subtle" onClick={onDestroy}>
          {t('destroy.open')}
        </Button>
        <Button size="md" variant="default" disabled={left === 0} onClick={onNext}>
          {t('next')}
        </Button>
        <Button size="md" onClick={onMerge}>
          {t('merge.submit')}
        </Button>
      </span>
    </footer>
  )
}

const KEYS = { move: 'j k', choose: '1 2', next: 'n' } as const

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
