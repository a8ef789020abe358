import { describe, expect, test } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { applyChange } from '#src/data/rows/overlay.ts'

/** What a person sees of a page while their own work on it has not reached the server. */

const holding = (values: EntryData['values']): EntryData => ({ values, missing: {} })
const entered = (code: string, base: JsonValue, to: JsonValue) => ({
  items: [
    {
      table: null,
      rid: null,
      code,
      base: { value: base, missing: null },
      to: { value: to, missing: null },
      isShow: 1 as const,
      reason: null,
    },
  ],
  rows: [],
})

describe('unsent work over what came from the server', () => {
  test('is the own word, also where another entered something else meanwhile', () => {
    expect(applyChange(holding({ weight: 65 }), entered('weight', null, 56))).toEqual(holding({ weight: 56 }))
  })

  test('adds own photos to those that another added meanwhile', () => {
    const photo = (id: string) => ({ id, name: `${id}.jpg` })
    expect(
      applyChange(
        holding({ photos: [photo('a'), photo('c')] }),
        entered('photos', [photo('a')], [photo('a'), photo('b')]),
      ),
    ).toEqual(holding({ photos: [photo('a'), photo('b'), photo('c')] }))
  })

  test('that only says why something was changed leaves what another has made of it since', () => {
    const reason = { code: 'clarification' as const, text: '' }
    const [item] = entered('weight', 65, 65).items
    const drug = { _rid: 'a', _ord: 'z', _deleted: true }
    const added = {
      table: 'drugs',
      rid: 'a',
      base: { deleted: false, order: 'm' },
      to: { deleted: false, order: 'm' },
      seen: null,
      reason,
    }
    const now = holding({ weight: 66, drugs: [drug] })
    expect(applyChange(now, { items: item === undefined ? [] : [{ ...item, reason }], rows: [added] })).toEqual(now)
    // Who has decided that it stays sees it stay.
    expect(applyChange(now, entered('weight', 65, 65), true)).toEqual(holding({ weight: 65, drugs: [drug] }))
  })
})
