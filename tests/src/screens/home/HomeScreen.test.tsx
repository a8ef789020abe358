import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, test } from 'vitest'
import { err, ok } from '#core/result.ts'
import type { Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import { HomeScreen } from '#src/screens/home/HomeScreen.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The first screen: what waits in each project, how far enrolment is, and nothing that is not known. */

beforeAll(() => speak('zh'))

const ENROLMENT: Enrolment = {
  enrolled: 3,
  planned: 60,
  centers: 1,
  isHere: true,
  undated: 0,
  days: [
    { day: '2026-01-10', count: 2 },
    { day: '2026-01-12', count: 1 },
  ],
}

function look(desk: Partial<Desk> = {}) {
  show(
    <AtDesk
      desk={{
        home: () =>
          Promise.resolve(
            ok([
              {
                project: projectRow({ functions: ['query'] }),
                counts: { missing: 4, process: 0, queries: 2, attention: 1 },
                counting: false,
              },
            ]),
          ),
        enrolled: () => Promise.resolve(ok(ENROLMENT)),
        enrolment: () => Promise.resolve(ok(ENROLMENT)),
        keeping: () => Promise.resolve(ok([])),
        ...desk,
      }}
    >
      <HomeScreen />
    </AtDesk>,
    '/wel/index',
  )
}

test('a project says what waits in it and how far enrolment is', async () => {
  look()
  const card = within(await screen.findByRole('article'))
  expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '4 必填未填',
    '0 未提交',
    '2 待处理质疑',
    '1 冲突/待处理',
  ])
  expect(await card.findByText('已入组 3 / 60 例')).toBeTruthy()
  expect(card.getByText('5%')).toBeTruthy()
  expect(card.getByText('未下载到本机')).toBeTruthy()
})

describe('the enrolment curve', () => {
  test('can be read as a table, with each day and the sum by then', async () => {
    look()
    await userEvent.click(await screen.findByText('查看数据表'))
    const table = within(screen.getByRole('table'))
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      '入组日期当日入组累计入组',
      '2026-01-1022',
      '2026-01-1213',
    ])
    expect(screen.getByRole('list', { name: '图例' }).textContent).toBe('累计入组 3 例计划 60 例')
  })

  test('is not drawn of a part: where the patients are not here, the server is asked when somebody wants it', async () => {
    const asked: boolean[] = []
    look({
      enrolment: (_project, asks) => {
        asked.push(asks)
        return Promise.resolve(asks ? ok({ ...ENROLMENT, isHere: false }) : err({ code: 'not_kept' }))
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: '查询' }))
    expect(await screen.findByText(/按服务器数据/)).toBeTruthy()
    expect(asked).toEqual([false, true])
  })

  test('without a network it says why there is none', async () => {
    look({ enrolment: () => Promise.resolve(err({ code: 'not_kept' })), session: { reachable: false } })
    expect(await screen.findByText(/无法显示完整的入组曲线/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '查询' })).toBeNull()
  })

  test('nobody is enrolled yet', async () => {
    look({ enrolment: () => Promise.resolve(ok({ ...ENROLMENT, enrolled: 0, days: [] })) })
    expect(await screen.findByText('还没有入组的受试者。')).toBeTruthy()
  })
})
