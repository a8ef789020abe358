import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { MailServer } from '#tests/server/support/mailServer.ts'
import { NoteGateway } from '#tests/server/support/noteGateway.ts'
import { expectAccessible } from './support/accessible.ts'
import { signIn } from './support/session.ts'
import { openOffice } from './support/study/office.ts'
import type { OpenOffice } from './support/study/office.ts'
import { makeStudy, openProject } from './support/study/project.ts'
import { enrolByApi } from './support/study/subject.ts'
import { joinTeam } from './support/study/team.ts'
import type { Team } from './support/study/team.ts'
import { releaseDefinition } from './support/study/versions.ts'

/**
 * A coordinator writes to patients over the operator's mail server and gateway, of which one breaks, and sees what
 * became of each message.
 */

const OPTION = JSON.stringify({ column: [{ prop: 'weight', label: '体重', type: 'number' }] })

let office: OpenOffice
let mail: MailServer
let gateway: NoteGateway
let team: Team<'crc' | 'cra'>
let places: Readonly<Record<'reachable' | 'silent', string>>

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  mail = await MailServer.start()
  gateway = await NoteGateway.start()
  office = await openOffice({
    ZHENGLU_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    ZHENGLU_SMTP_FROM: 'study@example.org',
    ZHENGLU_SMS_URL: gateway.url,
    ZHENGLU_SMS_TOKEN: 'secret',
  })
  const { admin } = office
  const study = await makeStudy(admin, { projectName: '随访提醒研究' })
  const { projectId } = study
  await releaseDefinition(admin, projectId, {
    folders: [
      {
        folderName: '基线',
        folderCode: 'V1',
        pages: [{ pageName: '生命体征', pageCode: 'VS', repeatable: false, option: OPTION }],
      },
    ],
  })
  await openProject(admin, projectId)
  team = await joinTeam(office, study, {
    crc: { realName: '林录入', userRole: 'CRC' },
    cra: { realName: '赵监查', userRole: 'CRA' },
  })
  const somebody = { initials: 'WM', name: '王某' }
  const reachable = await enrolByApi(team.crc, study, {
    ...somebody,
    mobile: '13800000000',
    email: 'wang@example.org',
  })
  const silent = await enrolByApi(team.crc, study, somebody)
  places = { reachable: `/eCRF/${reachable}?p=${projectId}`, silent: `/eCRF/${silent}?p=${projectId}` }
})

test.afterAll(async () => {
  await office.server.dispose()
  await Promise.all([mail.close(), gateway.close()])
})

const dialog = (page: Page) => page.getByRole('dialog', { name: '推送消息' })
const messages = (page: Page) => page.getByRole('list', { name: '消息' }).getByRole('listitem')

async function write(page: Page, way: '短信' | '邮件', text: string): Promise<void> {
  await page.getByRole('button', { name: '发送消息' }).click()
  await dialog(page).getByRole('radio', { name: way }).check()
  await dialog(page).getByLabel('内容').fill(text)
  await dialog(page).getByRole('button', { name: '发送', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
}

test('what was written goes out, and what became of it is seen: sent, not certain, on its way', async ({ page }) => {
  test.setTimeout(120_000)
  await signIn(page, office.address, places.reachable, team.crc)
  await page.getByRole('link', { name: '消息', exact: true }).click()
  await expect(page.getByText('还没有发送过消息')).toBeVisible()
  await expectAccessible(page, 'no messages yet')

  await page.getByRole('button', { name: '发送消息' }).click()
  await dialog(page).getByRole('button', { name: '发送', exact: true }).click()
  await expect(dialog(page).getByText('请选择推送方式')).toBeVisible()
  await expect(dialog(page).getByText('请选择内容')).toBeVisible()
  await expectAccessible(page, 'a message that is not whole')
  await page.screenshot({ path: 'test-results/look/message-dialog.png' })
  await page.keyboard.press('Escape')

  await write(page, '短信', '请于周五上午复诊，带上用药日记。')
  await expect(messages(page).first()).toContainText('已发送', { timeout: 30_000 })
  expect([...gateway.delivered.values()]).toEqual([{ to: '13800000000', text: '请于周五上午复诊，带上用药日记。' }])

  mail.mood = 'breakLate'
  await write(page, '邮件', '复诊改到下周一。')
  await expect(messages(page).first()).toContainText('不确定是否送达', { timeout: 30_000 })
  await expect(messages(page).first()).toContainText('对方可能已收到')

  gateway.mood = 500
  await write(page, '短信', '请回复收到。')
  await expect(messages(page).first()).toContainText('发送服务繁忙，暂不接收', { timeout: 30_000 })
  await expect(messages(page).first()).toContainText('等待发送')
  await expect(messages(page).first()).toContainText('已尝试 1 次')
  await expectAccessible(page, 'messages of a patient')
  await page.screenshot({ path: 'test-results/look/messages.png', fullPage: true })

  // Whoever has asked the patient sends what was not certain anew.
  mail.mood = 'kind'
  await messages(page).filter({ hasText: '不确定是否送达' }).getByRole('button', { name: '再次发送' }).click()
  await expect(dialog(page).getByLabel('内容')).toHaveValue('复诊改到下周一。')
  await expect(dialog(page).getByRole('radio', { name: '邮件' })).toBeChecked()
  await dialog(page).getByRole('button', { name: '发送', exact: true }).click()
  await expect(messages(page).first()).toContainText('已发送', { timeout: 30_000 })
  expect(mail.taken.map(({ to }) => to)).toEqual(['wang@example.org'])
})

test('it is told before sending that a patient has no number', async ({ page }) => {
  await signIn(page, office.address, places.silent, team.crc)
  await page.getByRole('link', { name: '消息', exact: true }).click()
  await page.getByRole('button', { name: '发送消息' }).click()
  await dialog(page).getByRole('radio', { name: '短信' }).check()
  await expect(dialog(page).getByText('所选受试者都没有可用的手机号')).toBeVisible()
})

test('a monitor sees that there were messages, and neither what they said nor a way to write one', async ({ page }) => {
  await signIn(page, office.address, places.reachable, team.cra)
  await page.getByRole('link', { name: '消息', exact: true }).click()
  await expect(messages(page)).toHaveCount(4)
  await expect(page.getByText('内容仅对可查看身份信息的人员显示').first()).toBeVisible()
  await expect(page.getByText('请回复收到')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '发送消息' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '再次发送' })).toHaveCount(0)
})
