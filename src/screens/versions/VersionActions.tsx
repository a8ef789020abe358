import { Button, Group, Stack, Text } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { CallId } from '#core/api/table.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { mayDo } from '#core/study/versionLife.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { designAddress, patientsAddress, trialAddress } from '#src/paths/addresses.ts'
import { setMigrationTask } from '#src/frame/migrationTask.ts'
import { reloadAddress } from '#src/paths/redirect.ts'
import { useServerAction } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { ApprovalsDialog } from './ApprovalsDialog.tsx'
import { ProblemList } from './ProblemList.tsx'
import { ReleaseDialog } from './ReleaseDialog.tsx'

// The reader of dictionaries and the rule compiler come only when a file is to be read.
const ImportDialog = lazy(async () => ({ default: (await import('./exchange/ImportDialog.tsx')).ImportDialog }))

// The list of formats, and what starts their writers, come only when a version is to go out.
const ExportDialog = lazy(async () => ({ default: (await import('./exchange/ExportDialog.tsx')).ExportDialog }))

type Step = 'publishTest' | 'remove' | 'back' | 'release'

const steps: Readonly<Record<Step, { readonly call: CallId & `version.${string}`; readonly code: PermissionCode }>> = {
  publishTest: { call: 'version.releaseTest', code: 'project_crf_draft_publish' },
  remove: { call: 'version.remove', code: 'project_crf_draft_del' },
  back: { call: 'version.back', code: 'project_crf_test_revent' },
  release: { call: 'version.release', code: 'project_crf_test_publish' },
}
const order: readonly Step[] = ['publishTest', 'release', 'back', 'remove']

interface VersionActionsProps {
  readonly project: ProjectRow
  readonly version: VersionSummary
  /** The version before a draft, which is gone back to when the draft is deleted (specification §4). */
  readonly previousId?: string | null
}

/** What can be done with a version in its stage, by who may do it. */
export function VersionActions({ project, version, previousId = null }: VersionActionsProps) {
  const { t } = useTranslation(['admin', 'versions'])
  const navigate = useNavigate()
  const errorText = useErrorText()
  const act = useServerAction()
  const [asking, setAsking] = useState<Step | null>(null)
  const [importing, setImporting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [reviewing, setReviewing] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const can = (code: PermissionCode) => project.permissions.includes(code)
  const offered = order.filter((step) => mayDo(version.crfProfile, step) && can(steps[step].code))

  const release = async (mappings: MigrationMappings) => {
    const result = await act('version.release', {
      query: { crfId: version.id },
      body: { mappings },
      projectId: project.id,
    })
    if (!result.ok) return result
    if (result.value.taskId !== null) setMigrationTask({ taskId: result.value.taskId, projectId: project.id })
    void navigate(reloadAddress(`/p/${project.id}/admin/crfHistory`))
    return result
  }
  const take = async (step: Exclude<Step, 'release'>) => {
    setError(null)
    const result = await act(steps[step].call as 'version.back', {
      query: { crfId: version.id },
      projectId: project.id,
    })
    // Specification §4: after each of these the project is loaded anew.
    if (result.ok)
      void navigate(
        reloadAddress(
          step === 'remove' && previousId !== null
            ? patientsAddress(project.id, previousId)
            : `/p/${project.id}/admin/crfHistory`,
        ),
      )
    return result
  }
  const run = async (step: Exclude<Step, 'release'>) => {
    const result = await take(step)
    setAsking(null)
    if (!result.ok) setError(result.error)
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {can('design_edit') && (
          <Button
            h={40}
            variant={mayDo(version.crfProfile, 'edit') ? 'light' : 'default'}
            component={Link}
            to={designAddress(project.id, version.id)}
          >
            {t(mayDo(version.crfProfile, 'edit') ? 'versions:design.edit' : 'versions:design.look')}
          </Button>
        )}
        {mayDo(version.crfProfile, 'edit') && can('design_edit') && (
          <ServerButton h={40} variant="light" onClick={() => setImporting(true)}>
            {t('crf.action.import')}
          </ServerButton>
        )}
        {(can('export') || can('design_edit')) && (
          <Button h={40} variant="default" onClick={() => setExporting(true)}>
            {t('versions:export.open')}
          </Button>
        )}
        {version.crfProfile === 'test' && project.functions?.includes('trial') === true && (
          <Button h={40} variant="light" component={Link} to={trialAddress(project.id, version.id)}>
            {t('versions:trial.open')}
          </Button>
        )}
        {version.crfProfile === 'test' && (
          <ServerButton h={40} variant="light" onClick={() => setReviewing(true)}>
            {t('versions:approve.open')}
          </ServerButton>
        )}
        {offered.map((step) => (
          <ServerButton
            key={step}
            h={40}
            variant={step === 'publishTest' || step === 'release' ? 'filled' : 'default'}
            onClick={() => setAsking(step)}
          >
            {t(`crf.action.${step}`)}
          </ServerButton>
        ))}
        {version.crfProfile === 'formal' && (
          <Button h={40} variant="default" component={Link} to={patientsAddress(project.id, version.id)}>
            {t('crf.action.enter')}
          </Button>
        )}
      </Group>
      {error !== null &&
        (error.problems === undefined ? (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        ) : (
          <ProblemList problems={error.problems} />
        ))}
      {reviewing && <ApprovalsDialog project={project} version={version} onClose={() => setReviewing(false)} />}
      {asking === 'release' && (
        <ReleaseDialog project={project} version={version} onRelease={release} onClose={() => setAsking(null)} />
      )}
      {asking !== null && asking !== 'release' && (
        <ConfirmDialog
          opened
          onClose={() => setAsking(null)}
          onConfirm={() => run(asking)}
          danger={asking === 'remove'}
          title={t(`crf.confirm.${asking}.title`)}
          text={<Text>{t(`crf.confirm.${asking}.text`)}</Text>}
          submit={t(`crf.action.${asking}`)}
        />
      )}
      {exporting && (
        <Suspense fallback={null}>
          <ExportDialog project={project} version={version} onClose={() => setExporting(false)} />
        </Suspense>
      )}
      {importing && (
        <Suspense fallback={null}>
          <ImportDialog projectId={project.id} version={version} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Stack>
  )
}
