import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { Notice } from '#core/api/calls/notice.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import { HomeNotices } from '#src/screens/home/HomeNotices.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'
import { openAs } from '#tests/src/support/session.ts'

/** The latest of what the user has not read, on the first screen. */

beforeAll(() => speak('zh'))

function notice(subject: string, kind: Notice['kind'] = 'assigned'): Notice {
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

/** The first screen of somebody else each time: what one has read is remembered. */
function look(notices: readonly Notice[] | null, total = notices?.length ?? 0) {
  const user = { userId: newId(), account: 'wu', realName: '吴项目', isAdmin: false }
  const current = openAs(user)
  const call = (async () =>
    notices === null
      ? err({ code: 'internal' })
      : ok({ records: notices, total, size: 50, current: 1, pages: 1 })) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, current } }}>
      <HomeNotices />
    </AtDesk>,
  )
}

test('is not there where there is nothing, nor where the server cannot say', async () => {
  look([])
  look(null)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('region')).toBeNull()
})

test('counts all, shows three, and leads to the patient who was assigned, not to one who was taken back', async () => {
  const [one, two] = [notice('01-001'), notice('01-002', 'taken_back')]
  look([one, two, notice('01-003'), notice('01-004')], 61)
  const section = within(await screen.findByRole('region', { name: /61/ }))
  expect(section.getAllByRole('listitem')).toHaveLength(3)
  expect(section.getByRole('link', { name: '受试者 01-001' }).getAttribute('href')).toContain(one.patientId)
  expect(section.queryByRole('link', { name: '受试者 01-002' })).toBeNull()
  expect(section.getByText('受试者 01-002')).toBeTruthy()
})
