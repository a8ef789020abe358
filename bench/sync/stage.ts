import type { Pool } from 'pg'
import type { PageOption } from '#core/form/definition/column.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

import { PAGES, PAGE_OPTION } from './study.ts'
import type { StudyIds } from './study.ts'

/**
 * The real server in a process of its own, with the measured study: one project in process, one center, one released
 * version.
 */

export interface Stage {
  readonly server: RunningServer
  /** The server's address, without a network in between. */
  readonly address: string
  /** Direct access as a superuser: to write rows fast, and to see what was really kept. */
  readonly database: Pool
  readonly study: StudyIds
  /** The center's scope. */
  readonly scope: string
  readonly coordinator: Coordinator
  close(): Promise<void>
}

interface Coordinator {
  readonly account: string
  readonly password: string
  readonly userId: string
  /** Signed in without the app. */
  readonly api: ApiUser
}

export const ADMIN_PASSWORD = 'Admin-Bench-2231'
const ACCOUNT = 'crc-bench'
const [FIRST_PASSWORD, PASSWORD] = ['First-Bench-5521', 'Own-Bench-7730']

/**
 * @param env additional environment variables of the server's process
 * @param option what every page asks
 */
async function setStage(env: Readonly<Record<string, string>>, option: PageOption): Promise<Stage> {
  const server = await startServer({ adminPassword: ADMIN_PASSWORD, env: { LOG_LEVEL: 'error', ...env } })
  const address = `http://127.0.0.1:${server.port}`
  const database = await openServerDatabase(server.dataDir)
  const close = async (): Promise<void> => {
    await database.end()
    await server.dispose()
  }
  try {
    const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
    const study = await makeStudy(admin, database, option)
    const coordinator = await makeCoordinator(address, admin, study)
    await admin.call('project.changeStatus', { query: { projectId: study.projectId, status: 'process' } })
    const { projectId, centerId } = study
    return {
      server,
      address,
      database,
      study,
      scope: scopeText({ kind: 'center', projectId, centerId, pass: 1 }),
      coordinator,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Prepares the stage for some work, and removes it afterwards. */
export async function onStage(
  work: (stage: Stage) => Promise<boolean>,
  env: Readonly<Record<string, string>> = {},
  option: PageOption = PAGE_OPTION,
): Promise<boolean> {
  const stage = await setStage(env, option)
  try {
    return await work(stage)
  } finally {
    await stage.close()
  }
}

async function makeStudy(admin: ApiUser, database: Pool, pageOption: PageOption): Promise<StudyIds> {
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '冠心病心绞痛 气滞血瘀证 临床研究', projectScopeCode: 'areamultiple' },
  })
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  const center = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  const { id: versionId } = await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })
  const option = JSON.stringify(pageOption)
  const pages = Array.from({ length: PAGES }, (_, at) => ({
    pageName: `第 ${at + 1} 页`,
    pageCode: `P${at + 1}`,
    repeatable: false,
    option,
  }))
  const definition = { folders: [{ folderName: '基线', folderCode: 'V1', pages }] }
  await admin.call('version.import', {
    query: { crfId: versionId },
    body: { definition, sourceName: 'bench.csv', source: 'bench' },
  })
  await admin.call('version.releaseTest', { query: { crfId: versionId } })
  await admin.call('version.release', { query: { crfId: versionId } })
  const { rows } = await database.query<{ pageId: string; folderId: string }>(
    'SELECT page_id AS "pageId", folder_id AS "folderId" FROM crf_page WHERE version_id = $1 ORDER BY sort',
    [versionId],
  )
  const [page] = rows
  if (page === undefined) throw new Error('the study has no pages')
  return {
    projectId,
    versionId,
    centerId: center.id,
    folderId: page.folderId,
    pageIds: rows.map(({ pageId }) => pageId),
  }
}

async function makeCoordinator(
  address: string,
  admin: ApiUser,
  { projectId, centerId }: StudyIds,
): Promise<Coordinator> {
  const user = await admin.call<{ id: string }>('user.save', {
    body: { account: ACCOUNT, realName: '陈协调', password: FIRST_PASSWORD },
  })
  await admin.call('member.save', {
    body: {
      projectId,
      userId: user.id,
      userRole: 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [centerId],
      status: 'active',
    },
  })
  const first = await signInByApi(address, ACCOUNT, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
  return { account: ACCOUNT, password: PASSWORD, userId: user.id, api: await signInByApi(address, ACCOUNT, PASSWORD) }
}
