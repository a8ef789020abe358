import { expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { newId } from '#core/ids.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { startNetwork } from './network.ts'
import type { Network } from './network.ts'
import { signIn } from './session.ts'
import { releaseDefinition, testDefinition } from './study/versions.ts'

/** A study whose coordinators each have one subject and one page open while a right of theirs ends. */

const ADMIN_PASSWORD = 'Admin-Rights-5518'
const FIRST_PASSWORD = 'First-Rights-1184'
export const PASSWORD = 'Own-Rights-6651'

const FIELDS = [
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'height', label: '身高', type: 'number' },
  { prop: 'note', label: '备注', type: 'input' },
]
const VITALS = { pageName: '生命体征', pageCode: 'VS', repeatable: false, option: JSON.stringify({ column: FIELDS }) }
const OTHER = {
  pageName: '合并用药',
  pageCode: 'CM',
  repeatable: false,
  option: JSON.stringify({ column: [{ prop: 'drug', label: '药名', type: 'input' }] }),
}

/** A coordinator at a tablet, with the page of their subject open. */
export interface AtWork {
  readonly page: Page
  readonly network: Network
  readonly account: string
  readonly userId: string
  readonly memberId: string
  readonly patientId: string
  readonly member: Readonly<Record<string, unknown>>
}

export interface RightsWard {
  readonly admin: ApiUser
  readonly address: string
  readonly projectId: string
  /** Path of the list of subjects. */
  readonly patients: string
  readonly ownCenter: string
  readonly otherCenter: string
  /**
   * A new coordinator with a subject of their own, at a tablet of their own with the page open; `keeps`: whether they
   * keep the center first. Without `opens` they are still at the list of subjects.
   */
  begin(
    browser: Browser,
    account: string,
    options?: { readonly keeps?: boolean; readonly opens?: boolean },
  ): Promise<AtWork>
  /** Another coordinator of the center, past the app. */
  colleague(): Promise<ApiUser>
  /** Releases a version that does not have the page any more. */
  retirePage(): Promise<void>
  deviceOf(account: string): Promise<string>
  /**
   * Everything that the server holds of what was entered for a subject, as text: entries, inbox, what waits for the
   * project.
   */
  held(patientId: string): Promise<string>
  /** Whoever began to work leaves. */
  leave(): Promise<void>
  dispose(): Promise<void>
}

export async function startRightsWard(): Promise<RightsWard> {
  const server: RunningServer = await startServer({ adminPassword: ADMIN_PASSWORD, env: { DEMO: '0' } })
  const address = `http://127.0.0.1:${server.port}`
  const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
  const study = await beginStudy(admin, address)
  const open: AtWork[] = []
  const database = await openServerDatabase(server.dataDir)
  let mate: Promise<ApiUser> | null = null

  const leave = async () => {
    for (const { page, network } of open.splice(0)) {
      await page.context().close()
      await network.close()
    }
  }

  return {
    admin,
    address,
    projectId: study.projectId,
    patients: study.patients,
    ownCenter: study.ownCenter,
    otherCenter: study.otherCenter,
    colleague: () => (mate ??= makeCoordinator(study, 'mate').then(({ api }) => api)),
    begin: async (browser, account, { keeps = true, opens = true } = {}) => {
      const { api, ...coordinator } = await makeCoordinator(study, account)
      const patientId = await enrolSubject(api, study, account)
      const network = await startNetwork(server.port)
      const context = await browser.newContext({ viewport: { width: 820, height: 1180 } })
      const page = await context.newPage()
      await signIn(page, network.address, study.patients, { account, password: PASSWORD })
      const keep = page.getByRole('button', { name: /下载到本设备/ })
      await expect(keep).toBeVisible()
      if (keeps) {
        await keep.click()
        await expect(keep).toHaveCount(0)
      }
      if (opens) await openVitals(page, account)
      const work = { page, network, account, patientId, ...coordinator }
      open.push(work)
      return work
    },
    retirePage: () => releaseWithoutVitals(study),
    deviceOf: async (account) => {
      const { rows } = await database.query<{ device_id: string }>(
        'SELECT s.device_id FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.account = $1 AND s.device_id IS NOT NULL ORDER BY s.created_at DESC LIMIT 1',
        [account],
      )
      return rows[0]?.device_id ?? ''
    },
    held: async (patientId) => {
      const { rows } = await database.query<{ text: string }>(
        `SELECT coalesce(string_agg(body::text, ' '), '') AS text FROM operation WHERE body->'target'->>'patientId' = $1`,
        [patientId],
      )
      return rows[0]?.text ?? ''
    },
    leave,
    dispose: async () => {
      await leave()
      await database.end()
      await server.dispose()
    },
  }
}

