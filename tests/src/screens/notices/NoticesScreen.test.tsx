import '#tests/src/data/support/indexedDb.ts'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import type { Notice } from '#core/api/calls/notice.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import { NoticesScreen } from '#src/screens/notices/NoticesScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'
import { openAs } from '#tests/src/support/session.ts'

/** All that a user was told: what they have read, and what is settled, stays to be found. */

beforeAll(() => speak('zh'))

const PROJECT = newId()
const PATIENT = newId()
const [ENTRY, CONFLICT, VERSION] = [newId(), newId(), newId()]

function notice(title: string, facts: Partial<Notice> = {}): Notice {
  return {
    id: newId(),
    title,
    releaseTime: '2026-05-06T08:00:00.000Z',
    kind: 'assigned',
    projectId: PROJECT,
    patientId: PATIENT,
    read: false,
    ended: false,
    ...facts,
  }
}

/** A server that has these notices; null: it cannot say. */
function look(notices: Notice[] | null): void {
  const user = { userId: newId(), account: 'wu', realName: '吴项目', isAdmin: false }
  const call = (async (
    id: string,
    { body, query }: { body?: { noticeIds: readonly string[] }; query?: { status?: string } },
  ) => {
    if (notices === null) return err({ code: 'internal' })
    if (id === 'notice.click') {
      notices = notices.map((one) => (body?.noticeIds.includes(one.id) === true ? { ...one, read: true } : one))
      return ok(true)
    }
    const asked = query?.status === '0' ? notices.filter(({ read, ended }) => !read && !ended) : notices
    // Worded at the time of the call.
    const records = asked.map((one) => ({ ...one }))
    return ok({ records, total: records.length, size: 20, current: 1, pages: 1 })
  }) as unknown as Session['call']
  const current = openAs(user)
  show(
    <AtDesk desk={{ session: { call, current } }}>
      <NoticesScreen />
    </AtDesk>,
  )
}

const lines = async () => within(await screen.findByRole('list', { name: '我的通知' })).getAllByRole('listitem')
const all = () => userEvent.click(screen.getByRole('radio', { name: '全部' }))

test('what was read leaves the unread ones and is found among all, with its state', async () => {
  look([notice('受试者 01-001'), notice('受试者 01-002', { read: true })])
  expect(await lines()).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: '标为已读：受试者 01-001' }))
  expect(await screen.findByText('没有未读通知')).toBeTruthy()
  await all()
  expect((await lines()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/受试者 01-001.*已读$/),
    expect.stringMatching(/受试者 01-002.*已读$/),
  ])
})

test('what is settled asks for nothing any more and says so', async () => {
  look([notice('测试版 V2.0 待您审核', { kind: 'approval', patientId: null, ended: true })])
  expect(await screen.findByText('没有未读通知')).toBeTruthy()
  await all()
  const [line] = await lines()
  expect(line?.textContent).toContain('已结束')
  expect(within(line as HTMLElement).queryByRole('button')).toBeNull()
})

test('each leads to its place: a review to the versions, a subject to their casebook, a withdrawal to nowhere, the rest to its screen', async () => {
  look([
    notice('待审核', { kind: 'approval', patientId: null }),
    notice('已分配'),
    notice('不再分配', { kind: 'taken_back' }),
    notice('有冲突', { kind: 'conflict', conflict: { entryId: ENTRY, id: CONFLICT } }),
    notice('收件箱', { kind: 'inbox', patientId: null, screen: 'inbox' }),
    notice('已超期', { kind: 'query_overdue', patientId: null, screen: 'queries', versionId: VERSION }),
    notice('待访', { kind: 'visit_due', patientId: null, screen: 'work', versionId: VERSION }),
    notice('已发布', { kind: 'release', patientId: null, screen: 'versions' }),
  ])
  await lines()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `/p/${PROJECT}/admin/crfHistory`,
    `/eCRF/${PATIENT}?p=${PROJECT}`,
    `/conflict/${ENTRY}/${CONFLICT}?p=${PROJECT}`,
    `/p/${PROJECT}/inbox`,
    `/p/${PROJECT}/v/${VERSION}/query?waits=true&overdue=true`,
    `/p/${PROJECT}/v/${VERSION}/workspace`,
    `/p/${PROJECT}/admin/crfHistory`,
  ])
  expect((await lines()).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('版本审核'),
    expect.stringContaining('受试者分配与变更'),
    expect.stringContaining('受试者分配与变更'),
    expect.stringContaining('冲突'),
    expect.stringContaining('收件箱'),
    expect.stringContaining('超期的质疑'),
    expect.stringContaining('待访'),
    expect.stringContaining('版本发布'),
  ])
})

test('all on a page are read at once', async () => {
  look([notice('一'), notice('二')])
  await lines()
  await userEvent.click(screen.getByRole('button', { name: '本页全部标为已读' }))
  expect(await screen.findByText('没有未读通知')).toBeTruthy()
})

test('a server that cannot say is told, with the way to try again', async () => {
  look(null)
  expect(await screen.findByRole('button', { name: '重试' })).toBeTruthy()
})

test('a reader who changes the language back and forth never sees titles of the other one', async () => {
  const inWords = { ...notice('受试者 01-001 已分配给您') }
  Object.defineProperty(inWords, 'title', {
    enumerable: true,
    get: () => (i18next.language === 'en' ? 'Subject 01-001 was assigned to you' : '受试者 01-001 已分配给您'),
  })
  look([inWords])
  for (const [language, shown, other] of [
    ['zh', /已分配给您/, /was assigned/],
    ['en', /was assigned/, /已分配给您/],
    ['zh', /已分配给您/, /was assigned/],
    ['en', /was assigned/, /已分配给您/],
  ] as const) {
    await act(() => speak(language))
    expect(screen.queryByText(other)).toBeNull()
    expect(await screen.findByText(shown)).toBeTruthy()
  }
  await act(() => speak('zh'))
})
