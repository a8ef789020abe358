// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const SCOPE = 'scope of the north'
const NORTH = {
  id: '0190a000-0000-7000-8000-0000000000c1',
  centerName: '北院',
  centerCode: '01',
  status: 'active',
  groupSummary: null,
  planEnrolls: null,
  siteNo: 1,
  numberTemplate: null,
} as const

const NORTH_SCOPE: ScopeView = {
  scope: SCOPE,
  center: NORTH,
  kept: false,
  withheld: false,
  opened: null,
  patients: 20,
  entries: 300,
  pulledAt: null,
}

let projects = 0
function draw(desk: Desk): void {
  projects += 1
  show(
    <AtDesk desk={{ download: () => Promise.resolve(ok(null)), ...desk }}>
      <KeepBanner projectId={`0190a000-0000-7000-8000-0000000003${String(projects).padStart(2, '0')}`} />
      <p>下面是受试者</p>
    </AtDesk>,
  )
}

function look(facts: Partial<ScopeView>, download: Download | null = null): void {
  draw({
    keeping: () => Promise.resolve(ok([{ ...NORTH_SCOPE, ...facts }])),
    download: () => Promise.resolve(ok(download)),
  })
}
const place = () => screen.queryByRole('status', { name: '正在加载…' })
const button = () => screen.queryByRole('button', { name: '下载到本设备，离线可用' })

describe('the banner over a list of patients', () => {
  test('offers to keep a center that is not kept', async () => {
    look({})
    await waitFor(() => expect(button()).toBeTruthy())
  })

  test('stays, waiting, from the choice until the first download has come to its end', async () => {
    look({ kept: true })
    expect(await screen.findByText('等待下载，联网后自动继续')).toBeTruthy()
    expect(button()).toBeNull()
  })

  test('shows how far the download is while it runs', async () => {
    look({ kept: true }, { scope: SCOPE, done: 3, total: 12 })
    expect(await screen.findByText('3 / 12')).toBeTruthy()
    expect(screen.queryByText('等待下载，联网后自动继续')).toBeNull()
  })

  test('is gone when everything has come once', async () => {
    look({ kept: true, pulledAt: '2026-11-02T00:00:00.000Z' })
    await screen.findByText('下面是受试者')
    await expect(screen.findByRole('region', {}, { timeout: 300 })).rejects.toThrow(/Unable to find role/)
  })

  test.each([false, true])(
    'says why a center cannot be kept beside a colleague’s data, and what to do, and offers nothing (kept before: %s)',
    async (kept) => {
      look({ withheld: true, kept })
      expect(await screen.findByText('“北院”的数据不能下载到本设备，请联网使用')).toBeTruthy()
      expect(screen.getByText(/同事已将该中心的数据下载到本设备，而您只能查看其中部分受试者/)).toBeTruthy()
      expect(button()).toBeNull()
      expect(screen.queryByText('等待下载，联网后自动继续')).toBeNull()
    },
  )

  test('has its place until the server has said what can be kept', async () => {
    // First from this device, which keeps nothing; then with the server's answer.
    let answers: readonly ScopeView[] = []
    const watchers: (() => void)[] = []
    draw({
      keeping: () => Promise.resolve(ok(answers)),
      watch: (_tables, changed) => {
        watchers.push(changed)
        return () => undefined
      },
    })
    await waitFor(() => expect(place()).toBeTruthy())
    expect(button()).toBeNull()
    answers = [NORTH_SCOPE]
    for (const changed of watchers) changed()
    await waitFor(() => expect(button()).toBeTruthy())
    expect(place()).toBeNull()
  })

  test('waits for no answer where the server is away', async () => {
    draw({ keeping: () => Promise.resolve(ok([])), session: { reachable: false } })
    await waitFor(() => expect(place()).toBeNull())
    expect(screen.queryByRole('region')).toBeNull()
  })

  test('does not push down a list that is here already with what the server offers later', async () => {
    const kept = { ...NORTH_SCOPE, scope: 'scope of the south', kept: true, pulledAt: '2026-11-02T00:00:00.000Z' }
    let answers: readonly ScopeView[] = [kept]
    const watchers: (() => void)[] = []
    const keeping = vi.fn<() => Promise<Result<readonly ScopeView[], never>>>(() => Promise.resolve(ok(answers)))
    draw({
      keeping,
      watch: (_tables, changed) => {
        watchers.push(changed)
        return () => undefined
      },
    })
    await waitFor(() => expect(place()).toBeNull())
    answers = [kept, NORTH_SCOPE]
    for (const changed of watchers) changed()
    await waitFor(() => expect(keeping).toHaveBeenCalledTimes(2))
    await expect(screen.findByRole('region', {}, { timeout: 100 })).rejects.toThrow(/Unable to find role/)
  })

  test('says in its place that a download has ended, and takes no more room the next time', async () => {
    let scope: ScopeView = { ...NORTH_SCOPE, kept: true }
    const watchers: (() => void)[] = []
    draw({
      keeping: () => Promise.resolve(ok([scope])),
      watch: (_tables, changed) => {
        watchers.push(changed)
        return () => undefined
      },
    })
    expect(await screen.findByText('等待下载，联网后自动继续')).toBeTruthy()
    scope = { ...scope, pulledAt: '2026-11-02T00:00:00.000Z' }
    for (const changed of watchers) changed()
    const said = '“北院”的数据已下载到本设备，断网也能查看和录入'
    expect(await screen.findByRole('region', { name: said })).toBeTruthy()
    cleanup()
    look({ kept: true, pulledAt: scope.pulledAt })
    await waitFor(() => expect(place()).toBeNull())
    expect(screen.queryByText(said)).toBeNull()
  })
})
