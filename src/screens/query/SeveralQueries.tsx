import { Button, Textarea } from '@mantine/core'
import { use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { QueryAct } from '#core/review/query.ts'
import { WORDLESS } from '#core/review/queryThread.ts'
import { err, ok } from '#core/result.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import { AssigneeSelect } from '#src/form/queries/AssigneeSelect.tsx'
import { assigneeOf, useAssignees, useCanAssign } from '#src/form/queries/assignees.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { useLeft } from '#src/ui/useLeft.ts'

import classes from './query.module.css'

/** What is done with several queries at once. Answers and comments are about one: they are written at it. */
const ACTS = [
  'promote',
  'close',
  'requery',
  'reopen',
  'reject',
  'assign',
  'cancel',
] as const satisfies readonly QueryAct[]
export type SeveralAct = (typeof ACTS)[number]

interface SeveralQueriesProps {
  /** The queries that are picked. */
  readonly views: readonly QueryView[]
  readonly onAct: (act: SeveralAct) => void
  /** Puts all of them back. */
  readonly onNone: () => void
}

/** How many queries are picked, and what can be done with all of those that allow it. */
export function SeveralQueries({ views, onAct, onNone }: SeveralQueriesProps) {
  const { t } = useTranslation('query')
  const canAssign = useCanAssign()
  const offered = ACTS.map((act) => ({ act, views: views.filter(({ acts }) => acts.includes(act)) }))
    .filter((one) => one.act !== 'assign' || canAssign(one.views))
    .map((one) => ({ act: one.act, count: one.views.length }))
  return (
    <>
      <output className={classes.picked}>{t('several.picked', { count: views.length })}</output>
      {offered.map(
        ({ act, count }) =>
          count > 0 && (
            <Button key={act} size="md" variant="default" onClick={() => onAct(act)}>
              {t('several.act', { act: t(`act.${act}`), count })}
            </Button>
          ),
      )}
      <Button size="md" variant="subtle" onClick={onNone}>
        {t('several.none')}
      </Button>
    </>
  )
}

interface SeveralDialogProps {
  readonly projectId: string
  readonly act: SeveralAct
  /** As they were when the dialog was opened: what is settled leaves the list meanwhile. */
  readonly picked: readonly QueryView[]
  readonly onUnpick: (ids: readonly string[]) => void
  readonly onClose: () => void
}

/**
 * Does one thing with each of several queries, in their order. Where one cannot be taken, the others still are;
 * those that are left stay picked, with what was typed. Closing the dialog stops it; what was done stays done.
 */
export function SeveralDialog({ projectId, act, picked, onUnpick, onClose }: SeveralDialogProps) {
  const { t } = useTranslation('query')
  const device = use(DeviceContext)
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const [done, setDone] = useState(0)
  const isLeft = useLeft()
  const allowed = picked.filter(({ acts }) => acts.includes(act))
  const [to, setTo] = useState<string | null>(null)
  const isAssignment = act === 'assign'
  const needsText = !WORDLESS.has(act)
  const isMissing = (needsText && text.trim() === '') || (isAssignment && to === null)
  const submit = () => {
    setTried(true)
    if (isMissing || device === null) return null
    const given = isAssignment && to !== null ? { assignee: assigneeOf(to) } : {}
    const deed = { act, text: text.trim() === '' ? null : text.trim(), category: null, ...given }
    const isStopped = () => isLeft.current
    return each(allowed, isStopped, async ({ query }): Promise<ApiError | null> => {
      const said = await device.actOnQuery(projectId, query, deed)
      setDone((before) => before + 1)
      return said.ok ? null : said.error
    }).then(({ taken, error }) => {
      onUnpick(taken.map(({ query }) => query.id))
      setDone(0)
      return error === null ? ok(taken.length) : err(error)
    })
  }
  return (
    <SubmitDialog
      title={t('several.act', { act: t(`act.${act}`), count: allowed.length })}
      submit={t(`act.${act}`)}
      size="md"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {t('several.will', { act: t(`act.${act}`), count: allowed.length })}
        {allowed.length < picked.length && t('several.others', { count: picked.length - allowed.length })}
      </p>
      {isAssignment && (
        <SeveralAssignee projectId={projectId} views={allowed} value={to} isMissing={isTried} onChange={setTo} />
      )}
      <Textarea
        size="md"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        data-autofocus={!isAssignment || undefined}
        label={t(`words.${act}`)}
        value={text}
        error={isTried && isMissing && !isAssignment ? t('needsText') : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <output aria-live="polite">{done > 0 && t('several.progress', { done, all: allowed.length })}</output>
    </SubmitDialog>
  )
}

interface SeveralAssigneeProps {
  readonly projectId: string
  readonly views: readonly QueryView[]
  readonly value: string | null
  readonly isMissing: boolean
  readonly onChange: (value: string | null) => void
}

/** Somebody who can have all of them. */
function SeveralAssignee({ projectId, views, ...rest }: SeveralAssigneeProps) {
  return <AssigneeSelect of={useAssignees(projectId, views)} isSeveral {...rest} />
}

/** Does something with each, one after the other. @returns those that were taken, and why the first other was not */
async function each<One>(all: readonly One[], isStopped: () => boolean, act: (one: One) => Promise<ApiError | null>) {
  const taken: One[] = []
  let error: ApiError | null = null
  for (const one of all) {
    if (isStopped()) break
    const why = await act(one)
    if (why === null) taken.push(one)
    else error ??= why
  }
  return { taken, error }
}