/** A study in process, with two centers. */
interface Study {
  readonly admin: ApiUser
  readonly address: string
  readonly projectId: string
  readonly patients: string
  readonly ownCenter: string
  readonly otherCenter: string
}

async function beginStudy(admin: ApiUser, address: string): Promise<Study> {
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName: '权限试验', projectScopeCode: 'areamultiple' },
  })
  await admin.call('project.confUpdate', { body: { projectId, isDouble: 0, isFilterPeriod: 'N', minTesters: 0 } })
  const makeCenter = async (centerName: string, centerCode: string): Promise<string> =>
    (await admin.call<{ id: string }>('center.save', { body: { projectId, centerName, centerCode } })).id
  const [ownCenter, otherCenter] = [await makeCenter('北京一院', 'BJ01'), await makeCenter('南京二院', 'NJ02')]
  const versionId = await releaseDefinition(admin, projectId, visitOf([VITALS, OTHER]))
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  return { admin, address, projectId, patients: `/p/${projectId}/v/${versionId}/patients`, ownCenter, otherCenter }
}

/** The only visit of the study, with its pages. */
function visitOf(pages: readonly object[]) {
  return { folders: [{ folderName: '基线', folderCode: 'V1', pages }] }
}

/** A coordinator of the first center, with a password of their own. */
async function makeCoordinator({ admin, address, projectId, ownCenter }: Study, account: string) {
  const { id: userId } = await admin.call<{ id: string }>('user.save', {
    body: { account, realName: `协调${account}`, password: FIRST_PASSWORD },
  })
  const member = {
    projectId,
    userId,
    userRole: 'CRC',
    type: 'center',
    dataScope: 'center',
    centerIds: [ownCenter],
    status: 'active',
  }
  const { id: memberId } = await admin.call<{ id: string }>('member.save', { body: member })
  const first = await signInByApi(address, account, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: PASSWORD } })
  return { userId, memberId, member, api: await signInByApi(address, account, PASSWORD) }
}

/** A subject of a coordinator, whose initials are those of the account. Gives the subject's id. */
async function enrolSubject(api: ApiUser, { projectId, ownCenter }: Study, account: string): Promise<string> {
  const id = newId()
  await api.call('patient.save', {
    body: {
      id,
      projectId,
      centerId: ownCenter,
      no: null,
      mark: id.slice(-4).toUpperCase(),
      initials: initialsOf(account),
      sex: 'F',
      enrolledOn: '2026-11-20',
      identity: { name: '赵甲', mobile: null, email: null, birthDate: null },
    },
  })
  return id
}

function initialsOf(account: string): string {
  return account.toUpperCase().slice(0, 4)
}

/** Opens a subject of the list by initials: the link is the number. */
export async function openSubject(page: Page, initials: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(initials) })
    .getByRole('rowheader')
    .getByRole('link')
    .click()
}

/** From the list of subjects to the page of the coordinator's own one. */
async function openVitals(page: Page, account: string): Promise<void> {
  await openSubject(page, initialsOf(account))
  await page
    .getByRole('link', { name: new RegExp(VITALS.pageName) })
    .first()
    .click()
  await expect(page.getByLabel('体重', { exact: true })).toBeVisible()
}

async function releaseWithoutVitals({ admin, projectId }: Study): Promise<void> {
  const crfId = await testDefinition(admin, projectId, visitOf([OTHER]))
  const plan = await admin
    .call<{ items?: readonly unknown[] }>('version.migrationPlan', { query: { crfId } })
    .catch(() => null)
  await admin.call('version.release', { query: { crfId }, body: plan === null ? {} : { confirmed: true } })
}
