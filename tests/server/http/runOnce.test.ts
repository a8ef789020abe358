import { beforeAll, describe, expect, it } from 'vitest'
import { projectFunctions } from '#core/access/functions.ts'
import type { CallId } from '#core/api/table.ts'
import { callOf, calls } from '#core/api/table.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import { newId } from '#core/ids.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { queueableCalls } from '#core/sync/protocol/operation.ts'
import { PASSWORD } from '#tests/server/support/app.ts'
import type { Client, Input } from '#tests/server/support/app.ts'
import { serverForAllTests } from '#tests/server/support/appFor.ts'
import { doubledPatient } from '#tests/server/support/doubled.ts'
import { proven } from '#tests/server/support/world.ts'
import {
  addCenter,
  changeStatus,
  createProject,
  definitionOf,
  joinAs,
  memberFields,
  SOUND,
  unnamedPatient,
} from '#tests/server/support/project.ts'

/** Every administrative write, with the state that it needs, what it sends, and something else under the same key. */

const server = serverForAllTests()
let admin: Client
let otherAdmin: Client

beforeAll(async () => {
  await server.makeUser('root', { isAdmin: true })
  await server.makeUser('root2', { isAdmin: true })
  admin = await server.signIn('root')
  otherAdmin = await server.signIn('root2')
})

interface Case {
  readonly by: Client
  readonly input: Input
  readonly other: Input
  /** Null where the write belongs to no project, or ends one. */
  readonly projectId: string | null
  /** What it answers in a project that has ended; by default `project_closed`. */
  readonly whenClosed?: string
}

async function runningProject(): Promise<string> {
  const { id } = await createProject(admin)
  await changeStatus(admin, id, 'process')
  return id
}

/** Data are taken out of a project that has ended as well. */
function dataSetBody(projectId: string) {
  return { projectId, id: newId(), rev: 0, name: '期中分析', shared: false, definition: newDefinition('zh') }
}

function dataSetRunBody(projectId: string, deidentify = newDefinition('zh').deidentify) {
  const { id, name, definition } = dataSetBody(projectId)
  const asked = { projectId, id, setId: null, name, purpose: '期中分析', crossBorder: null }
  return { ...asked, definition: { ...definition, deidentify } }
}

/** A run of the administrator's that has ended with a file, as far as its record says. */
async function runWithFile(): Promise<{ readonly projectId: string; readonly runId: string }> {
  const asked = dataSetRunBody(await runningProject())
  await admin.get('dataset.run', { body: asked })
  await server.database.pool.query(
    `UPDATE data_set_run SET state = 'done', ended_at = now(), expires_at = now() + interval '7 days' WHERE id = $1`,
    [asked.id],
  )
  return { projectId: asked.projectId, runId: asked.id }
}

function dailyReport(projectId: string) {
  return { id: newId(), projectId, kind: 'queries', centerId: null, rhythm: { every: 'day' }, language: 'zh' }
}

async function versionIn(profile: 'draft' | 'test'): Promise<{ projectId: string; crfId: string; tester: Client }> {
  const projectId = await runningProject()
  const { client: tester } = await joinAs(server, admin, projectId, `t${newId()}`, 'CRC', { crfApprove: 1 })
  const { id: crfId } = await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '需求' } })
  await admin.get('version.import', { query: { crfId }, body: SOUND })
  if (profile === 'test') await admin.get('version.releaseTest', { query: { crfId } })
  return { projectId, crfId, tester }
}

async function versionCase(
  profile: 'draft' | 'test',
  more: (at: { crfId: string; projectId: string }) => Partial<Case> = () => ({}),
): Promise<Case> {
  const { projectId, crfId } = await versionIn(profile)
  return {
    by: admin,
    projectId,
    input: { query: { crfId } },
    other: { query: { crfId: (await versionIn(profile)).crfId } },
    ...more({ crfId, projectId }),
  }
}

