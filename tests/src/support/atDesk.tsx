import type { ReactNode } from 'react'
import { ok } from '#core/result.ts'
import type { CenterRow, MemberRow } from '#core/api/sync/rows.ts'
import type { Device } from '#src/data/device/device.ts'
import type { SyncState } from '#src/data/shapes/types.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { Session } from '#src/session/types.ts'
import { SessionContext } from '#src/session/useSession.ts'
import { projectRow, syncState } from '#tests/src/support/rows.ts'
import { closedSession, openAs } from '#tests/src/support/session.ts'

/** What a desk reads, unless a test says otherwise: one project that runs, without versions, centers or members. */
export interface Desk extends Partial<
  Pick<
    Device,
    | 'home'
    | 'enrolled'
    | 'enrolment'
    | 'work'
    | 'visits'
    | 'queries'
    | 'queriesByVisit'
    | 'queryFigures'
    | 'actOnQuery'
    | 'raiseQuery'
    | 'attention'
    | 'unsentWork'
    | 'casebook'
    | 'projects'
    | 'project'
    | 'projectOf'
    | 'projectChoice'
    | 'version'
    | 'versions'
    | 'patients'
    | 'marks'
    | 'visitStates'
    | 'glances'
    | 'keeping'
    | 'download'
    | 'enrolPatient'
    | 'watch'
    | 'takeQueryFile'
    | 'queryFileStandings'
    | 'discardQueryFile'
    | 'fileThumb'
  >
> {
  readonly sync?: Partial<SyncState>
  readonly centers?: readonly CenterRow[]
  readonly members?: readonly MemberRow[]
  readonly session?: Partial<Session>
}

/** Somebody signed in, online, with what their device reads given. */
export function AtDesk({ desk = {}, children }: { readonly desk?: Desk; readonly children: ReactNode }) {
  return (
    <SessionContext value={{ ...openSession(), ...desk.session }}>
      <DeviceContext value={deviceOf(desk)}>{children}</DeviceContext>
    </SessionContext>
  )
}

function openSession(): Session {
  const user = { userId: '0190a000-0000-7000-8000-0000000000aa', account: 'wu', realName: '吴项目', isAdmin: false }
  return { ...closedSession(), current: openAs(user) }
}

const devices = new WeakMap<Desk, Device>()

function deviceOf(desk: Desk): Device {
  const known = devices.get(desk) ?? makeDevice(desk)
  devices.set(desk, known)
  return known
}

function makeDevice({ sync, centers = [], members = [], session: _session, ...more }: Desk): Device {
  const state = syncState(sync)
  return {
    home: () => Promise.resolve(ok([])),
    queriesByVisit: () => Promise.resolve(ok(new Map())),
    queryFigures: () => Promise.resolve(ok({ candidate: 0, open: 0, answered: 0, closed: 0, cancelled: 0, waits: 0 })),
    project: () => Promise.resolve(ok(projectRow())),
    projects: () => Promise.resolve(ok([projectRow()])),
    casebook: () => Promise.resolve({ ok: false, error: { code: 'not_found' } }),
    projectChoice: () => Promise.resolve(ok({ projects: [], total: 0 })),
    version: () => Promise.resolve({ ok: false, error: { code: 'not_found' } }),
    versions: () => Promise.resolve(ok([])),
    centers: () => Promise.resolve(ok(centers)),
    members: () => Promise.resolve(ok(members)),
    syncState: () => Promise.resolve(ok(state)),
    unsent: () => Promise.resolve(ok({ unsent: state.unsent, oldestUnsent: null })),
    watch: () => () => undefined,
    queryFileStandings: () => Promise.resolve(ok(new Map())),
    fileThumb: () => Promise.resolve(null),
    readAgain: () => undefined,
    ...more,
  } as unknown as Device
}
