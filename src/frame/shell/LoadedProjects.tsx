import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Loadable } from '#src/data/shapes/types.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { NotHere } from '#src/ui/illustrations/NotHere.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'

import { useNeedsServer } from './useNeedsServer.ts'

interface LoadedProjectsProps<Value> {
  readonly of: Loadable<Value>
  readonly children: (value: Value) => ReactNode
}

/**
 * Shows a list of projects. Without the server it says how complete the list is: what this device keeps, or that
 * nothing is known here. A list that may not be empty never looks empty.
 */
export function LoadedProjects<Value>({ of, children }: LoadedProjectsProps<Value>) {
  const { t } = useTranslation('shell')
  const needsServer = useNeedsServer()
  if (of.state === 'failed' && of.error.code === 'not_kept') {
    return <EmptyState icon={<NotHere />} title={t('projects.unknown.title')} text={t('projects.unknown.text')} />
  }
  return (
    <>
      {needsServer !== null && of.state === 'ready' && <Note tone="info">{t('project.kept')}</Note>}
      <Loaded of={of} rows={4}>
        {children}
      </Loaded>
    </>
  )
}