/** A project with a patient whom the migration to its newest release left behind. */
async function leftBehind(): Promise<{ readonly projectId: string; readonly crfId: string }> {
  const { projectId, patientId } = await doubledPatient(server, admin, { entered: false })
  const { records } = await admin.get<{ records: readonly { readonly id: string }[] }>('version.list', {
    query: { projectId },
  })
  const crfId = records[0]?.id ?? ''
  await server.database.ownerPool.query('UPDATE patient SET migrated_to = NULL WHERE id = $1', [patientId])
  await server.database.ownerPool.query(
    `INSERT INTO migration_task (id, project_id, version_id, state, started_by, started_by_name, language, started_at, ended_at)
     SELECT $1, $2, $3, 'failed', id, real_name, 'zh', now(), now() FROM app_user WHERE account = 'root'`,
    [newId(), projectId, crfId],
  )
  return { projectId, crfId }
}

async function trial(): Promise<Case> {
  const { projectId, crfId, tester } = await versionIn('test')
  const [folder] = (await admin.get<VersionRow>('version.detail', { params: { id: crfId } })).folders
  const place = {
    subject: 1,
    folderId: folder?.id ?? '',
    folderRepeat: '0',
    pageId: folder?.pages[0]?.id ?? '',
    pageRepeat: '0',
  }
  const body = { ...place, rev: 0, values: { weight: 61 }, missing: {} }
  return {
    by: tester,
    projectId,
    input: { query: { crfId }, body },
    other: { query: { crfId }, body: { ...body, values: { weight: 62 } } },
  }
}

async function judgement(call: 'version.approveCheck' | 'version.approveSign'): Promise<Case> {
  const { projectId, crfId, tester } = await versionIn('test')
  const query = { crfId }
  const passed = { result: 1, content: '全部', suggest: '无' }
  if (call === 'version.approveCheck')
    return { by: tester, projectId, input: { query, body: passed }, other: { query, body: { ...passed, result: 2 } } }
  await tester.get('version.approveCheck', { query, body: passed })
  const elsewhere = await versionIn('test')
  const { userId } = await tester.get<{ userId: string }>('auth.userInfo')
  await admin.get('member.save', { body: { projectId: elsewhere.projectId, userId, ...memberFields('CRC') } })
  const body = { password: PASSWORD }
  return { by: tester, projectId, input: { query, body }, other: { query: { crfId: elsewhere.crfId }, body } }
}

/** A tablet of a coordinator of the project's one center, who still has the keys of it. */
async function tabletIn(
  projectId: string,
): Promise<{ readonly client: Client; readonly userId: string; readonly deviceId: string; readonly centerId: string }> {
  const { id: centerId } = await addCenter(admin, projectId, newId().slice(-4))
  const { client, userId } = await joinAs(server, admin, projectId, `crc${newId()}`, 'CRC', {
    dataScope: 'center',
    centerIds: [centerId],
  })
  const deviceId = newId()
  await client.get('sync.device', {
    body: { deviceId, name: '平板', userAgent: 'Chromium', appVersion: '1', persisted: true },
  })
  await client.get('sync.keys', { body: { deviceId, scopes: [projectId] } })
  return { client, userId, deviceId, centerId }
}

