import { headers } from '#core/api/headers.ts'
import { entryId, FIRST_REPEAT, newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { VersionRow } from '#core/sync/rows.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { ADMIN_PASSWORD, DEMO_PASSWORD } from './demo.ts'
import type { Demo } from './demo.ts'

/**
 * A fourth center of the demo, of three patients: what is kept of it on a tablet is a few dozen rows, which a browser gives up at once. What
 * is freed of hundreds of rows comes back to the quota only when the browser tidies up.
 */

/** Of the first patient: entered and submitted. */
export const FIRST_WEIGHT = 64.5

/** Makes the center, gives it to the coordinator instead of the own, and enrols its patients. The last has nothing entered. */
export async function moveToSmallWard({ server, projectId, versionId }: Demo): Promise<void> {
  const address = `http://127.0.0.1:${server.port}`
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const center = await admin.call<{ id: string }>('center.save', { body: { projectId, centerName: '青川县中医院', centerCode: '04' } })
  const { records } = await admin.call<{ records: { id: string; account: string }[] }>('member.list', { query: { projectId, size: '100' } })
  const crc = records.find(({ account }) => account === 'crc')
  if (crc === undefined) throw new Error('there is no crc')
  const place = { projectId, type: 'center', dataScope: 'center', centerIds: [center.id], entryPass: 1, crfApprove: 0, status: 'active' }
  await admin.call('member.update', { body: { id: crc.id, userRole: 'CRC', ...place } })

  const coordinator = await signInByApi(address, 'crc', DEMO_PASSWORD)
  const patients = [newId(), newId(), newId()]
  for (const id of patients) {
    const facts = { no: null, mark: id.slice(-4).toUpperCase(), initials: 'ABC', sex: 'F', enrolledOn: '2026-11-01' }
    const identity = { name: '某某', mobile: null, email: null, birthDate: null }
    await coordinator.call('patient.save', { body: { id, projectId, centerId: center.id, ...facts, identity } })
  }
  const version = await versionOf(address, coordinator, versionId)
  const folder = version.folders.find(({ folderCode }) => folderCode === 'SCR')
  const page = folder?.pages.find(({ pageCode }) => pageCode === 'VS')
  if (folder === undefined || page === undefined) throw new Error('the demo has no vital signs at screening')
  const target = { patientId: patients[0] ?? '', folderId: folder.id, folderRepeat: FIRST_REPEAT, pageId: page.id, pageRepeat: FIRST_REPEAT, parentEntryId: null, pass: 1 } as const
  await submit(address, coordinator, { projectId, versionId }, target, { vs_date: '2026-11-01', weight: FIRST_WEIGHT, pulse: 70, sbp: 130, dbp: 80 })
}

async function versionOf(address: string, user: ApiUser, versionId: string): Promise<VersionRow> {
  const response = await fetch(`${address}/api/edc/data/crf/${versionId}/detail`, { headers: user.headers })
  return ((await response.json()) as { data: VersionRow }).data
}

async function submit(
  address: string,
  user: ApiUser,
  { projectId, versionId }: Pick<Demo, 'projectId' | 'versionId'>,
  target: EntryTarget,
  values: Readonly<Record<string, string | number>>,
): Promise<void> {
  const empty = { value: null, missing: null }
  const items = Object.entries(values).map(([code, value]) => ({ table: null, rid: null, code, to: { value, missing: null }, base: empty, isShow: 1, reason: null }))
  const response = await fetch(`${address}/api/edc/data/page/${entryId(target)}/submit`, {
    method: 'POST',
    headers: {
      ...user.headers,
      'content-type': 'application/json',
      [headers.idempotencyKey]: newId(),
      [headers.projectId]: projectId,
      [headers.crfId]: versionId,
      [headers.doubleSeqNo]: '1',
    },
    body: JSON.stringify({ target, items, rows: [], journal: [], seen: null }),
  })
  const answer = (await response.json()) as { success: boolean }
  if (!answer.success) throw new Error(`the vital signs were refused: ${JSON.stringify(answer)}`)
}
