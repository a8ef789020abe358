// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes, useLocation } from 'react-router-dom'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { err, ok } from '#core/result.ts'
import type { QueryFilter, QueryList } from '#src/data/shapes/queryTypes.ts'
import { QueryScreen } from '#src/screens/query/QueryScreen.tsx'
import { VisitsScreen } from '#src/screens/visits/VisitsScreen.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The list of queries is narrowed down by a kept search: chosen by its name, in the address by its id alone. */

beforeAll(() => speak('zh'))

const SEARCH = '0190a000-0000-7000-8000-0000000000e1'
const GONE = '0190a000-0000-7000-8000-0000000000e2'

/** What the list was asked for. */
let asked: QueryFilter[]
beforeEach(() => {
  cleanup()
  asked = []
})

let projects = 0
interface Look {
  readonly address?: string
  readonly refusal?: ErrorCode
  readonly reachable?: boolean
  readonly maySearch?: boolean
}
function look({ address = '', refusal, reachable = true, maySearch = true }: Look = {}): void {
  projects += 1
  const id = `0190a000-0000-7000-8000-0000000003${String(projects).padStart(2, '0')}`
  const kept = [{ id: SEARCH, name: '收缩压≥140' }]
  const call = (call: string) =>
    Promise.resolve(call === 'search.list' && reachable ? ok(kept) : err({ code: 'offline' }))
  const answer = <Value,>(value: Value, searchId: string | undefined): Result<Value, ApiError> =>
    refusal !== undefined && searchId !== undefined ? err({ code: refusal }) : ok(value)
  const desk: Desk = {
    project: () => Promise.resolve(ok(projectRow({ id, permissions: maySearch ? ['search_view'] : [] }))),
    queries: (_project, filter) => {
      asked.push(filter)
      const list: QueryList = { queries: [], total: 0, totalIsLeast: false }
      return Promise.resolve(answer(list, filter.searchId))
    },
    visits: (_project, { searchId }) => Promise.resolve(answer({ lines: [], total: 0 }, searchId)),
    keeping: () => Promise.resolve(ok([])),
    download: () => Promise.resolve(ok(null)),
    session: { call: call as unknown as Session['call'], reachable },
  }
  show(
    <AtDesk desk={desk}>
      <Address />
      <Routes>
        <Route path="/p/:id/query" element={<QueryScreen />} />
        <Route path="/p/:id/visits" element={<VisitsScreen />} />
      </Routes>
    </AtDesk>,
    `/p/${id}/${address === '' ? 'query' : address}`,
  )
}

function Address() {
  return <output data-testid="address">{useLocation().search}</output>
}

const inForce = () => within(screen.getByRole('list', { name: '已用的筛选条件' }))

describe('the list of queries under a kept search', () => {
  test('is asked for by its id, which stands in the address; its name stands on the chip', async () => {
    look()
    await userEvent.click(await screen.findByRole('button', { name: '筛选' }))
    await userEvent.click(await screen.findByRole('button', { name: '已保存的检索' }))
    await userEvent.click(screen.getByRole('button', { name: '收缩压≥140' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ searchId: SEARCH }))
    expect(inForce().getByText('检索“收缩压≥140”的结果')).toBeTruthy()
    expect(screen.getByTestId('address').textContent).toBe(`?search=${SEARCH}`)
    await userEvent.click(screen.getByRole('button', { name: '去掉筛选条件：检索“收缩压≥140”的结果' }))
    await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('searchId'))
  })

  test('says that a search is not there any more, and offers to go on without it', async () => {
    look({ address: `query?search=${GONE}`, refusal: 'not_found' })
    expect((await screen.findByRole('alert')).textContent).toContain('检索已不可用')
    expect(await inForce().findByText('检索“已不可用的检索”的结果')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '去掉检索条件' }))
    await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('searchId'))
  })

  test.each([
    ['invalid', '检索条件已失效'],
    ['forbidden', '不能使用此检索'],
  ] as const)('says why it cannot be asked where the server says %s', async (refusal, words) => {
    look({ address: `query?search=${SEARCH}`, refusal })
    expect((await screen.findByRole('alert')).textContent).toContain(words)
  })

  test('needs the network: without it no search is offered, and one that was chosen shows no list', async () => {
    look({ reachable: false })
    await userEvent.click(await screen.findByRole('button', { name: '筛选' }))
    expect(await screen.findByText('我提出的')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '已保存的检索' })).toBeNull()
    cleanup()
    look({ address: `query?search=${SEARCH}`, refusal: 'offline', reachable: false })
    expect((await screen.findByRole('alert')).textContent).toContain('按检索筛选需要联网')
  })

  test('is offered to nobody who may not search', async () => {
    look({ maySearch: false })
    await userEvent.click(await screen.findByRole('button', { name: '筛选' }))
    expect(screen.queryByRole('button', { name: '已保存的检索' })).toBeNull()
  })
})

describe('the list of visits under a kept search', () => {
  test('names the search in its box, and says where it cannot be asked', async () => {
    look({ address: `visits?search=${SEARCH}` })
    const box = await screen.findByRole('combobox', { name: '已保存的检索' })
    await waitFor(() => expect(box.getAttribute('value')).toBe('收缩压≥140'))
    cleanup()
    look({ address: `visits?search=${GONE}`, refusal: 'not_found' })
    expect((await screen.findByRole('alert')).textContent).toContain('检索已不可用')
    const gone = screen.getByRole('combobox', { name: '已保存的检索' })
    await waitFor(() => expect(gone.getAttribute('value')).toBe('已不可用的检索'))
    await userEvent.click(screen.getByRole('button', { name: '去掉检索条件' }))
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(''))
  })
})