/** Key of an enrolment that came from a tablet after its center had been disabled. */
async function enrolmentInInbox(projectId: string): Promise<string> {
  const { client, userId, deviceId, centerId } = await tabletIn(projectId)
  await admin.get('center.update', { body: { id: centerId, projectId, centerName: '停用', status: 'disabled' } })
  const [key, id] = [newId(), newId()]
  const body = unnamedPatient(projectId, centerId, { id })
  const at = server.services.now()
  const acted = { at, offsetMinutes: 480, driftMs: null }
  const op = proven(server.services, {
    key,
    call: 'patient.save',
    author: userId,
    deviceId,
    seq: 1,
    projectId,
    centerId,
    crfVersionId: null,
    pass: 1,
    entityId: id,
    after: [],
    acted,
    appVersion: '1',
    protocol: 1,
    body,
  })
  await client.call('sync.push', {
    body: { deviceId, report: { unsent: [], clockDriftMs: null, appVersion: '1', sentAt: at }, ops: [op] },
  })
  return key
}

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  'project.save': async () => ({
    by: admin,
    projectId: null,
    input: { body: { projectName: '甲' } },
    other: { body: { projectName: '乙' } },
  }),
  'project.update': async () => {
    const id = await runningProject()
    return {
      by: admin,
      projectId: id,
      input: { body: { id, projectName: '甲' } },
      other: { body: { id, projectName: '乙' } },
    }
  },
  'project.confUpdate': async () => {
    const projectId = await runningProject()
    const body = { projectId, isDouble: 1, isFilterPeriod: 'N', minTesters: 1 }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, minTesters: 2 } } }
  },
  'project.resourceConfig': async () => {
    const projectId = await runningProject()
    const all = projectFunctions.map(({ code }) => code)
    return {
      by: admin,
      projectId,
      input: { body: { projectId, resourceIds: all.filter((code) => code !== 'devices') } },
      other: { body: { projectId, resourceIds: all } },
    }
  },
  'project.changeStatus': async () => {
    const projectId = await runningProject()
    const query = { projectId, status: 'stop' }
    return {
      by: admin,
      projectId,
      input: { query },
      other: { query: { projectId, status: 'close' } },
      whenClosed: 'transition_refused',
    }
  },
  'project.remove': async () => ({
    by: admin,
    projectId: null,
    input: { query: { projectIds: await runningProject() } },
    other: { query: { projectIds: await runningProject() } },
  }),
  'double.create': async () => {
    const { projectId, patientId, first } = await doubledPatient(server, admin, { entered: false })
    const input = { body: { patientId, doubleSeqNo: 2 }, headers: { projectId } }
    return { by: first, projectId, input, other: { ...input, body: { ...input.body, reason: '另一个' } } }
  },
  'double.destroy': async () => {
    const { projectId, patientId, manager } = await doubledPatient(server, admin)
    const input = { query: { patientId }, body: { reason: '录错' }, headers: { projectId } }
    return { by: manager, projectId, input, other: { ...input, body: { reason: '另一个' } } }
  },
  'double.gapIgnore': async () => {
    const { projectId, manager, check } = await doubledPatient(server, admin)
    const dataIdList = (await check()).gaps.map(({ id }) => id)
    const input = { body: { dataIdList, isIgnoreGap: 1, reason: '等价' }, headers: { projectId } }
    return {
      by: manager,
      projectId,
      input,
      other: { ...input, body: { ...input.body, reason: '另一个' } },
      whenClosed: 'project_closed',
    }
  },
  'double.merge': async () => {
    const { projectId, patientId, manager, check } = await doubledPatient(server, admin)
    const { gaps, compared } = await check()
    const body = (choose: 'first' | 'second') => ({
      patientId,
      compared,
      choices: gaps.map(({ id }) => ({ id, choose })),
    })
    return {
      by: manager,
      projectId,
      input: { body: body('second'), headers: { projectId } },
      other: { body: body('first'), headers: { projectId } },
    }
  },
  'review.act': async () => {
    const { projectId, manager, check } = await doubledPatient(server, admin)
    const entryId = (await check()).gaps[0]?.entryId
    await admin.get('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
    const items = [{ table: null, rid: null, code: 'weight', seen: { value: 65, missing: null } }]
    const body = { projectId, entryId, track: 'dmr', act: 'verify', method: null, note: null, items }
    return { by: manager, projectId, input: { body }, other: { body: { ...body, note: '另一个' } } }
  },
  'review.planSwitch': async () => {
    const projectId = await runningProject()
    const plan = { critical: [], sharePercent: 20, firstOfCenter: 2, folders: null, centers: [], seed: '1' }
    const body = { projectId, track: 'sdv', plan, note: '首版' }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, note: '另一个' } } }
  },
  'dataset.save': async () => {
    const body = dataSetBody(await runningProject())
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, name: '另一个' } } }
  },
  'dataset.remove': async () => {
    const projectId = await runningProject()
    const [one, two] = [dataSetBody(projectId), dataSetBody(projectId)]
    for (const body of [one, two]) await admin.get('dataset.save', { body })
    const input = { body: { projectId, id: one.id } }
    return { by: admin, projectId: null, input, other: { body: { projectId, id: two.id } } }
  },
  'dataset.run': async () => {
    const body = dataSetRunBody(await runningProject())
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, purpose: '另一个' } } }
  },
  'dataset.decide': async () => {
    const asked = dataSetRunBody(await runningProject(), { on: false, keepText: [], ages: [] })
    await otherAdmin.get('dataset.run', { body: asked })
    const body = { projectId: asked.projectId, id: asked.id, decision: 'refuse', note: '用途不明' }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, note: '另一个' } } }
  },
  'dataset.cancel': async () => {
    const asked = dataSetRunBody(await runningProject())
    await admin.get('dataset.run', { body: asked })
    const body = { projectId: asked.projectId, id: asked.id }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, id: newId() } } }
  },
  'dataset.linkMake': async () => {
    const { projectId, runId } = await runWithFile()
    const body = { projectId, id: newId(), runId, hours: 24, purpose: '交统计师' }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, purpose: '另一个' } } }
  },
  'dataset.linkEnd': async () => {
    const { projectId, runId } = await runWithFile()
    const [one, two] = [newId(), newId()]
    for (const id of [one, two])
      await admin.get('dataset.linkMake', { body: { projectId, id, runId, hours: 24, purpose: '交统计师' } })
    const input = { body: { projectId, id: one } }
    return { by: admin, projectId: null, input, other: { body: { projectId, id: two } } }
  },
  'search.save': async () => {
    const projectId = await runningProject()
    const body = { id: newId(), projectId, name: '女性', condition: { kind: 'sex', sex: 'F' }, isShared: false }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, name: '另一个' } } }
  },
  'search.remove': async () => {
    const projectId = await runningProject()
    const [one, two] = [newId(), newId()]
    const body = { projectId, name: '女性', condition: { kind: 'sex', sex: 'F' }, isShared: false }
    for (const id of [one, two]) await admin.get('search.save', { body: { ...body, id } })
    return {
      by: admin,
      projectId: null,
      input: { body: { projectId, id: one } },
      other: { body: { projectId, id: two } },
    }
  },
  'report.scheduleSave': async () => {
    const body = dailyReport(await runningProject())
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, kind: 'visits' } } }
  },
  'report.scheduleRemove': async () => {
    const projectId = await runningProject()
    const [one, two] = [dailyReport(projectId), dailyReport(projectId)]
    for (const body of [one, two]) await admin.get('report.scheduleSave', { body })
    return {
      by: admin,
      projectId: null,
      input: { body: { projectId, id: one.id } },
      other: { body: { projectId, id: two.id } },
    }
  },
  'report.pinSave': async () => {
    const body = { projectId: await runningProject(), kinds: ['queries'] }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, kinds: ['visits'] } } }
  },
  'patient.expertSave': async () => {
    const { projectId, patientId, first } = await doubledPatient(server, admin, { entered: false })
    const { memberId } = await joinAs(server, admin, projectId, `pi${newId()}`, 'PI', { type: 'expert' })
    const input = { body: { patientId, expertIds: [memberId] }, headers: { projectId } }
    return { by: first, projectId, input, other: { ...input, body: { patientId, expertIds: [] } } }
  },
  'patient.memberSave': async () => {
    const { projectId, patientId, first } = await doubledPatient(server, admin, { entered: false })
    const { memberId } = await joinAs(server, admin, projectId, `cra${newId()}`, 'CRA')
    const input = { body: { patientId, memIds: [memberId] }, headers: { projectId } }
    return { by: first, projectId, input, other: { ...input, body: { patientId, memIds: [] } } }
  },
  'patient.sendNotice': async () => {
    const { projectId, patientId, first } = await doubledPatient(server, admin, { entered: false })
    const body = { projectId, pushType: 'note', content: '请复诊', patientIds: [patientId] }
    return { by: first, projectId, input: { body }, other: { body: { ...body, content: '请明日复诊' } } }
  },
  'entry.pageSort': async () => {
    const { projectId, crfId } = await versionIn('draft')
    const [folder] = await admin.get<readonly TreeFolder[]>('version.tree', { params: { id: crfId } })
    const input = {
      params: { id: folder?.crfPageVOList[0]?.id ?? '' },
      body: { sort: 0 },
      headers: { projectId, crfId },
    }
    return { by: admin, projectId, input, other: { ...input, body: { sort: 1 } } }
  },
  'center.save': async () => {
    const projectId = await runningProject()
    const body = { projectId, centerName: '甲', centerCode: '01' }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, centerCode: '02' } } }
  },
  'center.update': async () => {
    const projectId = await runningProject()
    const { id } = await addCenter(admin, projectId, '01')
    const body = { id, projectId, centerName: '甲', status: 'active' }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, status: 'disabled' } } }
  },
  'projectDict.submit': async () => {
    const projectId = await runningProject()
    const body = { projectId, code: 'D1', dictValue: '甲' }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, code: 'D2' } } }
  },
  'projectDict.fastSubmit': async () => {
    const projectId = await runningProject()
    const body = { projectId, code: 'D1', dictValue: '甲', children: [{ dictKey: '1', dictValue: '一' }] }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, children: [] } } }
  },
  'projectDict.remove': async () => {
    const projectId = await runningProject()
    const made = async (code: string) =>
      (await admin.get<{ id: string }>('projectDict.submit', { body: { projectId, code, dictValue: code } })).id
    return {
      by: admin,
      projectId,
      input: { query: { ids: await made('D1') } },
      other: { query: { ids: await made('D2') } },
    }
  },
  'template.save': async () => {
    const projectId = await runningProject()
    const pages = [{ pageName: '体征', pageCode: 'VS', repeatable: false, option: '{"column":[]}' }]
    const body = { projectId, kind: 'page', name: '甲', folder: { folderName: '访视', folderCode: 'V1', pages } }
    // A project that has ended may be the model of the next.
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, name: '乙' } } }
  },
  'template.remove': async () => {
    const projectId = await runningProject()
    const pages = [{ pageName: '体征', pageCode: 'VS', repeatable: false, option: '{"column":[]}' }]
    const made = async () =>
      (
        await admin.get<{ id: string }>('template.save', {
          body: { projectId, kind: 'page', name: '甲', folder: { folderName: '访视', folderCode: 'V1', pages } },
        })
      ).id
    return {
      by: admin,
      projectId: null,
      input: { query: { ids: await made() } },
      other: { query: { ids: await made() } },
    }
  },
  'member.save': async () => {
    const projectId = await runningProject()
    const body = { projectId, userId: await server.makeUser(`m${newId()}`), ...memberFields('CRA') }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, userRole: 'PM' } } }
  },
  'member.update': async () => {
    const projectId = await runningProject()
    const { memberId } = await joinAs(server, admin, projectId, `m${newId()}`, 'CRA')
    const body = { id: memberId, projectId, ...memberFields('CRC') }
    return { by: admin, projectId, input: { body }, other: { body: { ...body, userRole: 'PM' } } }
  },
  'member.remove': async () => {
    const projectId = await runningProject()
    const [one, two] = [
      await joinAs(server, admin, projectId, `m${newId()}`, 'CRA'),
      await joinAs(server, admin, projectId, `m${newId()}`, 'CRA'),
    ]
    return { by: admin, projectId, input: { query: { ids: one.memberId } }, other: { query: { ids: two.memberId } } }
  },
  'user.save': async () => {
    const body = { account: `u${newId()}`, realName: '人', password: PASSWORD }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, password: 'Another-Horse-8' } } }
  },
  'user.status': async () => {
    const userId = await server.makeUser(`s${newId()}`)
    const body = { userId, status: 'disabled', reason: '离职' }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, status: 'active' } } }
  },
  'user.endSessions': async () => {
    const userId = await server.makeUser(`e${newId()}`)
    const body = { userId, reason: '离职' }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, reason: '遗失' } } }
  },
  'user.resetPassword': async () => {
    const userId = await server.makeUser(`r${newId()}`)
    const body = { userId, password: 'Another-Horse-8', reason: '忘记密码' }
    return { by: admin, projectId: null, input: { body }, other: { body: { ...body, password: 'Another-Horse-9' } } }
  },
  'notice.setSettings': async () => {
    const account = `n${newId()}`
    await server.makeUser(account)
    const body = (email: string) => ({ groups: { conflict: { app: 'at_once', email, note: 'never' } } })
    return {
      by: await server.signIn(account),
      projectId: null,
      input: { body: body('at_once') },
      other: { body: body('never') },
    }
  },
  'auth.changePassword': async () => {
    const account = `c${newId()}`
    await server.makeUser(account)
    const body = { oldPassword: PASSWORD, newPassword: 'Another-Horse-8' }
    return {
      by: await server.signIn(account),
      projectId: null,
      input: { body },
      other: { body: { ...body, newPassword: 'Another-Horse-9' } },
    }
  },
  'version.save': async () => {
    const projectId = await runningProject()
    return {
      by: admin,
      projectId,
      input: { body: { projectId, remark: '甲' } },
      other: { body: { projectId, remark: '乙' } },
    }
  },
  'version.remove': () => versionCase('draft'),
  'version.releaseTest': () => versionCase('draft'),
  'version.import': () =>
    versionCase('draft', ({ crfId }) => ({
      input: { query: { crfId }, body: SOUND },
      other: { query: { crfId }, body: definitionOf([{ prop: 'pulse', label: '脉搏', type: 'number' }]) },
    })),
  'version.designSave': () =>
    versionCase('draft', ({ crfId }) => {
      const folder = { id: newId(), folderName: '筛选', folderCode: 'V1', pageIds: [] }
      return {
        input: { query: { crfId }, body: { rev: 1, folders: [folder], pages: [] } },
        other: { query: { crfId }, body: { rev: 1, folders: [{ ...folder, folderName: '基线' }], pages: [] } },
      }
    }),
  'version.designRestore': async () => {
    const { projectId, crfId } = await versionIn('draft')
    const { records } = await admin.get<{ records: readonly { id: string }[] }>('version.designHistory', {
      params: { id: crfId },
    })
    const body = { stateId: records[0]?.id, rev: 1 }
    return {
      by: admin,
      projectId,
      input: { query: { crfId }, body },
      other: { query: { crfId }, body: { ...body, rev: 2 } },
    }
  },
  'version.back': () => versionCase('test'),
  'trial.save': () => trial(),
  'trial.submit': () => trial(),
  'trial.clear': async () => {
    const { projectId, crfId, tester } = await versionIn('test')
    const query = { crfId }
    return { by: tester, projectId, input: { query, body: { subject: 1 } }, other: { query, body: { subject: 2 } } }
  },
  'version.release': async () => {
    const { projectId, crfId, tester } = await versionIn('test')
    const query = { crfId }
    await tester.get('version.approveCheck', { query, body: { result: 1, content: '全部', suggest: '无' } })
    await tester.get('version.approveSign', { query, body: { password: PASSWORD } })
    return { by: admin, projectId, input: { query }, other: { query: { crfId: (await versionIn('test')).crfId } } }
  },
  'version.migrationAgain': async () => {
    const [one, two] = [await leftBehind(), await leftBehind()]
    return {
      by: admin,
      projectId: one.projectId,
      input: { query: { crfId: one.crfId } },
      other: { query: { crfId: two.crfId } },
    }
  },
  'sync.deviceBlock': async () => {
    const projectId = await runningProject()
    const [one, two] = [await tabletIn(projectId), await tabletIn(projectId)]
    const body = { projectId, blocked: true, reason: '遗失' }
    // A project that has ended still has tablets to be looked after.
    return {
      by: admin,
      projectId: null,
      input: { params: { id: one.deviceId }, body },
      other: { params: { id: two.deviceId }, body },
    }
  },
  'sync.inboxDecide': async () => {
    const projectId = await runningProject()
    const [one, two] = [await enrolmentInInbox(projectId), await enrolmentInInbox(projectId)]
    const body = { projectId, decision: 'release', note: '已核实' }
    return { by: admin, projectId, input: { params: { id: one }, body }, other: { params: { id: two }, body } }
  },
  'version.approveCheck': () => judgement('version.approveCheck'),
  'version.approveSign': () => judgement('version.approveSign'),
}

