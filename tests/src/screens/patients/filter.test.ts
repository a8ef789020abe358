import { describe, expect, test } from 'vitest'
import { NO_FILTER, askedFor, filterIn, withFilter } from '#src/screens/patients/filter.ts'

const PAGE = '0190a000-0000-7000-8000-000000000011'
const OTHER = '0190a000-0000-7000-8000-000000000012'

describe('the filter of the list of patients', () => {
  test('stands in the address, and is there again for whoever comes back to it', () => {
    const filter = {
      ...NO_FILTER,
      center: OTHER,
      state: 'todo',
      sex: 'F',
      from: '2026-01-01',
      to: '2026-02-28',
      mine: 'true',
      page: PAGE,
      table: 'drugs',
      search: OTHER,
    } as const
    const address = withFilter(new URLSearchParams('x=1'), filter)
    expect(filterIn(address)).toEqual(filter)
    expect(address.get('x')).toBe('1')
    expect(filterIn(withFilter(address, NO_FILTER))).toEqual(NO_FILTER)
  })

  test('is nothing where an address says what is no filter', () => {
    expect(
      filterIn(new URLSearchParams('state=all&sex=X&from=2026-02-30&to=gestern&mine=1&page=abc&table=drugs&center=1')),
    ).toEqual(NO_FILTER)
  })

  test('asks about a table only as long as its page is the same', () => {
    const address = withFilter(new URLSearchParams(), { page: PAGE, table: 'drugs' })
    expect(filterIn(withFilter(address, { page: OTHER }))).toMatchObject({ page: OTHER, table: null })
    expect(filterIn(withFilter(address, { page: null }))).toEqual(NO_FILTER)
  })

  test('is asked of the device and the server in the same words', () => {
    expect(askedFor(NO_FILTER, '  ')).toEqual({})
    expect(askedFor({ ...NO_FILTER, state: 'todo', page: PAGE, table: 'drugs' }, ' zs ')).toEqual({
      no: 'zs',
      todo: 'any',
      pageId: PAGE,
      table: 'drugs',
    })
    expect(askedFor({ ...NO_FILTER, state: 'local' }, '')).toEqual({ sync: 'local' })
  })
})
