import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useLocation } from 'react-router-dom'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import { Guide } from '#src/frame/guide/Guide.tsx'
import { keepGuiding } from '#src/frame/guide/progress.ts'
import { addGuideTexts } from '#src/i18n/guide.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import type { closedSession } from '#tests/src/support/session.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The guide of a demo: for whom it is, where it leads, and that it stays away once it was closed. */

const PATIENT = '0190a000-0000-7000-8000-0000000000bb'
const PAGE = `/eCRF/${PATIENT}/page/0190a000-0000-7000-8000-0000000000cc?p=p1`

beforeAll(async () => {
  await speak('zh')
  addGuideTexts()
})
/** Another person in each test: nobody has asked about them before. */
let me = ''
beforeEach(() => {
  me = newId()
})

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{`${pathname}${search}`}</output>
}

let asked: string[] = []

function come({
  guided,
  role = 'CRC',
  address = '/wel/index',
}: {
  guided?: boolean
  role?: ProjectRole
  address?: string
}) {
  asked = []
  const project = projectRow({ id: 'p1', role, permissions: [...defaultPermissions(role)] })
  const answer = {
    userId: me,
    account: 'crc',
    realName: '林协调',
    avatar: '',
    phone: null,
    email: null,
    roles: [],
    isAdmin: false,
    mustChangePassword: false,
    ...(guided === undefined ? {} : { guided }),
  }
  const call = (async (id: string) => {
    asked.push(id)
    return ok(answer)
  }) as unknown as ReturnType<typeof closedSession>['call']
  return show(
    <AtDesk
      desk={{
        session: { call },
        projectChoice: () => Promise.resolve(ok({ projects: [project], total: 1 })),
      }}
    >
      <Address />
      <Guide userId={me} />
    </AtDesk>,
    address,
  )
}

const guide = () => screen.findByRole('complementary', { name: '入门导览' })
const nobodyIsGuided = async () => {
  await waitFor(() => expect(localStorage.getItem('zhenglu.guide')).toContain(`"${me}":"over"`))
  expect(screen.queryByRole('complementary')).toBeNull()
}

it('comes where the server says that it shows this person around', async () => {
  come({ guided: true })
  const dock = await guide()
  expect(within(dock).getByText('第 1 步，共 5 步')).toBeTruthy()
  expect(asked).toEqual(['auth.userInfo'])
})

it('stays away from everybody else, and the server is not asked again', async () => {
  const { unmount } = come({})
  await nobodyIsGuided()
  unmount()
  come({ guided: true })
  expect(asked).toEqual([])
})

it('leads to each place in turn, and goes on only where one is there', async () => {
  const user = userEvent.setup()
  keepGuiding(me, { step: 'open', page: null })
  const { unmount } = come({ guided: true })
  await user.click(within(await guide()).getByRole('link', { name: '打开我的工作' }))
  expect(screen.getByLabelText('address').textContent).toBe('/p/p1')
  // What is on the screen is the next move: no button leads nowhere.
  expect(within(await guide()).queryByRole('link')).toBeNull()
  unmount()

  const onPage = come({ guided: true, address: PAGE })
  await user.click(within(await guide()).getByRole('button', { name: '下一步' }))
  await user.click(within(await guide()).getByRole('button', { name: '下一步' }))
  await user.click(within(await guide()).getByRole('link', { name: '查看本机数据' }))
  expect(screen.getByLabelText('address').textContent).toBe('/device')
  await user.click(within(await guide()).getByRole('button', { name: '下一步' }))
  await user.click(within(await guide()).getByRole('link', { name: '回到该页' }))
  expect(screen.getByLabelText('address').textContent).toBe(PAGE)
  await user.click(within(await guide()).getByRole('button', { name: '下一步' }))
  // A coordinator has no right to the audit trail: the page itself tells the history of a field.
  expect((await guide()).textContent).toContain('查看字段的稽查轨迹')
  await user.click(within(await guide()).getByRole('button', { name: '完成导览' }))
  expect(screen.queryByRole('complementary')).toBeNull()
  onPage.unmount()
})

it('leads whoever may read it to the audit trail of the subject', async () => {
  keepGuiding(me, { step: 'trail', page: PAGE })
  come({ guided: true, role: 'PI', address: PAGE })
  const link = within(await guide()).getByRole('link', { name: '查看稽查轨迹' })
  expect(link.getAttribute('href')).toBe(`/eCRF/${PATIENT}/log?p=p1`)
})

it('keeps how far one is, and is closed for good by one press', async () => {
  const user = userEvent.setup()
  keepGuiding(me, { step: 'kept', page: PAGE })
  const { unmount } = come({ guided: true })
  const dock = await guide()
  expect(within(dock).getByText('第 3 步，共 5 步')).toBeTruthy()
  await user.click(within(dock).getByRole('button', { name: '关闭导览，不再显示' }))
  expect(screen.queryByRole('complementary')).toBeNull()
  unmount()
  come({ guided: true })
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(asked).toEqual([])
})

it('gives itself room, so that it covers nothing, and takes it away again', async () => {
  keepGuiding(me, { step: 'kept', page: PAGE })
  const { unmount } = come({ guided: true, address: PAGE })
  await guide()
  expect(document.documentElement.style.getPropertyValue('--zl-dock')).toBe('0px')
  expect(document.body.style.paddingBottom).toBe('0px')
  unmount()
  expect(document.documentElement.style.getPropertyValue('--zl-dock')).toBe('')
})

it('asks nobody whose role enters no data', async () => {
  keepGuiding(me, { step: 'open', page: null })
  come({ guided: true, role: 'CRA' })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('complementary')).toBeNull()
})
