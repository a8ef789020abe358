import { Button, Progress } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { RuleRunCounts } from '#core/api/calls/design.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './rules.module.css'

interface EnteredBenchProps {
  readonly projectId: string
  readonly crfId: string
  readonly pageId: string
  readonly table: string | null
  readonly kind: RuleKind
  readonly source: string
}

type Trying =
  | { readonly is: 'idle' }
  | { readonly is: 'running' | 'stopped' | 'done'; readonly sum: RuleRunCounts | null }
  | { readonly is: 'failed'; readonly error: ApiError }

const MAX_EXAMPLES = 20

/** Tries the rule on entered data, answer by answer: the figures grow, and the user can stop at any time. */
export function EnteredBench({ projectId, crfId, pageId, table, kind, source }: EnteredBenchProps) {
  const { t } = useTranslation('rules')
  const { call } = useSession()
  const errorText = useErrorText()
  const [trying, setTrying] = useState<Trying>({ is: 'idle' })
  // The number of the last run. When another run begins, or the user leaves the rule, results of an earlier run no
  // longer count.
  const run = useRef(0)
  useEffect(
    () => () => {
      run.current += 1
    },
    [],
  )
  const start = async () => {
    run.current += 1
    const mine = run.current
    setTrying({ is: 'running', sum: null })
    const ask = (after: string | null) =>
      call('version.ruleTry', { query: { crfId }, body: { pageId, table, kind, source, after }, projectId })
    let answer = await ask(null)
    let sum = answer.ok ? answer.value : null
    while (answer.ok && sum !== null && run.current === mine) {
      setTrying({ is: sum.next === null ? 'done' : 'running', sum })
      if (sum.next === null) return
      answer = await ask(sum.next)
      if (answer.ok) sum = addCounts(sum, answer.value)
    }
    if (!answer.ok && run.current === mine) setTrying({ is: 'failed', error: answer.error })
  }
  const stop = () => {
    run.current += 1
    setTrying((now) => (now.is === 'running' ? { is: 'stopped', sum: now.sum } : now))
  }
  return (
    <div className={classes.bench}>
      <p className={classes.hint}>{t('entered.hint')}</p>
      <div className={classes.join}>
        {trying.is === 'running' ? (
          <Button h={40} variant="default" onClick={stop}>
            {t('entered.stop')}
          </Button>
        ) : (
          <Button h={40} onClick={() => void start()}>
            {t(trying.is === 'idle' ? 'entered.begin' : 'entered.again')}
          </Button>
        )}
      </div>
      {trying.is === 'failed' && (
        <Note tone="error" live>
          {whyNot(trying.error)}
        </Note>
      )}
      {trying.is === 'stopped' && <Note tone="info">{t('entered.stopped')}</Note>}
      {'sum' in trying && trying.sum !== null && (
        <Sum sum={trying.sum} isDone={trying.is === 'done'} kind={kind} projectId={projectId} />
      )}
    </div>
  )

  function whyNot(error: ApiError): string {
    if (error.code === 'invalid') return t('entered.notThere')
    return error.code === 'forbidden' ? t('entered.forbidden') : errorText(error)
  }
}

function Sum({
  sum,
  isDone,
  kind,
  projectId,
}: {
  readonly sum: RuleRunCounts
  readonly isDone: boolean
  readonly kind: RuleKind
  readonly projectId: string
}) {
  const names = useNames()
  const { t } = useTranslation('rules')
  if (sum.version === null) return <p className={classes.hint}>{t('entered.noVersion')}</p>
  if (isDone && sum.entries === 0) return <p className={classes.hint}>{t('entered.noEntries')}</p>
  const total = Math.max(sum.total ?? 0, sum.entries)
  const said = sum.totalIsLeast && !isDone ? t('entered.atLeast', { total }) : String(total)
  return (
    <>
      {!isDone && (
        <>
          <Progress
            value={total === 0 ? 0 : (sum.entries / total) * 100}
            aria-label={t('entered.progress', { done: sum.entries, total: said })}
          />
          <p className={classes.hint}>{t('entered.progress', { done: sum.entries, total: said })}</p>
        </>
      )}
      <output className={classes.outcome} data-came={sum.faults > 0 ? 'fault' : sum.fires > 0 ? 'fires' : 'silent'}>
        <strong>{t(`entered.result.${kind}`, { count: sum.fires, total: sum.entries })}</strong>
      </output>
      <p className={classes.hint}>
        {t('entered.counts', { silent: sum.silent, unknown: sum.unknown, faults: sum.faults })}
      </p>
      {sum.examples.length > 0 && (
        <>
          <h3 className={classes.examplesTitle}>{t('entered.examples')}</h3>
          <ul className={classes.examples}>
            {sum.examples.map(({ patientId, patient, entryId, ...where }) => (
              <li key={entryId}>
                <Link to={entryPath(projectId, patientId, entryId)}>
                  {[patient, names.place(where)].filter((part) => part !== '').join(' · ')}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function addCounts(sum: RuleRunCounts, more: RuleRunCounts): RuleRunCounts {
  return {
    ...sum,
    entries: sum.entries + more.entries,
    fires: sum.fires + more.fires,
    silent: sum.silent + more.silent,
    unknown: sum.unknown + more.unknown,
    faults: sum.faults + more.faults,
    examples: [...sum.examples, ...more.examples].slice(0, MAX_EXAMPLES),
    next: more.next,
  }
}
