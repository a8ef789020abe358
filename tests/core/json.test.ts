import { expect, test } from 'vitest'
import type { Json } from '#core/json.ts'

interface Place {
  readonly code: string
  readonly rid: string | null
}

interface Fits extends Place {
  readonly places: readonly Place[]
  readonly pair: readonly [id: string, place: Place]
  readonly maybe?: number
  readonly byCode: Readonly<Record<string, Place>>
}

/** Compiles only for what comes back from JSON as it went. */
const written = <Value>(value: Value & Json<Value>): string => JSON.stringify(value)

test('what JSON carries whole is taken by its type, interfaces too, and nothing else is', () => {
  const place: Place = { code: 'weight', rid: null }
  const fits: Fits = { ...place, places: [place], pair: ['1', place], byCode: { weight: place } }
  expect(JSON.parse(written(fits))).toEqual(fits)
  expect(written('text')).toBe('"text"')
  const refused = [
    // @ts-expect-error a date comes back as a text
    () => written({ at: new Date(0) }),
    // @ts-expect-error a function does not come back
    () => written({ ...place, say: () => 'x' }),
    // @ts-expect-error nor what is never there
    () => written({ nothing: undefined }),
    // @ts-expect-error nor can anybody tell what this is
    () => written({ what: place as unknown }),
    // @ts-expect-error a map comes back empty
    () => written(new Map([['weight', place]])),
  ]
  // What the compiler refuses is what would come back as something else.
  expect(refused.map((write) => write())).toEqual([
    '{"at":"1970-01-01T00:00:00.000Z"}',
    '{"code":"weight","rid":null}',
    '{}',
    '{"what":{"code":"weight","rid":null}}',
    '{}',
  ])
})
