import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { DemoWard } from './demoWard.ts'

/** Somebody who may take casebooks out as they are: an administrator of the project. Another one has to approve it. */

const ACCOUNT = 'archive'
const [FIRST_PASSWORD, OWN_PASSWORD] = ['First-Word-4417', 'Own-Word-9052']

/** Opens the export screen of the demo study for a new archivist at a desk. */
export async function seatArchivist(ward: DemoWard): ReturnType<DemoWard['atDesk']> {
  const { admin, address, projectId } = ward
  const { id: userId } = await admin.call<{ id: string }>('user.save', {
    body: { account: ACCOUNT, realName: '归档员', password: FIRST_PASSWORD },
  })
  const member = { projectId, userId, userRole: 'ADMIN', type: 'project', dataScope: 'all', centerIds: [] }
  await admin.call('member.save', { body: { ...member, status: 'active' } })
  const first = await signInByApi(address, ACCOUNT, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: OWN_PASSWORD } })
  const versions = await admin.call<{ records: { id: string }[] }>('version.list', { query: { projectId } })
  return ward.atDesk(ACCOUNT, `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/export`, OWN_PASSWORD)
}

/** The other administrator approves the run that was asked for last. */
export async function approveLastRun({ admin, projectId }: DemoWard): Promise<void> {
  const runs = await admin.call<{ records: { id: string }[] }>('dataset.runs', { query: { projectId } })
  const decision = { projectId, id: runs.records[0]?.id, decision: 'approve', note: '已核对' }
  await admin.call('dataset.decide', { body: decision })
}
