import { Button, Group, Progress, VisuallyHidden } from '@mantine/core'
import { IconChartBar, IconDownload, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { downloadFile } from '#src/ui/downloadFile.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { byteSize, figure, fullTime } from '#src/ui/words/format.ts'

import { DefinitionFacts } from '../DefinitionFacts.tsx'
import classes from '../export.module.css'
import { NEW, beginDraft, draftKey } from '../exportDraft.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { LinksDialog } from './LinksDialog.tsx'

interface RunCardProps {
  readonly projectId: string
  readonly userId: string
  readonly run: DataSetRun
  /** Whether the project uses the screen of statistics. */
  readonly hasStatistics: boolean
}

/** One export: its state, its file, who asked and who approved, and its definition as it was. */
export function RunCard({ projectId, userId, run, hasStatistics }: RunCardProps) {
  const { t } = useTranslation('dataExport')
  return (
    <Panel title={run.name} actions={<State run={run} />}>
      {run.state === 'open' && <Running run={run} />}
      {run.why !== null && <Note tone="error">{t(`runs.why.${run.why}`)}</Note>}
      <FactList facts={factsOf(run, t)} />
      <details className={classes.folded}>
        <summary>{t('parts.define')}</summary>
        <DefinitionFacts definition={run.definition} facts={null} />
      </details>
      <Acts {...{ projectId, userId, run, hasStatistics }} />
    </Panel>
  )
}

function State({ run: { state } }: Pick<RunCardProps, 'run'>) {
  const { t } = useTranslation('dataExport')
  return (
    <span className={classes.state} data-state={state}>
      {t(`runs.state.${state}`)}
    </span>
  )
}

function Running({ run: { done, total } }: Pick<RunCardProps, 'run'>) {
  const { t } = useTranslation('dataExport')
  const text = total === 0 ? t('runs.starting') : t('runs.progress', { done: figure(done, 0), total: figure(total, 0) })
  return (
    <div className={classes.running}>
      <Progress
        className={classes.bar}
        value={total === 0 ? 0 : (100 * done) / total}
        aria-label={t('runs.state.open')}
        transitionDuration={120}
      />
      {/* The figure changes every second, so it is not read out each time. */}
      <span>{text}</span>
    </div>
  )
}

type Say = ReturnType<typeof useTranslation<'dataExport'>>['t']

function factsOf(run: DataSetRun, t: Say): readonly (readonly [string, ReactNode])[] {
  const { subjects, tables, hash, bytes, decidedByName, decidedAt } = run
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const decided = run.state === 'refused' ? 'runs.refused' : 'runs.approved'
  return [
    [t('parts.runs'), t('runs.asked', { name: run.askedByName, at: fullTime(run.askedAt) })],
    [t('run.kind'), t(run.isIdentified ? 'run.identified' : 'run.deidentified')],
    [t('runs.purpose'), run.purpose],
    ...(run.crossBorder === null ? [] : [[t('runs.abroad'), run.crossBorder] as const]),
    ...(decidedByName === null || decidedAt === null
      ? []
      : [[t('runs.decide'), t(decided, { name: decidedByName, at: fullTime(decidedAt) })] as const]),
    ...(run.decisionNote === null ? [] : [[t('runs.note'), run.decisionNote] as const]),
    ...(run.cancelledByName === null
      ? []
      : [[t('runs.state.cancelled'), t('runs.cancelled', { name: run.cancelledByName })] as const]),
    ...(subjects === null
      ? []
      : [
          [
            t('runs.content'),
            t(tables.length === 0 ? 'runs.countsCasebooks' : 'runs.counts', {
              subjects: figure(subjects, 0),
              tables: tables.length,
              rows: figure(rows, 0),
            }),
          ] as const,
        ]),
    ...(bytes === null
      ? []
      : [[t('runs.file'), t('runs.size', { size: byteSize(bytes), count: run.downloads })] as const]),
    ...(hash === null
      ? []
      : [
          [
            t('runs.hash'),
            <code key="hash" className={classes.hash}>
              {hash}
            </code>,
          ] as const,
        ]),
    ...(run.expiresAt === null ? [] : [[t('runs.expires'), fullTime(run.expiresAt)] as const]),
  ]
}

function Acts({ projectId, userId, run, hasStatistics }: RunCardProps) {
  const { t } = useTranslation(['dataExport', 'common'])
  const errorText = useErrorText()
  const act = useServerAction()
  const [, setAddress] = useSearchParams()
  const [failure, setFailure] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState<'cancel' | 'decide' | null>(null)
  const download = async () => {
    setBusy(true)
    setFailure(null)
    const file = await act('dataset.download', { params: { id: run.id }, query: { projectId }, projectId })
    setBusy(false)
    if (file.ok) downloadFile(`export-${run.askedAt.slice(0, 10)}-${run.id.slice(-8)}.zip`, file.value)
    else setFailure(file.error)
  }
  const cancel = async () => {
    const cancelled = await act('dataset.cancel', { body: { projectId, id: run.id }, projectId })
    setAsks(null)
    setFailure(cancelled.ok ? null : cancelled.error)
  }
  const use = () => {
    beginDraft(draftKey(userId, projectId, NEW), { name: run.name, shared: false, definition: run.definition })
    setAddress({ set: NEW })
  }
  return (
    <>
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
      <Group mt="sm">
        {run.mayDownload && (
          <ServerButton
            size="md"
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            loading={busy}
            onClick={() => void download()}
          >
            {t('runs.download')}
          </ServerButton>
        )}
        {!run.isIdentified && <Onward {...{ projectId, run, hasStatistics }} />}
        {run.mayDecide && (
          <ServerButton size="md" onClick={() => setAsks('decide')}>
            {t('runs.decide')}
          </ServerButton>
        )}
        {run.mayCancel && (
          <ServerButton size="md" variant="default" onClick={() => setAsks('cancel')}>
            {t('runs.cancel')}
          </ServerButton>
        )}
        <ServerButton size="md" variant="subtle" onClick={use}>
          {t('runs.use')}
        </ServerButton>
      </Group>
      {run.state === 'done' && !run.isMine && <p className={classes.hint}>{t('runs.others')}</p>}
      <VisuallyHidden component="output">{busy ? t('runs.downloading') : ''}</VisuallyHidden>
      <ConfirmDialog
        opened={asks === 'cancel'}
        title={t('runs.cancelTitle')}
        text={t('runs.cancelText')}
        submit={t('runs.cancel')}
        cancel={t('common:action.close')}
        danger
        onConfirm={cancel}
        onClose={() => setAsks(null)}
      />
      {asks === 'decide' && <DecideDialog projectId={projectId} run={run} onClose={() => setAsks(null)} />}
    </>
  )
}

/** Where de-identified data go on to: programs outside, and the statistics of the app. */
function Onward({ projectId, run, hasStatistics }: Omit<RunCardProps, 'userId'>) {
  const { t } = useTranslation('dataExport')
  const [showsLinks, setShowsLinks] = useState(false)
  return (
    <>
      {run.state === 'done' && (
        <ServerButton
          size="md"
          variant="default"
          leftSection={<IconLink size={18} aria-hidden="true" />}
          onClick={() => setShowsLinks(true)}
        >
          {t('links.title')}
        </ServerButton>
      )}
      {run.setId !== null && hasStatistics && (
        <Button
          component={Link}
          to={{ pathname: '../statistical', search: `?set=${run.setId}` }}
          relative="path"
          size="md"
          variant="default"
          leftSection={<IconChartBar size={18} aria-hidden="true" />}
        >
          {t('runs.analyze')}
        </Button>
      )}
      {showsLinks && <LinksDialog projectId={projectId} run={run} onClose={() => setShowsLinks(false)} />}
    </>
  )
}
