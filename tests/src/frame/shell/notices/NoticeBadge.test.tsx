import '#tests/src/data/support/indexedDb.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import type { Notice } from '#core/api/calls/notice.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import { NoticeBadge } from '#src/frame/shell/notices/NoticeBadge.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'
import { openAs } from '#tests/src/support/session.ts'

/** What the user has not read: counted in the bar, read one by one or all at once. */

beforeAll(() => speak('zh'))

function notice(subject: string, kind: Notice['kind']): Notice {
  return {
    id: newId(),
    title: `受试者 ${subject}`,
    releaseTime: '2026-05-06T08:00:00.000Z',
    kind,
    projectId: newId(),
    patientId: newId(),
    read: false,
    ended: false,
  }
}

/** A server that knows these notices; null: it cannot say. Somebody else each time: what one was told is remembered. */
function look(notices: Notice[] | null, wordOf: (notice: Notice) => string | Promise<string> = ({ title }) => title) {
  const user = { userId: newId(), account: 'wu', realName: '吴项目', isAdmin: false }
  const current = openAs(user)
  const answer = async (call: string, input: { readonly body?: { readonly noticeIds: readonly string[] } }) => {
    if (notices === null) return err({ code: 'internal' })
    if (call === 'notice.click') notices = notices.filter(({ id }) => input.body?.noticeIds.includes(id) !== true)
    return call === 'notice.click'
      ? ok(true)
      : ok({
          records: notices.map((one) => ({ ...one, title: wordOf(one) })),
          total: notices.length,
          size: 50,
          current: 1,
          pages: 1,
        })
  }
  const call = (async (id: string, input: Parameters<typeof answer>[1]) =>
    answer(id, input)) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, current } }}>
      <NoticeBadge />
    </AtDesk>,
  )
}

test('is counted, opened, and gone once it is read; an assignment leads to the patient', async () => {
  const [one, two] = [notice('01-001', 'assigned'), notice('01-002', 'taken_back')]
  look([one, two])
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: '2 条未读通知' }))
  const dialog = await screen.findByRole('dialog', { name: '通知' })
  expect(within(dialog).getByRole('link', { name: '受试者 01-001' }).getAttribute('href')).toContain(one.patientId)
  expect(within(dialog).queryByRole('link', { name: '受试者 01-002' })).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: '标为已读：受试者 01-002' }))
  await waitFor(() => expect(within(dialog).queryByText('受试者 01-002')).toBeNull())
  await user.click(within(dialog).getByRole('button', { name: '标为已读：受试者 01-001' }))
  expect(await within(dialog).findByText('没有未读通知')).toBeTruthy()
})

test('is not shown in the words of another language: the server words it, and is asked again', async () => {
  const user = userEvent.setup()
  const english = Promise.withResolvers<string>()
  look([notice('01-001', 'conflict')], ({ title }) => (i18next.language === 'en' ? english.promise : title))
  await user.click(await screen.findByRole('button', { name: '1 条未读通知' }))
  const dialog = await screen.findByRole('dialog', { name: '通知' })
  expect(await within(dialog).findByText('受试者 01-001')).toBeTruthy()
  await act(async () => speak('en'))
  await waitFor(() => expect(within(dialog).queryByText('受试者 01-001')).toBeNull())
  english.resolve('Subject 01-001')
  expect(await within(dialog).findByText('Subject 01-001')).toBeTruthy()
  await act(async () => speak('zh'))
})

test('says that there is nothing, and says so only where the server has said it', async () => {
  const user = userEvent.setup()
  look([])
  await user.click(await screen.findByRole('button', { name: '通知' }))
  expect(await screen.findByText('没有未读通知')).toBeTruthy()
})

test('where the server cannot say, nobody is told that there is nothing', async () => {
  const user = userEvent.setup()
  look(null)
  await user.click(await screen.findByRole('button', { name: '通知' }))
  expect(await screen.findByText('尚未读取到通知，请稍后再看')).toBeTruthy()
  expect(screen.queryByText('没有未读通知')).toBeNull()
})
