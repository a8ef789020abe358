import { entryId, FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { CallId } from '#core/api/table.ts'
import { callOf } from '#core/api/table.ts'
import { headers } from '#core/api/headers.ts'
import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import type { EntryChange, EntryTarget } from '#core/sync/entryChange.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'

/** Studies and people for the screens, made by the server's own calls. */

/** Of every account that is made here. */
export const OWN_PASSWORD = 'Own-Screens-6620'
export const FIRST_PASSWORD = 'First-Screens-3317'

/** Where calls go, and an administrator who makes them. */
export interface Office {
  readonly address: string
  readonly admin: ApiUser
}

/** Where entries of a study are changed. */
export interface StudyOffice {
  readonly address: string
  readonly projectId: string
  readonly versionId: string
}

export interface MadeStudy {
  readonly projectId: string
  readonly versionId: string
  readonly centerId: string
}

/** A new account. With `ready` it has chosen its own password; without, it has to. */
export async function makeAccount(
  { address, admin }: Office,
  account: string,
  realName: string,
  ready: boolean,
): Promise<string> {
  const { id } = await admin.call<{ id: string }>('user.save', {
    body: { account, realName, password: FIRST_PASSWORD },
  })
  if (ready) {
    const first = await signInByApi(address, account, FIRST_PASSWORD)
    await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: OWN_PASSWORD } })
  }
  return id
}

interface Plan {
  readonly projectName: string
  readonly centerName: string
  readonly definition: DefinitionInput
  /** Coordinators of its only center: ids of accounts. */
  readonly coordinators: readonly string[]
}

/** A study in process with a released form, one center and its coordinators, and nobody enrolled. */
export async function makeStudy(
  { admin }: Office,
  { projectName, centerName, definition, coordinators }: Plan,
): Promise<MadeStudy> {
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName, projectScopeCode: 'areamultiple' },
  })
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  const { id: centerId } = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName, centerCode: 'L01' },
  })
  for (const userId of coordinators) {
    await admin.call('member.save', {
      body: {
        projectId,
        userId,
        userRole: 'CRC',
        type: 'center',
        dataScope: 'center',
        centerIds: [centerId],
        status: 'active',
      },
    })
  }
  const { id: versionId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  await admin.call('version.import', {
    query: { crfId: versionId },
    body: { definition, sourceName: 'screens', source: 'screens' },
  })
  await admin.call('version.releaseTest', { query: { crfId: versionId } })
  await admin.call('version.release', { query: { crfId: versionId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  return { projectId, versionId, centerId }
}

/** Enrols somebody. Gives the patient's id. */
export async function enrolByApi(user: ApiUser, { projectId, centerId }: MadeStudy, initials: string): Promise<string> {
  const id = newId()
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  const body = {
    id,
    projectId,
    centerId,
    no: null,
    mark: id.slice(-4).toUpperCase(),
    initials,
    sex: 'F',
    enrolledOn: '2026-03-02',
    identity,
  }
  await user.call('patient.save', { body })
  return id
}

/** Where a page of a patient is: the first visit that has a page of this code. */
export async function findPage(
  office: Office,
  versionId: string,
  patientId: string,
  pageCode: string,
): Promise<EntryTarget> {
  const folders = await callAt<readonly TreeFolder[]>(office.address, office.admin, 'version.tree', versionId, null)
  for (const folder of folders) {
    const page = folder.crfPageVOList.find((one) => one.pageCode === pageCode)
    if (page !== undefined) {
      return {
        patientId,
        folderId: folder.id,
        folderRepeat: FIRST_REPEAT,
        pageId: page.crfPageId,
        pageRepeat: FIRST_REPEAT,
        parentEntryId: null,
        pass: 1,
      }
    }
  }
  throw new Error(`there is no page ${pageCode}`)
}

/** Changes one value, as somebody who saw `from` does. */
export async function changeValue(
  study: StudyOffice,
  user: ApiUser,
  target: EntryTarget,
  prop: string,
  from: number | null,
  to: number,
): Promise<void> {
  const held = (value: number | null) => ({ value, missing: null })
  const body: EntryChange = {
    target,
    items: [{ table: null, rid: null, code: prop, to: held(to), base: held(from), isShow: 1, reason: null }],
    rows: [],
    journal: [],
    seen: null,
  }
  const context = {
    [headers.projectId]: study.projectId,
    [headers.crfId]: study.versionId,
    [headers.doubleSeqNo]: String(target.pass),
  }
  await callAt(
    study.address,
    { ...user, headers: { ...user.headers, ...context } },
    'entry.save',
    entryId(target),
    body,
  )
}

/** Puts a picture into a field of a page that is there, as a stock front end does. Gives its id. */
export async function attachPicture(
  study: StudyOffice,
  user: ApiUser,
  target: EntryTarget,
  prop: string,
): Promise<string> {
  const form = new FormData()
  form.set('entryId', entryId(target))
  form.set('code', prop)
  // The pages of the demo were submitted.
  form.set('reason', '补拍')
  form.set('file', new Blob([picture(640, 480)], { type: 'image/bmp' }), '舌象-首诊.bmp')
  const context = {
    [headers.projectId]: study.projectId,
    [headers.crfId]: study.versionId,
    [headers.doubleSeqNo]: String(target.pass),
  }
  const { path } = callOf('attachment.update')
  const response = await fetch(`${study.address}/api${path}`, {
    method: 'POST',
    headers: { ...user.headers, ...context, [headers.idempotencyKey]: newId() },
    body: form,
  })
  const answer = (await response.json()) as { success?: boolean; data: { id: string } }
  if (!response.ok || answer.success === false) throw new Error(`the picture was refused: ${JSON.stringify(answer)}`)
  return answer.data.id
}

/** A picture of a warm colour with a paler round in it, as a BMP. */
function picture(width: number, height: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(54 + width * height * 3)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, file.length, true)
  view.setUint32(10, 54, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isRound = ((x - width / 2) / (width / 3)) ** 2 + ((y - height / 2) / (height / 2.5)) ** 2 < 1
      file.set(isRound ? [130, 120, 215] : [70, 60, 120], 54 + (y * width + x) * 3)
    }
  }
  return file
}

/** A call whose path names an id. */
export async function callAt<Data>(
  address: string,
  user: ApiUser,
  call: CallId,
  id: string,
  body: unknown,
): Promise<Data> {
  const { method, path, write } = callOf(call)
  const sent = {
    ...user.headers,
    ...(write ? { [headers.idempotencyKey]: newId() } : {}),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(`${address}/api${path.replace(':id', id)}`, {
    method,
    headers: sent,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { success?: boolean; data: Data }
  if (!response.ok || answer.success === false) throw new Error(`${call} was refused: ${JSON.stringify(answer)}`)
  return answer.data
}
