import { useEffect, useState, useSyncExternalStore } from 'react'
import { useOutletContext, useParams } from 'react-router-dom'
import type { WorkspacePlace } from '#src/app/layouts/workspacePlace.ts'
import { onBeforeReload } from '#src/app/beforeReload.ts'
import { useServerQuery } from '#src/app/server.ts'
import type { AnswerOf } from '#src/session/api.ts'
import type { CallOf } from '#core/api/table.ts'
import { useSession } from '#src/session/useSession.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import { Designer } from './Designer.tsx'
import { DesignSession } from './designSession.ts'

/** How often it is looked whether somebody else has saved, ms. */
const LOOK_EVERY = 8000

/** The forms of a version: designed while it is a draft, and to be looked at afterwards. */
export function DesignScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { crfId = '' } = useParams()
  const [asked] = useState(() => String(performance.now()))
  // What was read for an earlier visit to this screen is not designed on.
  const read = useServerQuery('version.design', { params: { id: crfId }, projectId: project.id }, asked)
  return <Loaded of={read}>{(first) => <OpenDesign key={crfId} first={first} projectId={project.id} mayDesign={project.permissions.includes('design_edit')} />}</Loaded>
}

interface OpenDesignProps {
  readonly first: AnswerOf<CallOf<'version.design'>>
  readonly projectId: string
  readonly mayDesign: boolean
}

function OpenDesign({ first, projectId, mayDesign }: OpenDesignProps) {
  const { call } = useSession()
  const crfId = first.version.id
  const [session] = useState(
    () =>
      new DesignSession(first, {
        read: () => call('version.design', { params: { id: crfId }, projectId }),
        readState: () => call('version.designState', { params: { id: crfId }, projectId }),
        save: (body) => call('version.designSave', { query: { crfId }, body, projectId }),
      }),
  )
  const view = useSyncExternalStore(session.subscribe, session.view)
  const isDraft = first.version.crfProfile === 'draft'
  useEffect(() => {
    if (!isDraft) return undefined
    const looking = setInterval(() => void (document.visibilityState === 'visible' && session.look()), LOOK_EVERY)
    const leaveReload = onBeforeReload(async () => {
      if (!(await session.flush())) throw new Error('the design could not be saved')
    })
    const onLeave = (event: BeforeUnloadEvent) => {
      if (session.view().status.is !== 'saved') event.preventDefault()
    }
    window.addEventListener('beforeunload', onLeave)
    return () => {
      clearInterval(looking)
      leaveReload()
      window.removeEventListener('beforeunload', onLeave)
      void session.flush()
    }
  }, [session, isDraft])
  return <Designer session={session} view={view} version={first.version} canEdit={isDraft && mayDesign} isDraft={isDraft} />
}
