import { use, useEffect, useState, useSyncExternalStore } from 'react'
import { useOutletContext, useParams } from 'react-router-dom'
import type { WorkspacePlace } from '#src/app/layouts/workspacePlace.ts'
import { onBeforeReload } from '#src/app/beforeReload.ts'
import { useServerQuery } from '#src/app/server.ts'
import type { AnswerOf } from '#src/session/api.ts'
import type { CallOf } from '#core/api/table.ts'
import type { KeptDesign } from '#src/data/designs.ts'
import { DeviceContext, useDataActions } from '#src/data/useDevice.ts'
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
  const kept = useKeptDesign(crfId)
  return (
    <Loaded of={read}>
      {(first) => (kept === undefined ? null : <OpenDesign key={crfId} first={first} kept={kept} projectId={project.id} mayDesign={project.permissions.includes('design_edit')} />)}
    </Loaded>
  )
}

/** What this device has of the design that the server has not, as it was when the screen was opened; undefined until it is read. */
function useKeptDesign(crfId: string): KeptDesign | null | undefined {
  const device = use(DeviceContext)
  const [kept, setKept] = useState<KeptDesign | null>()
  useEffect(() => {
    let left = false
    // Where this device cannot be read there is nothing to go on from, and the server's design can still be worked on.
    void device?.keptDesign(crfId).then((read) => left || setKept(read.ok ? read.value : null))
    return () => {
      left = true
    }
  }, [device, crfId])
  return kept
}

interface OpenDesignProps {
  readonly first: AnswerOf<CallOf<'version.design'>>
  readonly kept: KeptDesign | null
  readonly projectId: string
  readonly mayDesign: boolean
}

function OpenDesign({ first, kept, projectId, mayDesign }: OpenDesignProps) {
  const { call } = useSession()
  const actions = useDataActions()
  const crfId = first.version.id
  const isDraft = first.version.crfProfile === 'draft'
  const [session] = useState(
    () =>
      new DesignSession(first, isDraft ? kept : null, {
        keep: (design) => actions.keepDesign(crfId, design),
        read: () => call('version.design', { params: { id: crfId }, projectId }),
        readState: () => call('version.designState', { params: { id: crfId }, projectId }),
        save: (body) => call('version.designSave', { query: { crfId }, body, projectId }),
      }),
  )
  const view = useSyncExternalStore(session.subscribe, session.view)
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
    const onHide = () => void session.keep()
    window.addEventListener('pagehide', onHide)
    return () => {
      clearInterval(looking)
      leaveReload()
      window.removeEventListener('beforeunload', onLeave)
      window.removeEventListener('pagehide', onHide)
      void session.keep()
      void session.flush()
    }
  }, [session, isDraft])
  return <Designer session={session} view={view} projectId={projectId} version={first.version} canEdit={isDraft && mayDesign} isDraft={isDraft} waits={!isDraft && kept !== null} />
}
