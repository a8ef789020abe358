// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import type { ReportKind } from '#core/report/kinds.ts'
import { err, ok } from '#core/result.ts'
import { PinnedReports } from '#src/screens/workspace/PinnedReports.tsx'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** Reports on one's workspace. */

beforeAll(() => speak('zh'))

const VERSION = '0190a000-0000-7000-8000-0000000000a1'

/** Deviations of a study that has no form of them. */
const VISITS_ONLY = {
  kind: 'deviations',
  lines: [{ id: VERSION, name: '北京一院', figures: { outside: 3, missed: 1 } }],
  total: { withDeviation: 2, numbered: 8, recorded: null, major: null, minor: null, outside: 3, missed: 1 },
  months: [],
  reasons: [],
  sources: [],
  untold: 'noForm',
}

let projects = 0
function look(pins: readonly ReportKind[], reachable = true): string {
  projects += 1
  const projectId = `0190a000-0000-7000-8000-0000000040${String(projects).padStart(2, '0')}`
  const call = vi.fn(async (name: string, { query }: { readonly query: { readonly kind?: string } }) => {
    if (name === 'report.pins') return ok(pins)
    if (query.kind === 'visits') return err({ code: 'busy' })
    if (query.kind === 'deviations') return ok(VISITS_ONLY)
    const total = { begun: 40, submitted: 30, waiting: 10, missing: 5, conflicts: 0, fields: 400, answered: 390 }
    return ok({ kind: query.kind, lines: [], total, months: [], reasons: [], sources: [], untold: null })
  }) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call, reachable } }}>
      <PinnedReports projectId={projectId} versionId={VERSION} />
    </AtDesk>,
  )
  return projectId
}

test('a card has at most four sums, those that ask for work first, and leads to its report', async () => {
  const projectId = look(['completeness'])
  const card = within(await screen.findByRole('article'))
  await card.findByText('未提交页')
  expect(card.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    '未提交页',
    '必填未填',
    '待处理冲突',
    '已录入页',
  ])
  expect(card.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['10', '5', '0', '40'])
  expect(card.getByText('97.5%')).toBeTruthy()
  expect(card.getByRole('link', { name: '录入完整性' }).getAttribute('href')).toBe(
    `/p/${projectId}/v/${VERSION}/report?report=completeness`,
  )
})

test('a report that could not be read is said in its own card; the others have their figures', async () => {
  look(['visits', 'completeness'])
  await screen.findByText('97.5%')
  const [visits, other] = await screen.findAllByRole('article')
  if (visits === undefined || other === undefined) throw new Error('two cards were expected')
  expect(within(visits).queryByRole('term')).toBeNull()
  expect(visits.querySelector('p')?.textContent ?? '').not.toBe('')
  expect(other.querySelector('p')).toBeNull()
})

test('nothing is there without a pin, nor without a network', async () => {
  look([])
  look(['completeness'], false)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(screen.queryByRole('article')).toBeNull()
})

test('deviations that only visits tell keep their figures', async () => {
  look(['deviations'])
  const card = within(await screen.findByRole('article'))
  await card.findByText('发生偏离的受试者')
  expect(card.queryByText(/不良事件/)).toBeNull()
})
