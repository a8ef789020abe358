// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { KnownQuery, QueryView } from '#src/data/shapes/queryTypes.ts'
import { QueryActs } from '#src/form/queries/QueryActs.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const AT = '2026-11-21T08:00:00.000Z'
const PATIENT = '0190a000-0000-7000-8000-000000000001'

const QUERY: KnownQuery = {
  id: '0190a000-0000-7000-8000-0000000000e1',
  no: 4,
  patientId: PATIENT,
  centerId: '0190a000-0000-7000-8000-0000000000c1',
  place: {
    patientId: PATIENT,
    folderId: null,
    folderRepeat: null,
    pageId: null,
    pageRepeat: null,
    parentEntryId: null,
    pass: null,
    table: null,
    rid: null,
    code: null,
  },
  versionId: null,
  source: 'monitor',
  rule: null,
  state: 'open',
  wasAsked: true,
  isUrgent: false,
  dueOn: null,
  askedAt: AT,
  stateAt: AT,
  thread: [],
  masked: false,
  updatedAt: AT,
}
const VIEW: QueryView = {
  query: QUERY,
  patientNo: '01-001',
  patientMark: '00AA',
  initials: 'ZS',
  waits: true,
  acts: ['answer', 'comment'],
}

/** What may be done with the query, as the one who is signed in sees it. */
function look(desk: Desk, view: QueryView = VIEW): void {
  cleanup()
  show(
    <AtDesk desk={desk}>
      <QueryActs projectId="p" view={view} />
    </AtDesk>,
  )
}

const box = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: '答复内容' })

test('an answer that was begun is still there when its sheet comes again, and only for the one who has begun it', async () => {
  const own: Desk = {}
  look(own)
  await userEvent.click(screen.getByRole('button', { name: '答复' }))
  await userEvent.click(screen.getByRole('radio', { name: '核实无误' }))
  await userEvent.type(screen.getByRole('textbox', { name: '答复内容' }), '与病历一致')

  look(own)
  expect(box()?.value).toBe('与病历一致')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '核实无误' }).checked).toBe(true)
  look(own, { ...VIEW, query: { ...QUERY, id: '0190a000-0000-7000-8000-0000000000e2' } })
  expect(box()).toBeNull()
  look({})
  expect(box()).toBeNull()

  look(own)
  await userEvent.click(screen.getByRole('button', { name: '返回' }))
  look(own)
  expect(box()).toBeNull()
})
