import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import { ok } from '#core/result.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { addDays } from '#core/study/visits/days.ts'
import { today } from '#src/data/shapes/today.ts'
import type { WorkLine } from '#src/data/shapes/types.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { VisitListLine } from '#src/data/shapes/visitTypes.ts'
import { WorkPanel } from '#src/screens/workspace/WorkPanel.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** What waits for a person, by day and by kind; each line opens its exact place. */

beforeAll(() => speak('zh'))

const id = (at: number) => `0190a000-0000-7000-8000-00000000${String(at).padStart(4, '0')}`
const [PROJECT, FOLDER, VITALS, LABS, PATIENT] = [id(1), id(2), id(3), id(4), id(5)]
const option = '{}'
const VERSION: VersionRow = {
  id: id(6),
  versionNo: 1,
  versionNoDesc: 'V1',
  crfProfile: 'formal',
  crfProfileDesc: '正式版',
  remark: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  folders: [
    {
      id: FOLDER,
      folderName: '访视2',
      folderCode: 'V2',
      sort: 1,
      pages: [
        { id: VITALS, pageName: '生命体征', pageCode: 'vital', repeatable: false, option, sort: 1 },
        { id: LABS, pageName: '实验室检查', pageCode: 'labs', repeatable: false, option, sort: 2 },
      ],
    },
  ],
}
const patient = { id: PATIENT, no: '0103', mark: '00AA', initials: '张**', centerId: id(7) }

/** A visit whose window closes in so many days. */
function visit(left: number, more: Partial<VisitListLine> = {}): VisitListLine {
  const day = today()
  return {
    id: `visit ${left}`,
    patient,
    folderId: FOLDER,
    folderRepeat: FIRST_REPEAT,
    folderName: '访视2',
    nextPageId: LABS,
    no: 1,
    plannedDate: addDays(day, left - 1),
    window: { from: addDays(day, left - 6), to: addDays(day, left) },
    actualDate: null,
    status: left < 0 ? 'overdue' : 'due',
    asked: 2,
    submitted: 1,
    ...more,
  }
}

const target = {
  patientId: PATIENT,
  folderId: FOLDER,
  folderRepeat: '0',
  pageId: VITALS,
  pageRepeat: '0',
  parentEntryId: null,
}
const lacking: WorkLine = {
  entryId: id(8),
  target,
  status: 'process',
  progress: { total: 5, answered: 3, missing: 2 },
  mark: 'received',
  patient,
  folderName: '访视2',
  pageName: '生命体征',
  order: 0,
}

const waitingQuery: QueryView = {
  query: {
    id: id(20),
    no: 1,
    patientId: PATIENT,
    centerId: id(7),
    place: { ...target, pass: 1, table: null, rid: null, code: 'weight' },
    versionId: id(6),
    source: 'monitor',
    rule: null,
    state: 'open',
    wasAsked: true,
    isUrgent: false,
    dueOn: null,
    askedAt: '2026-11-20T00:00:00.000Z',
    stateAt: '2026-11-20T00:00:00.000Z',
    thread: [],
    masked: false,
    updatedAt: '2026-11-20T00:00:00.000Z',
  },
  patientNo: '0103',
  patientMark: '00AA',
  initials: '张**',
  waits: true,
  acts: ['answer'],
}

function look(
  visits: readonly VisitListLine[],
  { enters = true, pages = [] as readonly WorkLine[], queries = null as QueryView | null } = {},
) {
  show(
    <AtDesk
      desk={{
        version: () => Promise.resolve(ok(VERSION)),
        visits: (_project, { group }) => {
          const lines = visits.filter(({ status }) => status === group)
          return Promise.resolve(ok({ lines, total: lines.length }))
        },
        work: (_project, { todo }) => {
          const lines = todo === 'missing' ? pages : []
          return Promise.resolve(ok({ lines, total: lines.length }))
        },
        queries: (_project, { waits }) => {
          const waiting = queries === null || waits !== '1' ? [] : [queries]
          return Promise.resolve(ok({ queries: waiting, total: waiting.length, totalIsLeast: false }))
        },
        attention: () => Promise.resolve(ok([])),
        unsentWork: () => Promise.resolve(ok({ lines: [], total: 0 })),
      }}
    >
      <WorkPanel projectId={PROJECT} centerId={null} enters={enters} hasQueries={queries !== null} isDue />
    </AtDesk>,
  )
}

const tab = (name: string) => screen.findByRole('tab', { name })
const lines = () => within(screen.getByRole('tabpanel')).getAllByRole('link')

describe('visits', () => {
  test('are told apart by day: today, this week, late, and those whose window is open longer', async () => {
    look([visit(0), visit(3), visit(6), visit(20), visit(-8)])
    expect((await tab('1 今天')).getAttribute('aria-selected')).toBe('true')
    for (const name of ['2 本周', '1 逾期', '1 窗口期内', '0 必填未填', '0 未同步'])
      expect(await tab(name)).toBeTruthy()
  })

  test('one tap opens the page that comes next, which the line names with the days that are left', async () => {
    look([visit(6), visit(3)])
    await userEvent.click(await tab('2 本周'))
    expect(lines().map(({ textContent }) => textContent)).toEqual([
      '0103 · 张** · 访视2 · 实验室检查还有 3 天',
      '0103 · 张** · 访视2 · 实验室检查还有 6 天',
    ])
    const page = entryId({
      patientId: PATIENT,
      folderId: FOLDER,
      folderRepeat: FIRST_REPEAT,
      pageId: LABS,
      pageRepeat: FIRST_REPEAT,
      parentEntryId: null,
      pass: 1,
    })
    expect(lines()[0]?.getAttribute('href')).toBe(`/eCRF/${PATIENT}/page/${page}?p=${PROJECT}`)
  })
})

test('a page that lacks values opens at the first of them', async () => {
  look([], { pages: [lacking] })
  expect((await tab('1 必填未填')).getAttribute('aria-selected')).toBe('true')
  const [line] = lines()
  expect(line?.textContent).toBe('0103 · 张** · 访视2 · 生命体征缺 2 项')
  expect(line?.getAttribute('href')).toBe(`/eCRF/${PATIENT}/page/${id(8)}?p=${PROJECT}&field=%40missing`)
})

test('who checks data begins with what is late rather than with today', async () => {
  look([visit(0), visit(-2)], { enters: false })
  expect((await tab('1 逾期')).getAttribute('aria-selected')).toBe('true')
})

test('where nothing waits, it says so', async () => {
  look([])
  expect((await tab('0 今天')).getAttribute('aria-selected')).toBe('true')
  expect(screen.getByText('今天没有必须进行的访视。')).toBeTruthy()
})

test('a query that waits leads to its field, with its state', async () => {
  look([], { queries: waitingQuery })
  expect((await tab('1 质疑')).getAttribute('aria-selected')).toBe('true')
  const [line] = lines()
  expect(line?.textContent).toBe('0103 · 张** · 访视2 · 生命体征 · weight待答复')
  expect(line?.getAttribute('href')).toContain('&field=weight')
})

test('who has nothing to do with queries has no such kind', async () => {
  look([visit(0)])
  await tab('1 今天')
  expect(screen.queryByRole('tab', { name: /质疑/ })).toBeNull()
})
