import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
})

afterAll(() => database.drop())

const value = async (sql: string): Promise<unknown> =>
  (await database.pool.query<{ value: unknown }>(`SELECT ${sql} AS value`)).rows[0]?.value

test.each([
  ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
  ['(SELECT count(*) FROM generate_series(1, 3))', 3],
  ['ARRAY[1::int8, NULL]', [1, null]],
  [`'2026-11-21 11:04:05.678901+08'::timestamptz`, '2026-11-21T03:04:05.678Z'],
  [`'2026-11-21 03:04:05+00'::timestamptz`, '2026-11-21T03:04:05.000Z'],
  [`ARRAY['2026-11-21 03:04:05+00'::timestamptz]`, ['2026-11-21T03:04:05.000Z']],
  [`'2026-02-28'::date`, '2026-02-28'],
  [`'2026-02-28 23:59'::timestamp`, '2026-02-28 23:59:00'],
  [`'1.10'::numeric`, '1.10'],
  [`'{"a": [1]}'::jsonb`, { a: [1] }],
  ['NULL::int8', null],
])('%s is read as a plain value', async (sql, expected) => {
  expect(await value(sql)).toEqual(expected)
})

test('a number that JavaScript cannot hold is an error, never another number', async () => {
  await expect(value('9007199254740993::int8')).rejects.toBeInstanceOf(RangeError)
})

test('an instant that JavaScript cannot hold is an error', async () => {
  await expect(value(`'infinity'::timestamptz`)).rejects.toBeInstanceOf(RangeError)
})