/** How much has been written: operations, audit rows, and the change numbers. */
async function written(): Promise<unknown> {
  const { rows } = await server.database.ownerPool.query(
    `SELECT (SELECT count(*) FROM operation) AS operations, (SELECT count(*) FROM audit WHERE action NOT LIKE 'user.login%') AS audits,
       (SELECT sum(seq) FROM project) AS changes`,
  )
  return rows[0]
}

describe('every administrative write', () => {
  it('is among these cases', () => {
    const queueable = new Set<string>(queueableCalls)
    // What they change is booked as a save (tests/server/areas/attachment/read.test.ts).
    const asSaves = new Set<string>(['attachment.update', 'attachment.remove'])
    // They need a photograph (tests/server/areas/attachment/regions.test.ts).
    const ofPhotos = new Set<string>(['attachment.regionSave', 'attachment.regionRemove'])
    // It needs a file (tests/server/areas/projectDict/template.test.ts).
    const ofFiles = new Set<string>(['projectDict.template'])
    const writes = calls
      .filter(
        (call) =>
          call.write &&
          call.servedBy !== null &&
          ![queueable, asSaves, ofPhotos, ofFiles].some((others) => others.has(call.id)),
      )
      .map(({ id }) => id)
    expect(Object.keys(cases).toSorted()).toEqual(writes.toSorted())
  })

  for (const [name, prepare] of Object.entries(cases)) {
    const call = name as CallId

    it(`${call}: has its effect once, and its key is for nobody and nothing else`, async () => {
      const { by, input, other } = await prepare()
      const key = newId()
      const first = await by.call(call, { ...input, key })
      expect(first).toMatchObject({ success: true })
      const after = await written()
      const again = await by.call(call, { ...input, key })
      expect([again.status, again.json]).toEqual([first.status, first.json])
      for (const answer of [await by.call(call, { ...other, key }), await otherAdmin.call(call, { ...input, key })]) {
        expect(answer).toMatchObject({ status: 409, success: false, error: { code: 'key_reused' } })
      }
      expect(await written()).toEqual(after)
    })

    it(`${call}: has one effect when twins arrive at once`, async () => {
      const { by, input } = await prepare()
      const key = newId()
      const [one, two] = await Promise.all([by.call(call, { ...input, key }), by.call(call, { ...input, key })])
      expect(one).toMatchObject({ success: true })
      expect(two.json).toEqual(one.json)
      const { rows } = await server.database.ownerPool.query(
        'SELECT outcome, result IS NOT NULL AS answered FROM operation WHERE key = $1',
        [key],
      )
      expect(rows).toEqual([{ outcome: 'applied', answered: true }])
    })

    it(`${call}: writes nothing where it is refused, not even its key`, async () => {
      const { by, input, projectId, whenClosed } = await prepare()
      await server.makeUser(`stranger-${name}`)
      const stranger = await server.signIn(`stranger-${name}`)
      if (projectId !== null) await changeStatus(admin, projectId, 'close')
      const before = await written()
      const key = newId()
      // Everybody may change what is their own: what is refused to a stranger there is the key of another.
      const refusals = [
        ...(call === 'auth.changePassword' || call === 'notice.setSettings'
          ? []
          : [[stranger, callOf(call).auth === 'admin' ? 'forbidden' : 'not_found'] as const]),
        ...(projectId === null ? [] : [[by, whenClosed ?? 'project_closed'] as const]),
      ]
      for (const [person, code] of refusals) expect((await person.call(call, { ...input, key })).error?.code).toBe(code)
      expect(await written()).toEqual(before)
    })
  }

  it('may be sent again under the same key after it was refused', async () => {
    const projectId = await runningProject()
    const { id: crfId } = await admin.get<{ id: string }>('version.save', { body: { projectId, remark: '需求' } })
    const key = newId()
    expect((await admin.call('version.releaseTest', { query: { crfId }, key })).code).toBe(-1)
    await admin.get('version.import', { query: { crfId }, body: SOUND })
    expect(await admin.call('version.releaseTest', { query: { crfId }, key })).toMatchObject({ success: true })
  })

  it('goes on in a paused project', async () => {
    const projectId = await runningProject()
    await changeStatus(admin, projectId, 'stop')
    expect(await admin.call('project.update', { body: { id: projectId, projectName: '新' } })).toMatchObject({
      success: true,
    })
  })
})
