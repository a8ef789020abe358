import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useProjects } from '#src/data/hooks/projects.ts'
import { useDownload, useScopes } from '#src/data/hooks/sync.ts'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './device.module.css'

/** Which centers this tablet keeps, project by project. */
export function ScopesPanel() {
  const { t } = useTranslation('device')
  const projects = useProjects()
  return (
    <Panel title={t('scopes.title')}>
      <Loaded of={projects} rows={2}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState compact title={t('scopes.empty.title')} text={t('scopes.empty.text')} />
          ) : (
            all.map((project) => <ProjectScopes key={project.id} project={project} />)
          )
        }
      </Loaded>
    </Panel>
  )
}

function ProjectScopes({ project }: { readonly project: ProjectRow }) {
  const scopes = useScopes(project.id)
  const download = useDownload()
  if (scopes.state === 'loading') return <Loaded of={scopes}>{() => null}</Loaded>
  if (scopes.state === 'failed' || scopes.value.length === 0) return null
  return (
    <section aria-label={project.projectName}>
      <h3 className={classes.projectName}>{project.projectName}</h3>
      {scopes.value.map((scope) => (
        <ScopeLine key={scope.scope} scope={scope} download={download?.scope === scope.scope ? download : null} />
      ))}
    </section>
  )
}

function ScopeLine({ scope, download }: { readonly scope: ScopeView; readonly download: Download | null }) {
  const { t } = useTranslation('device')
  const errorText = useErrorText()
  const { keepScope, dropScope } = useDataActions()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [unsent, setUnsent] = useState(false)
  const name = scope.center?.centerName ?? t('scopes.project')

  const keep = async () => {
    setBusy(true)
    const result = await keepScope(scope.scope)
    setBusy(false)
    setError(result.ok ? null : result.error)
  }
  const drop = async () => {
    const result = await dropScope(scope.scope)
    setUnsent(!result.done)
    setAsking(false)
  }
  return (
    <div className={classes.scope}>
      <div className={classes.scopeName}>
        <p>{name}</p>
        <p className={classes.quiet}>
          {[
            scope.center === null ? null : t('scopes.size', { patients: scope.patients, entries: scope.entries }),
            scope.pulledAt === null ? null : t('scopes.pulledAt', { time: fullTime(scope.pulledAt) }),
            scope.opened === null ? null : t('scopes.opened', { count: scope.opened }),
            scope.kept && !scope.withheld && scope.pulledAt === null && download === null ? t('scopes.waiting') : null,
          ]
            .filter((fact) => fact !== null)
            .join(' · ')}
        </p>
        {scope.withheld && <Note tone="warning">{t('scopes.withheld')}</Note>}
        {download !== null && <Downloading download={download} name={name} />}
        {error !== null && <Note tone="error">{errorText(error)}</Note>}
        {unsent && (
          <Note tone="warning" live>
            {t('scopes.dropRefused')}
          </Note>
        )}
      </div>
      {scope.center !== null && !scope.kept && !scope.withheld && (
        <Button size="md" variant="default" loading={busy} onClick={() => void keep()}>
          {t('scopes.keep')}
        </Button>
      )}
      {scope.kept && <span>{t('scopes.kept')}</span>}
      {scope.center !== null && (scope.kept || scope.opened !== null) && (
        <Button size="md" variant="subtle" onClick={() => setAsking(true)}>
          {t('scopes.drop')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={drop}
        danger
        title={t('scopes.dropTitle', { center: name })}
        text={t('scopes.dropText')}
        submit={t('scopes.drop')}
      />
    </div>
  )
}

/** How far a download is, in figures. It goes on without this screen, and continues after a reload. */
function Downloading({ download: { done, total }, name }: { readonly download: Download; readonly name: string }) {
  const { t } = useTranslation('device')
  return (
    <>
      <p className={classes.quiet}>{t('scopes.progress', { done, total })}</p>
      <Progress mt={4} aria-label={name} value={total === 0 ? 0 : (100 * done) / total} />
      <p className={classes.quiet}>{t('scopes.progressHint')}</p>
    </>
  )
}
