import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { err, ok } from '#core/result.ts'
import { UserMenu } from '#src/frame/shell/user/UserMenu.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'
import { openAs } from '#tests/src/support/session.ts'

beforeAll(() => speak('zh'))

/** Whether a lock password was chosen, and what comes of locking. */
async function open(lockPassword: boolean, lock: Session['lock']) {
  const user = { userId: '0190a000-0000-7000-8000-0000000000aa', account: 'wu', realName: '吴项目', isAdmin: false }
  show(
    <AtDesk
      desk={{
        session: {
          lock,
          current: openAs(user, { lockPassword }),
        },
      }}
    >
      <UserMenu />
    </AtDesk>,
  )
  await userEvent.click(screen.getByRole('button', { name: '用户菜单：吴项目' }))
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('a tablet whose lock password was chosen locks at once', async () => {
  const lock = vi.fn(async () => ok(true as const))
  await open(true, lock)
  await press('锁定')
  expect(lock).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog', { name: '设置锁屏密码' })).toBeNull()
})

test('one without asks for it first', async () => {
  const lock = vi.fn(async () => ok(true as const))
  await open(false, lock)
  expect(screen.queryByRole('button', { name: '更换锁屏密码' })).toBeNull()
  await press('锁定')
  expect(await screen.findByRole('dialog', { name: '设置锁屏密码' })).not.toBeNull()
  expect(lock).not.toHaveBeenCalled()
})

test('what keeps a tablet from locking is said', async () => {
  await open(true, async () => err({ code: 'storage_full' }))
  await press('锁定')
  expect((await screen.findByRole('alert')).textContent).toContain('有内容尚未保存到本机，暂不锁定')
})

test('another lock password is asked for without locking', async () => {
  const lock = vi.fn(async () => ok(true as const))
  await open(true, lock)
  await press('更换锁屏密码')
  const dialog = await screen.findByRole('dialog', { name: '设置锁屏密码' })
  expect(dialog.textContent).not.toContain('暂不锁定')
  expect(lock).not.toHaveBeenCalled()
})
