import { use, useEffect, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useOutletContext, useParams } from 'react-router-dom'
import type { PermissionCode } from '#core/access/permissions.ts'
import type { CallOf } from '#core/api/table.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { UnsavedDesign } from '#src/data/writes/designs.ts'
import { DeviceContext, useDataActions } from '#src/data/hooks/useDevice.ts'
import type { AnswerOf } from '#src/session/api.ts'
import { useSession } from '#src/session/useSession.ts'
import { useSaver } from '#src/saving/useSaver.ts'
import { Loaded } from '#src/ui/Loaded.tsx'

import type { DesignView } from './designEditor.ts'
import { DesignEditor } from './designEditor.ts'

/** How often the screen looks whether somebody else has saved, in milliseconds. */
const LOOK_EVERY = 8000

/** A version that is open in the designer, whichever part of it the screen shows. */
export interface OpenedDesign {
  readonly editor: DesignEditor
  readonly view: DesignView
  readonly projectId: string
  readonly version: VersionRow
  readonly isDraft: boolean
  readonly permissions: readonly PermissionCode[]
  /** Whether this device has edits that cannot be saved, because the version is no longer a draft. */
  readonly waits: boolean
}

/**
 * Opens the version of the address. Edits are saved as they are made, merged with what others save, and kept on the
 * device while the server is away.
 */
export function WithDesign({ children }: { readonly children: (opened: OpenedDesign) => ReactNode }) {
  const { project } = useOutletContext<WorkspacePlace>()
  const { crfId = '' } = useParams()
  const [asked] = useState(() => String(performance.now()))
  // A design that an earlier visit to this screen has read is not used again.
  const read = useServerQuery('version.design', { params: { id: crfId }, projectId: project.id }, asked)
  const kept = useUnsavedDesign(crfId)
  return (
    <Loaded of={read}>
      {(first) =>
        kept === undefined ? null : (
          <Session key={crfId} first={first} kept={kept} projectId={project.id} permissions={project.permissions}>
            {children}
          </Session>
        )
      }
    </Loaded>
  )
}

/**
 * The part of the design that this device has and the server does not, as of the opening of the screen; undefined until
 * it is read.
 */
function useUnsavedDesign(crfId: string): UnsavedDesign | null | undefined {
  const device = use(DeviceContext)
  const [kept, setKept] = useState<UnsavedDesign | null>()
  useEffect(() => {
    let left = false
    // Where this device cannot be read, the user still works on the server's design.
    void device?.unsavedDesign(crfId).then((read) => left || setKept(read.ok ? read.value : null))
    return () => {
      left = true
    }
  }, [device, crfId])
  return kept
}

interface SessionProps {
  readonly first: AnswerOf<CallOf<'version.design'>>
  readonly kept: UnsavedDesign | null
  readonly projectId: string
  readonly permissions: readonly PermissionCode[]
  readonly children: (opened: OpenedDesign) => ReactNode
}

function Session({ first, kept, projectId, permissions, children }: SessionProps) {
  const { call, current, reachable } = useSession()
  const [authorId] = useState(current.state === 'open' ? current.user.userId : '')
  const actions = useDataActions()
  const crfId = first.version.id
  const isDraft = first.version.crfProfile === 'draft'
  const [editor] = useState(
    () =>
      new DesignEditor(first, isDraft ? kept : null, {
        keep: async (design) => (await actions.keepDesign(crfId, design)).ok,
        read: () => call('version.design', { params: { id: crfId }, projectId }),
        readState: () => call('version.designState', { params: { id: crfId }, projectId }),
        restore: (body) => call('version.designRestore', { query: { crfId }, body, projectId, authorId }),
        save: (body) => call('version.designSave', { query: { crfId }, body, projectId, authorId }),
      }),
  )
  const view = useSyncExternalStore(editor.subscribe, editor.view)
  useSaver(editor.saver, { isActive: isDraft, reachable, asksOf: 'unsaved' })
  useEffect(() => {
    if (!isDraft) return undefined
    const looking = setInterval(() => void (document.visibilityState === 'visible' && editor.look()), LOOK_EVERY)
    return () => clearInterval(looking)
  }, [editor, isDraft])
  return children({
    editor,
    view,
    projectId,
    version: first.version,
    isDraft,
    permissions,
    waits: !isDraft && kept !== null && kept.saved !== true,
  })
}
