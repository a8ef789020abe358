import { Button, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { GapCheck, GapRow } from '#core/api/calls/double.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { agreementAddress } from '#src/paths/addresses.ts'
import { useServerAction } from '#src/data/server.ts'
import { fieldsOf } from '#src/form/fieldAt.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'

import { GapCard } from './GapCard.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import type { Decision, Decisions } from './decisions.ts'
import { choicesOf, undecided } from './decisions.ts'
import classes from './diff.module.css'

interface ComparisonProps {
  readonly book: Casebook
  readonly check: GapCheck
}

type Dialog =
  | { readonly kind: 'ignore'; readonly gap: GapRow }
  | { readonly kind: 'merge' }
  | { readonly kind: 'destroy' }

/**
 * The differences page by page, what was decided about each, and the merge. What is decided here is nobody's data
 * before the merge.
 */
export function Comparison({ book, check }: ComparisonProps) {
  const names = useNames()
  const { t } = useTranslation('diff')
  const errorText = useErrorText()
  const act = useServerAction()
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [tried, setTried] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const projectId = book.project.id
  const { gaps, state, agreement } = check
  const definitions = useMemo(
    () =>
      new Map(book.version.folders.flatMap((folder) => folder.pages.map((page) => [page.id, fieldsOf(page.option)]))),
    [book.version],
  )
  const decide = useCallback(
    (id: string, decision: Decision) => setDecisions((before) => new Map(before).set(id, decision)),
    [],
  )
  const openAgain = useCallback(
    (gap: GapRow) => {
      void act('double.gapIgnore', { body: { dataIdList: [gap.id], isIgnoreGap: 0 }, projectId }).then((done) =>
        setError(done.ok ? null : done.error),
      )
    },
    [act, projectId],
  )
  const ignore = useCallback((gap: GapRow) => setDialog({ kind: 'ignore', gap }), [])
  const readOnly = state !== 'open'
  const left = undecided(gaps, decisions)
  const percent =
    agreement.compared === 0 ? 100 : ((agreement.compared - agreement.differing) / agreement.compared) * 100
  const merge = () => {
    setTried(true)
    if (left.length === 0) setDialog({ kind: 'merge' })
  }
  const close = () => setDialog(null)
  return (
    <>
      <Text mb="sm">{t('intro')}</Text>
      <p className={classes.facts}>
        <span>{t(`state.${state}`)}</span>
        <span>
          {t('agreement', {
            percent: percent.toFixed(1),
            compared: agreement.compared,
            differing: agreement.differing,
          })}
        </span>
        <Link to={agreementAddress(projectId)}>{t('report')}</Link>
      </p>
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
        <section key={key} className={classes.page} aria-label={title}>
          <div className={classes.pageHead}>
            <h2>{title}</h2>
            {!readOnly && (
              <span>
                {(['first', 'second'] as const).map((pass) => (
                  <Button
                    key={pass}
                    size="md"
                    variant="subtle"
                    onClick={() => setDecisions((before) => restOf(before, ofPage, pass))}
                  >
                    {t(`allOf.${pass}`)}
                  </Button>
                ))}
              </span>
            )}
          </div>
          {ofPage.map((gap) => {
            const fieldAt = definitions.get(gap.pageId) ?? NO_FIELD
            return (
              <GapCard
                key={gap.id}
                gap={gap}
                field={fieldAt({ table: gap.kind === 'row' ? null : gap.table, code: gap.code })}
                table={gap.table === null ? null : fieldAt({ table: null, code: gap.table })}
                decision={decisions.get(gap.id)}
                readOnly={readOnly}
                tried={tried}
                onDecide={decide}
                onIgnore={ignore}
                onOpenAgain={openAgain}
              />
            )
          })}
        </section>
      ))}
      {!readOnly && (
        <footer className={classes.foot}>
          <output>
            {tried && left.length > 0
              ? t('merge.left', { count: left.length })
              : t('progress', { done: gaps.length - left.length, total: gaps.length })}
          </output>
          <Button size="md" variant="subtle" onClick={() => setDialog({ kind: 'destroy' })}>
            {t('destroy.open')}
          </Button>
          <Button size="md" onClick={merge}>
            {t('merge.submit')}
          </Button>
        </footer>
      )}
      {dialog?.kind === 'ignore' && (
        <ReasonDialog
          words="ignore"
          onClose={close}
          onSubmit={(reason) =>
            act('double.gapIgnore', { body: { dataIdList: [dialog.gap.id], isIgnoreGap: 1, reason }, projectId })
          }
        />
      )}
      {dialog?.kind === 'destroy' && (
        <ReasonDialog
          words="destroy"
          onClose={close}
          onSubmit={(reason) =>
            act('double.destroy', { query: { patientId: check.patientId }, body: { reason }, projectId })
          }
        />
      )}
      {dialog?.kind === 'merge' && (
        <MergeDialog
          changes={choicesOf(gaps, decisions).filter(({ choose }) => choose !== 'first').length}
          onClose={close}
          onSubmit={() =>
            act('double.merge', {
              body: { patientId: check.patientId, compared: check.compared, choices: choicesOf(gaps, decisions) },
              projectId,
            })
          }
        />
      )}
    </>
  )
}

const NO_FIELD: ReturnType<typeof fieldsOf> = () => null

function pagesOf(
  gaps: readonly GapRow[],
  names: NamesInLanguage,
): readonly { readonly key: string; readonly title: string; readonly gaps: readonly GapRow[] }[] {
  return Array.from(
    Map.groupBy(gaps, ({ entryId }) => entryId),
    ([key, ofPage]) => ({ key, title: ofPage[0] === undefined ? '' : names.place(ofPage[0]), gaps: ofPage }),
  )
}

/** Takes one pass for all of a page that nobody has decided about. */
function restOf(before: Decisions, gaps: readonly GapRow[], choose: 'first' | 'second'): Decisions {
  const next = new Map(before)
  for (const { id, ignored } of gaps)
    if (!next.has(id) && ignored === null) next.set(id, { choose, form: null, code: null, text: '' })
  return next
}
