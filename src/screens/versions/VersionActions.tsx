import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import { ApprovalsDialog } from './ApprovalsDialog.tsx'
import { ProblemList } from './ProblemList.tsx'
import { ReleaseDialog } from './ReleaseDialog.tsx'
import { mayTakeDefinition, VersionButtons } from './VersionButtons.tsx'
import { useVersionSteps } from './useVersionSteps.ts'
import type { PlainStep, VersionStep } from './useVersionSteps.ts'

// The readers of definition files and the rule compiler are loaded only when a file is read.
const ImportDialog = laterPart(async () => (await import('./exchange/ImportDialog.tsx')).ImportDialog, NotLoaded)

// The list of formats and their writers are loaded only when a version is exported.
const ExportDialog = laterPart(async () => (await import('./exchange/ExportDialog.tsx')).ExportDialog, NotLoaded)

interface VersionActionsProps {
  readonly project: ProjectRow
  readonly version: VersionSummary
  /** The version before a draft, which becomes current again when the draft is deleted (specification §4). */
  readonly previousId?: string | null
}

/** What the user may do with a version in its stage. */
export function VersionActions({ project, version, previousId = null }: VersionActionsProps) {
  const { t } = useTranslation('admin')
  const { take, release } = useVersionSteps(project, version, previousId)
  const [asking, setAsking] = useState<VersionStep | null>(null)
  const [importing, setImporting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [reviewing, setReviewing] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)

  const run = async (step: PlainStep) => {
    setError(null)
    const result = await take(step)
    setAsking(null)
    if (!result.ok) setError(result.error)
  }
  return (
    <Stack gap="xs">
      <VersionButtons
        project={project}
        version={version}
        onImport={() => setImporting(true)}
        onExport={() => setExporting(true)}
        onReview={() => setReviewing(true)}
        onStep={setAsking}
      />
      {error !== null && <StepRefusal error={error} />}
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
        <ExportDialog
          project={project}
          version={version}
          isPaperOnly={!mayTakeDefinition(project)}
          onClose={() => setExporting(false)}
        />
      )}
      {importing && <ImportDialog projectId={project.id} version={version} onClose={() => setImporting(false)} />}
    </Stack>
  )
}

/** Why a version stays in its stage, with the places that the server names. */
function StepRefusal({ error }: { readonly error: ApiError }) {
  const errorText = useErrorText()
  if (error.problems !== undefined) return <ProblemList problems={error.problems} />
  return (
    <Note tone="error" live>
      {errorText(error)}
    </Note>
  )
}
