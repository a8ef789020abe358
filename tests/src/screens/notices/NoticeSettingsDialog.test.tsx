import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { WayState } from '#core/api/noticeSettings.ts'
import { settingsOver } from '#core/api/noticeSettings.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import { NoticeSettingsDialog } from '#src/screens/notices/NoticeSettingsDialog.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'
import { openAs } from '#tests/src/support/session.ts'

/** How a person sets by which ways they are told. */

beforeAll(() => speak('zh'))

function look(ways: { readonly email: WayState; readonly note: WayState }, refusal: 'busy' | null = null) {
  const user = { userId: newId(), account: 'wu', realName: '吴项目', isAdmin: false }
  const sent: unknown[] = []
  const call = (async (id: string, { body }: { body?: unknown }) => {
    if (id === 'notice.settings') return ok({ ways, groups: settingsOver(new Map()) })
    sent.push(body)
    return refusal === null ? ok(true) : err({ code: refusal })
  }) as unknown as Session['call']
  const onClose = vi.fn()
  show(
    <AtDesk desk={{ session: { call, current: openAs(user) } }}>
      <NoticeSettingsDialog onClose={onClose} />
    </AtDesk>,
  )
  return { sent, onClose }
}

const choice = (name: string) => screen.findByRole('radiogroup', { name })
const checked = (group: HTMLElement) =>
  within(group)
    .getAllByRole<HTMLInputElement>('radio')
    .find((one) => one.checked)?.value

test('begins with what is set, and sends only what was changed', async () => {
  const { sent, onClose } = look({ email: 'ready', note: 'not_set_up' })
  const conflicts = await choice('冲突：邮件')
  expect([checked(conflicts), checked(await choice('待访：邮件'))]).toEqual(['daily', 'never'])
  await userEvent.click(within(conflicts).getByRole('radio', { name: '立即' }))
  await userEvent.click(within(await choice('版本发布：应用内')).getByRole('radio', { name: '不提醒' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent).toEqual([
    {
      groups: {
        conflict: { app: 'at_once', email: 'at_once', note: 'never' },
        release: { app: 'never', email: 'never', note: 'never' },
      },
    },
  ])
})

test('what asks for something cannot be silenced in the app', async () => {
  look({ email: 'ready', note: 'ready' })
  await choice('版本发布：应用内')
  await choice('冲突：短信')
  expect(screen.queryByRole('radiogroup', { name: '冲突：应用内' })).toBeNull()
  expect(screen.getAllByText('始终提醒')).toHaveLength(8)
})

test.each([
  ['not_set_up', '服务器未设置邮件发送，暂不能用邮件提醒。'],
  ['no_address', '您的账号没有邮箱地址，暂不能用邮件提醒。请联系管理员。'],
] as const)('a way that cannot reach the person is not offered, and it is said why: %s', async (state, why) => {
  look({ email: state, note: 'not_set_up' })
  await choice('版本发布：应用内')
  expect(screen.getByText(why)).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: '冲突：邮件' })).toBeNull()
  expect(screen.queryByText('短信')).toBeNull()
})

test('stays with what was chosen where it could not be saved', async () => {
  const { onClose } = look({ email: 'ready', note: 'not_set_up' }, 'busy')
  await userEvent.click(within(await choice('冲突：邮件')).getByRole('radio', { name: '立即' }))
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(checked(await choice('冲突：邮件'))).toBe('at_once')
  expect(onClose).not.toHaveBeenCalled()
})
