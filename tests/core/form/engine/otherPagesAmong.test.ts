import { expect, it } from 'vitest'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { otherPagesAmong } from '#core/form/engine/otherPagesAmong.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'

/** What rules across pages read where a casebook is known as a whole, as that of a test subject is. */

const column = (...columns: readonly object[]): string => JSON.stringify({ column: columns })
const version = new CompiledVersion([
  {
    folderCode: 'V1',
    pages: [
      { pageCode: 'VS', option: column({ prop: 'weight', label: '体重', type: 'number' }) },
      {
        pageCode: 'AE',
        option: column(
          { prop: 'no', label: '序号', type: 'number' },
          { prop: 'last', label: '上一次', type: 'number', zl: { calculate: 'visit.AE.prev.no' } },
        ),
      },
    ],
  },
  {
    folderCode: 'V2',
    pages: [
      {
        pageCode: 'FU',
        option: column({ prop: 'base', label: '基线', type: 'number', zl: { calculate: 'form.V1.VS.weight' } }),
      },
    ],
  },
])
const at = (folder: string, page: string, pageRepeat: string = FIRST_REPEAT) => ({
  folder,
  folderRepeat: FIRST_REPEAT,
  page,
  pageRepeat,
})
const filled = (place: ReturnType<typeof at>, values: Readonly<Record<string, JsonValue>>) => ({
  ...place,
  data: { values, missing: {} },
})

function calculated(
  place: ReturnType<typeof at>,
  saved: readonly ReturnType<typeof filled>[],
): Readonly<Record<string, JsonValue>> {
  const page = version.page(place)
  if (!page.ok) throw new Error(place.page)
  const elsewhere = otherPagesAmong(page.compiled, place, saved, ['V1', 'V2'])
  return evaluateEntry(
    page.compiled,
    { values: {}, missing: {} },
    { today: '2026-05-06', now: '2026-05-06 08:00:00' },
    elsewhere,
  ).data.values
}

it('is the page of another visit, and nothing where it was not filled in', () => {
  expect(calculated(at('V2', 'FU'), [filled(at('V1', 'VS'), { weight: 61 })])).toEqual({ base: 61 })
  expect(calculated(at('V2', 'FU'), [])).toEqual({})
})

it('is the repeat before, in the order in which they were made', () => {
  const [second, third] = [newId(), newId()].toSorted()
  const saved = [
    filled(at('V1', 'AE'), { no: 1 }),
    filled(at('V1', 'AE', third), { no: 3 }),
    filled(at('V1', 'AE', second), { no: 2 }),
  ]
  expect(calculated(at('V1', 'AE', third), saved)).toEqual({ last: 2 })
  expect(calculated(at('V1', 'AE'), saved)).toEqual({})
})
