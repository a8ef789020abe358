// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { err, ok } from '#core/result.ts'
import { AgreementScreen } from '#src/screens/agreement/AgreementScreen.tsx'
import type { Report } from '#src/screens/agreement/report.ts'
import type { Session } from '#src/session/types.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

const REPORT: Report = {
  total: { compared: 2000, differing: 11 },
  fields: [
    {
      name: 'VS.weight',
      compared: 400,
      differing: 8,
      label: { pageName: '生命体征', table: null, field: { zh: '体重', en: 'Weight' } },
    },
    {
      name: 'VS.drugs.dose',
      compared: 600,
      differing: 3,
      label: { pageName: '生命体征', table: { zh: '用药', en: null }, field: { zh: '剂量', en: null } },
    },
    { name: 'OLD.gone', compared: 1000, differing: 0, label: null },
  ],
  people: [{ name: '=林一录', compared: 2000, differing: 11 }],
  centers: [{ name: '北院', compared: 2000, differing: 11 }],
}
let saved: Blob[] = []
beforeEach(() => {
  saved = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob)
    return 'blob:report'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})

/** The report of a project; another one each time, for what was read is remembered. */
let projects = 0
function look(answer: Report | null): void {
  projects += 1
  const project = projectRow({
    id: `0190a000-0000-7000-8000-0000000001${String(projects).padStart(2, '0')}`,
    permissions: ['double_merge'],
    config: { isDouble: 1, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' },
  })
  const call = (async () => (answer === null ? err({ code: 'internal' }) : ok(answer))) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Routes>
        <Route element={<Outlet context={{ project }} />}>
          <Route path="/" element={<AgreementScreen />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
}

test('errors are told in 10,000 fields, by field, person and center, and judged against the limit', async () => {
  look(REPORT)
  const fields = within(await screen.findByRole('table', { name: '按字段' }))
  const lines = fields
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )
  expect(lines).toEqual([
    ['生命体征 · 体重VS.weight', '400', '8', '200', '', '超出上限'],
    ['生命体征 · 用药 · 剂量VS.drugs.dose', '600', '3', '50', '', '合格'],
    ['OLD.gone现行版本已无此字段', '1,000', '0', '0', '', '合格'],
  ])
  expect(screen.getByText('99.45%')).toBeTruthy()
  expect(screen.getByText('错误率 0.55%，可接受上限 0.5%')).toBeTruthy()
})

test('another limit judges anew', async () => {
  look(REPORT)
  const limit = await screen.findByLabelText('可接受错误率（%）')
  await userEvent.clear(limit)
  await userEvent.type(limit, '2')
  expect(screen.getByText('每 10,000 项不超过 200 项')).toBeTruthy()
  expect(within(screen.getByRole('table', { name: '按字段' })).queryByText('超出上限')).toBeNull()
})

test('the file holds every line, and nothing that a spreadsheet would run', async () => {
  look(REPORT)
  await userEvent.click(await screen.findByRole('button', { name: '下载 CSV' }))
  const lines = (await saved[0]?.text())?.split('\r\n') ?? []
  expect(lines[1]).toBe('总体,,,2000,11,55,超出上限')
  expect(lines[2]).toBe('字段,生命体征 · 体重,VS.weight,400,8,200,超出上限')
  expect(lines.find((line) => line.startsWith('录入者'))).toBe("录入者,'=林一录,,2000,11,55,超出上限")
})

test('nothing compared yet is said, with what to do; and so is what failed', async () => {
  look({ total: { compared: 0, differing: 0 }, fields: [], people: [], centers: [] })
  expect(await screen.findByText('还没有可以比对的录入')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '下载 CSV' })).toBeNull()
})

test('what could not be had says so', async () => {
  look(null)
  expect((await screen.findByRole('alert')).textContent).toContain('服务器异常')
})
