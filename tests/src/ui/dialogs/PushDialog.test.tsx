// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { err, ok } from '#core/result.ts'
import type { PushDraft, PushRecipient } from '#src/ui/dialogs/PushDialog.tsx'
import { PushDialog } from '#src/ui/dialogs/PushDialog.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const PATIENTS: readonly PushRecipient[] = [
  { id: 'a', name: '01-001', unreachable: [] },
  { id: 'b', name: '01-002', unreachable: ['note'] },
  { id: 'c', name: '01-003', unreachable: ['note', 'email'] },
]

/** Opens the dialog; gives what it sends. */
function writeTo(
  recipients: readonly PushRecipient[],
  more: { readonly ways?: readonly ('note' | 'email')[]; readonly refused?: true; readonly content?: string } = {},
): { readonly sent: PushDraft[]; readonly closed: () => boolean } {
  const sent: PushDraft[] = []
  let isClosed = false
  const onSend = async (draft: PushDraft) => {
    sent.push(draft)
    return more.refused === undefined ? ok(true) : err({ code: 'message_way_missing' } as const)
  }
  show(
    <PushDialog
      ways={more.ways ?? ['note', 'email']}
      recipients={recipients}
      content={more.content ?? ''}
      onSend={onSend}
      onClose={() => (isClosed = true)}
    />,
  )
  return { sent, closed: () => isClosed }
}

const choose = async (role: 'radio' | 'checkbox', name: string) =>
  userEvent.click(await screen.findByRole(role, { name }))
const say = async (text: string) => userEvent.type(screen.getByRole('textbox'), text)
const send = () => userEvent.click(screen.getByRole('button', { name: '发送' }))

test('nothing is sent before there is a way, a text and somebody who gets it', async () => {
  const { sent } = writeTo(PATIENTS)
  for (const { name } of PATIENTS) await choose('checkbox', name)
  await send()
  for (const text of ['请选择推送方式', '请选择内容', '请选择收件人'])
    expect(await screen.findByText(text)).toBeTruthy()
  expect(sent).toEqual([])
  await choose('radio', '短信')
  await say('请复诊')
  await choose('checkbox', '01-001')
  await send()
  expect(sent).toEqual([{ kind: 'note', content: '请复诊', recipientIds: ['a'] }])
})

test('who cannot be reached is told before it is sent, each way by itself', async () => {
  const { sent } = writeTo(PATIENTS)
  await choose('radio', '短信')
  expect(within(screen.getByRole('status')).getByText('2 位没有可用的手机号，不会发送：01-002、01-003')).toBeTruthy()
  await choose('radio', '邮件')
  expect(within(screen.getByRole('status')).getByText('1 位没有可用的邮箱，不会发送：01-003')).toBeTruthy()
  await say('请复诊')
  await send()
  // They stay among the recipients: that they had no address is booked.
  expect(sent).toEqual([{ kind: 'email', content: '请复诊', recipientIds: ['a', 'b', 'c'] }])
})

test('nothing is sent where nobody can be reached', async () => {
  const { sent } = writeTo(PATIENTS.slice(1))
  await choose('radio', '短信')
  await say('请复诊')
  await send()
  expect(screen.getByText('所选受试者都没有可用的手机号')).toBeTruthy()
  expect(sent).toEqual([])
})

test('a way that alone is set up needs no choice, and a message that failed begins with its words', async () => {
  const { sent, closed } = writeTo(PATIENTS.slice(0, 1), { ways: ['email'], content: '请复诊' })
  expect(await screen.findByRole('radio', { name: '邮件' })).toHaveProperty('checked', true)
  expect(screen.queryByRole('radio', { name: '短信' })).toBeNull()
  await send()
  expect(sent).toEqual([{ kind: 'email', content: '请复诊', recipientIds: ['a'] }])
  expect(closed()).toBe(true)
})

test('what the server refuses stays on the screen, with why', async () => {
  const { closed } = writeTo(PATIENTS.slice(0, 1), { content: '请复诊', ways: ['note'], refused: true })
  await send()
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', '服务器尚未开通这种推送方式，请联系管理员。')
  expect(screen.getByRole('textbox')).toHaveProperty('value', '请复诊')
  expect(closed()).toBe(false)
})
