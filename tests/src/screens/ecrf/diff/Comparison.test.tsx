import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { ok } from '#core/result.ts'
import { Comparison } from '#src/screens/ecrf/diff/Comparison.tsx'
import type { Session } from '#src/session/types.ts'
import { target } from '#tests/offline/support/tablet.ts'
import { entryRow, page, version } from '#tests/src/data/support/ward.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The two passes of a patient beside each other, as whoever decides about them sees them. */

beforeAll(() => speak('zh'))

const PATIENT = newId()
const FIRST = entryId(target(PATIENT))
const OPTION = JSON.stringify({
  column: [
    { prop: 'height', label: '身高', type: 'number', zl: { unit: 'cm' } },
    { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg' } },
    { prop: 'note', label: '备注', type: 'input' },
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      children: { column: [{ prop: 'drug', label: '药名', type: 'input' }] },
    },
  ],
})
const BOOK = {
  project: projectRow({ permissions: ['double_merge'] }),
  version: {
    ...version,
    folders: [
      {
        id: newId(),
        folderName: '访视1',
        folderCode: 'V1',
        sort: 1,
        pages: [{ ...page, option: OPTION }],
      },
    ],
  },
}
const AT = '2026-11-21T08:00:00.000Z'
const said = (value: GapRow['first']['value']) => ({ value, missing: null })
const WHY = { value: null, missing: { m: 'NA', reason: '未合并用药' } } as const

function gap(code: string, facts: Partial<GapRow> = {}): GapRow {
  return {
    id: `${FIRST}.${code}`,
    entryId: FIRST,
    secondEntryId: newId(),
    folderName: '访视1',
    folderNameEn: null,
    pageName: '生命体征',
    pageNameEn: null,
    pageId: page.id,
    table: null,
    rowNo: null,
    code,
    kind: 'different',
    first: said(65),
    second: said(56),
    masked: false,
    firstBy: { name: '林一录', at: AT },
    secondBy: { name: '吴二录', at: AT },
    ignored: null,
    ...facts,
  }
}

const WEIGHT = gap('weight')
const NOTE = gap('note', { kind: 'case', first: said('Walks daily'), second: said('walks daily') })

function look(gaps: readonly GapRow[], state: GapCheck['state'] = 'open') {
  const check: GapCheck = {
    patientId: PATIENT,
    state,
    gaps: [...gaps],
    agreement: { compared: 3, differing: gaps.length },
    compared: 'a'.repeat(64),
  }
  const both = [
    {
      folderName: '访视1',
      folderNameEn: null,
      pageName: '生命体征',
      pageNameEn: null,
      first: entryRow(FIRST, PATIENT, { height: 170, weight: 65, note: 'Walks daily' }),
      second: { ...entryRow(newId(), PATIENT, { height: 170, weight: 56, note: 'walks daily' }), pass: 2 as const },
    },
  ]
  const call = (async () => ok(both)) as unknown as Session['call']
  show(
    <AtDesk desk={{ session: { call } }}>
      <Comparison book={BOOK} check={check} />
    </AtDesk>,
  )
}

const row = (name: RegExp) => screen.getByRole('row', { name })

test('each difference is a row with both passes, who entered them, and the letters that differ marked', () => {
  look([WEIGHT, NOTE])
  const weight = row(/^体重/)
  expect(weight.textContent).toContain('林一录')
  expect(weight.textContent).toContain('吴二录')
  expect([...row(/^备注/).querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['W', 'w'])
  expect(row(/^备注/).textContent).toContain('仅大小写不同')
  expect(screen.queryByRole('row', { name: /^身高/ })).toBeNull()
})

test('what both passes say alike is shown on demand, at its place on the page', async () => {
  look([WEIGHT, NOTE])
  await userEvent.click(screen.getByRole('switch', { name: '仅看差异（2）' }))
  expect((await screen.findByRole('row', { name: /^身高/ })).textContent).toContain('一致')
  const names = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(names.filter((name) => !name.includes('生命体征'))).toEqual(['身高', '体重', '备注仅大小写不同'])
})

test('the keys go from difference to difference and take a pass; what is decided is counted', async () => {
  const user = userEvent.setup()
  look([WEIGHT, NOTE])
  expect(screen.getAllByText('0/2 已核')).not.toHaveLength(0)
  await user.keyboard('j')
  expect(row(/^体重/).contains(document.activeElement)).toBe(true)
  await user.keyboard('2')
  expect(screen.getByRole('radio', { name: /体重：采用二录 56 kg/ })).toHaveProperty('checked', true)
  await user.keyboard('n')
  expect(row(/^备注/).contains(document.activeElement)).toBe(true)
  await user.keyboard('k')
  expect(row(/^体重/).contains(document.activeElement)).toBe(true)
  expect(screen.getAllByText('1/2 已核')).not.toHaveLength(0)
  // The next that is open is found past the end, too.
  await user.keyboard('jn')
  expect(row(/^备注/).contains(document.activeElement)).toBe(true)
})

test('what is typed into another value is no key', async () => {
  const user = userEvent.setup()
  look([NOTE])
  await user.keyboard('j3')
  const box = screen.getByRole('textbox', { name: '备注' })
  await user.clear(box)
  await user.type(box, 'jn12')
  expect(box).toHaveProperty('value', 'jn12')
  expect(screen.getByRole('radio', { name: /备注：其他值/ })).toHaveProperty('checked', true)
})

test('a merge before all is decided says how many are left and goes to the first of them', async () => {
  const user = userEvent.setup()
  look([WEIGHT, NOTE])
  await user.click(screen.getByRole('radio', { name: /体重：采用一录/ }))
  await user.click(screen.getByRole('button', { name: '合并' }))
  expect(screen.getByText('还有 1 项未处理')).toBeTruthy()
  expect(row(/^备注/).contains(document.activeElement)).toBe(true)
  await user.click(screen.getByRole('button', { name: /生命体征：本页其余采用二录/ }))
  await user.click(screen.getByRole('button', { name: '合并' }))
  expect(await screen.findByText(/共修改 1 项/)).toBeTruthy()
})

test('beside a row that only one pass has stands why the other has none, or that there is none', () => {
  const drugs = { table: 'drugs', kind: 'row', second: said({ drug: '甘草' }) } as const
  look([
    gap('drugs', { ...drugs, rowNo: 1, first: WHY }),
    gap('drugs', { ...drugs, id: 'b', rowNo: 2, first: said(null) }),
  ])
  expect(row(/第 1 行/).textContent).toContain('未合并用药')
  expect(row(/第 1 行/).textContent).toContain('甘草')
  expect(row(/第 2 行/).textContent).toContain('没有这一行')
})

test('why a table has no rows is taken from one of the passes: no rows are entered here', () => {
  look([gap('drugs', { kind: 'missing', first: WHY, second: said(null) })])
  expect(within(row(/^合并用药/)).getAllByRole('radio')).toHaveLength(2)
})

test('of merged passes nothing can be chosen any more', () => {
  look([WEIGHT], 'merged')
  expect(row(/^体重/)).toBeTruthy()
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button', { name: '合并' })).toBeNull()
})
