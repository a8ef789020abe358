// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { ok } from '#core/result.ts'
import { KeepBanner } from '#src/frame/KeepBanner.tsx'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
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

let projects = 0
function look(facts: Partial<ScopeView>, download: Download | null = null): void {
  projects += 1
  const projectId = `0190a000-0000-7000-8000-0000000003${String(projects).padStart(2, '0')}`
  const scope: ScopeView = {
    scope: SCOPE,
    center: NORTH,
    kept: false,
    withheld: false,
    opened: null,
    patients: 20,
    entries: 300,
    pulledAt: null,
    ...facts,
  }
  show(
    <AtDesk desk={{ keeping: () => Promise.resolve(ok([scope])), download: () => Promise.resolve(ok(download)) }}>
      <KeepBanner projectId={projectId} />
      <p>下面是受试者</p>
    </AtDesk>,
  )
}
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
})
