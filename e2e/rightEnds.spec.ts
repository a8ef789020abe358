import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { PASSWORD, startRightsWard } from './support/rightsWard.ts'
import type { AtWork, RightsWard } from './support/rightsWard.ts'

/**
 * A right ends under an open page, while its person types: before it, without a network; and after it, until the tablet
 * hears of it. The page closes to typing with the reason, and everything that was typed is on the server, in its inbox,
 * or on the tablet under its author. Nothing is left without a word.
 */

const NEW_PASSWORD = 'Changed-Rights-9920'
const REASON = '试验：权限变更'

interface Ending {
  readonly right: string
  readonly end: (ward: RightsWard, work: AtWork) => Promise<unknown>
  /** What the page says. */
  readonly says: RegExp
  /** Makes it as it was for whoever comes next. */
  readonly undo?: (ward: RightsWard) => Promise<unknown>
  /**
   * Where what was typed is in the end: at the server at once, or on the tablet until somebody signs in with this
   * password.
   */
  readonly waitsFor?: string
  /** Nobody can sign in any more: it stays on the tablet, listed. */
  readonly stays?: true
  /** What ended before cannot be made as it was: it ends in a study of its own. */
  readonly apart?: true
}

const member =
  (change: object) =>
  ({ admin }: RightsWard, work: AtWork) =>
    admin.call('member.update', { body: { id: work.memberId, ...work.member, ...change } })
const status =
  (to: string) =>
  ({ admin, projectId }: RightsWard) =>
    admin.call('project.changeStatus', { query: { projectId, status: to } })

const ENDINGS: readonly Ending[] = [
  { right: 'membership paused', end: member({ status: 'pause' }), says: /成员资格已停用或到期/ },
  {
    right: 'membership removed',
    end: ({ admin }, { memberId }) => admin.call('member.remove', { query: { ids: memberId } }),
    says: /成员资格已停用或到期/,
  },
  {
    right: 'center withdrawn',
    end: (ward, work) => member({ centerIds: [ward.otherCenter] })(ward, work),
    says: /该中心已不在您的权限范围内/,
  },
  { right: 'role changed', end: member({ userRole: 'CRA' }), says: /没有录入权限/ },
  {
    right: 'subject voided',
    end: async ({ colleague, projectId }, { patientId }) =>
      (await colleague()).call('patient.remove', {
        body: { id: patientId, projectId, reason: { code: 'other', text: REASON } },
      }),
    says: /已作废/,
  },
  {
    right: 'device blocked',
    end: async ({ admin, projectId, deviceOf }, { account }) =>
      admin.call('sync.deviceBlock', {
        params: { id: await deviceOf(account) },
        body: { projectId, blocked: true, reason: REASON },
      }),
    says: /此设备已被停用/,
  },
  {
    right: 'session revoked',
    end: ({ admin }, { userId }) => admin.call('user.endSessions', { body: { userId, reason: REASON } }),
    says: /管理员已结束/,
    waitsFor: PASSWORD,
  },
  {
    right: 'password changed elsewhere',
    end: async ({ address }, { account }) =>
      (await signInByApi(address, account, PASSWORD)).call('auth.changePassword', {
        body: { oldPassword: PASSWORD, newPassword: NEW_PASSWORD },
      }),
    says: /密码已在其他设备上修改/,
    waitsFor: NEW_PASSWORD,
  },
  {
    right: 'account disabled',
    end: ({ admin }, { userId }) => admin.call('user.status', { body: { userId, status: 'disabled', reason: REASON } }),
    says: /账号已停用/,
    stays: true,
  },
  { right: 'project paused', end: status('stop'), says: /暂时无法操作/, undo: status('process') },
  { right: 'page retired by a new version', end: ({ retirePage }) => retirePage(), says: /当前版本已不含此页面/ },
  { right: 'project closed', end: status('close'), says: /数据已锁定/, apart: true },
]

let ward: RightsWard
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(120_000)
  ward = await startRightsWard()
})
test.afterAll(() => ward.dispose())

for (const [at, { right, end, says, undo, waitsFor, stays, apart }] of ENDINGS.entries()) {
  test(`${right}: the page closes with the reason, and nothing that was typed is lost`, async ({ browser }) => {
    if (apart === true) {
      await ward.dispose()
      ward = await startRightsWard()
    }
    const work = await ward.begin(browser, `c${'abcdefghijklm'[at] ?? ''}xy`)
    const { page, network, patientId } = work
    const saved = page.locator('footer').getByText(/已保存在本机/)
    await page.getByLabel('体重', { exact: true }).fill(`6${at}.5`)
    await expect(saved).toBeVisible()
    // The server knows the page before its right ends: one that it has nothing of could not be checked afterwards.
    await expect.poll(() => ward.held(patientId), { timeout: 20_000 }).toContain(`6${at}.5`)
    await network.cut()
    await page.getByLabel('身高', { exact: true }).fill(`1${at + 60}`)
    await expect(saved).toBeVisible()

    const box = page.getByLabel('备注', { exact: true })
    await box.fill(`词${at}`)
    await end(ward, work)
    await network.restore()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    const typed = await typeUntilClosed(page, `词${at}`)
    await expect(page.getByText(says).first()).toBeVisible()
    await undo?.(ward)

    // In sight where it was typed; once the server has it, among what waits for a decision, above the fields.
    const inField = page.locator('[data-row="note"]').filter({ hasText: typed })
    const inNote = page
      .locator('main')
      .getByRole('listitem')
      .filter({ hasText: `备注：${typed}` })
    await expect(inField.or(inNote).first()).toBeVisible()
    await expect(page.getByText(/保存失败/)).toHaveCount(0)
    if (stays === true) {
      await expect(page.getByText(/项未同步|待同步|已保存 \d+ 项/).first()).toBeVisible()
      return
    }
    if (waitsFor !== undefined) {
      await page.getByLabel(/^密码/).last().fill(waitsFor)
      await page.getByRole('button', { name: '重新登录' }).click()
    }
    for (const value of [`6${at}.5`, `1${at + 60}`, typed]) {
      await expect
        .poll(() => ward.held(patientId), { timeout: 20_000, message: `${value} is on the server` })
        .toContain(value)
    }
    // It is still said once the page is checked, by who has the right to that now.
    if (right === 'role changed') {
      await expect(page.getByRole('region', { name: '核查' })).toBeVisible()
      await expect(page.getByText(says).first()).toBeVisible()
    }
  })
}

/** Types on, key by key, until the box is gone. Gives what stood in it. */
async function typeUntilClosed(page: Page, word: string): Promise<string> {
  let typed = word
  for (let key = 0; key < 400; key += 1) {
    const isOpen = await page.evaluate(() => {
      const row = document.querySelector('[data-row="note"]')
      return row?.querySelector('input, textarea') !== null
    })
    if (!isOpen) break
    await page.keyboard.type('a', { delay: 10 })
    typed =
      (await page.evaluate(() => document.querySelector<HTMLInputElement>('[data-row="note"] input')?.value)) ?? typed
  }
  return typed
}
