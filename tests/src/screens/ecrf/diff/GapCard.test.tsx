import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { GapRow } from '#core/api/calls/double.ts'
import { newId } from '#core/ids.ts'
import { GapCard } from '#src/screens/ecrf/diff/GapCard.tsx'
import { compiled } from '#tests/core/form/filling.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** One difference as whoever decides it sees it. */

beforeAll(() => speak('zh'))

const DRUGS =
  compiled([
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      children: { column: [{ prop: 'drug', label: '药名', type: 'input' }] },
    },
  ]).page.fields[0] ?? null
const NONE = { value: null, missing: { m: 'NA', reason: '未合并用药' } } as const
const NOTHING = { value: null, missing: null }
const noop = () => undefined

function look(facts: Pick<GapRow, 'kind' | 'table' | 'rowNo' | 'first' | 'second'>): void {
  const gap: GapRow = {
    id: 'gap',
    entryId: newId(),
    secondEntryId: newId(),
    folderName: '访视1',
    folderNameEn: null,
    pageName: '用药',
    pageNameEn: null,
    pageId: newId(),
    code: 'drugs',
    masked: false,
    firstBy: null,
    secondBy: null,
    ignored: null,
    ...facts,
  }
  show(
    <GapCard
      gap={gap}
      field={DRUGS}
      table={facts.table === null ? null : DRUGS}
      decision={undefined}
      readOnly={false}
      tried={false}
      onDecide={noop}
      onIgnore={noop}
      onOpenAgain={noop}
    />,
  )
}

test('beside a row that only one pass has stands why the other has none', () => {
  look({ kind: 'row', table: 'drugs', rowNo: 1, first: NONE, second: { value: { drug: '甘草' }, missing: null } })
  expect(screen.queryByText(/未合并用药/)).not.toBeNull()
  expect(screen.queryByText('没有这一行')).toBeNull()
  expect(screen.queryByText(/甘草/)).not.toBeNull()
})

test('a row that is not there, without a word why, is said to be none', () => {
  look({ kind: 'row', table: 'drugs', rowNo: 1, first: NOTHING, second: { value: { drug: '甘草' }, missing: null } })
  expect(screen.queryByText('没有这一行')).not.toBeNull()
})

test('why a table has no rows is taken from one of the passes: no rows are entered here', () => {
  look({ kind: 'missing', table: null, rowNo: null, first: NONE, second: NOTHING })
  expect(screen.queryByRole('group', { name: '合并用药' })).not.toBeNull()
  expect(screen.queryByText(/未合并用药/)).not.toBeNull()
  expect(screen.getAllByRole('radio')).toHaveLength(2)
})
