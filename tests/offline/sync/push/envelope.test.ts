import { expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import { PUSH_PARALLEL } from '#core/api/sync/push.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { packRuns } from '#offline/sync/push/envelope.ts'

const ROW_BYTES = 5000

function row(seq: number, more: Partial<OutboxRow> = {}): OutboxRow {
  const op = { keyId: newId(), level: 'data' as const, iv: new Uint8Array(12), data: new Uint8Array(ROW_BYTES) }
  const fixed = {
    author: newId(),
    scope: '',
    projectId: newId(),
    call: 'entry.save' as const,
    entityId: newId(),
    patientId: newId(),
    actedAt: '',
  }
  return {
    ...fixed,
    key: newId(),
    seq,
    state: 'queued',
    sent: 0,
    attempts: 0,
    nextAt: 0,
    after: [],
    error: null,
    supersededBy: null,
    op,
    reason: null,
    ...more,
  }
}

test('a day’s work goes in order: a short envelope first and longer ones after it, so that the server begins while the line is busy, and shorter ones to the end', () => {
  const rows = Array.from({ length: 1000 }, (_, seq) => row(seq))
  const [envelopes = [], alone] = packRuns(rows.map((one) => [one]))
  expect(envelopes.flat(2)).toEqual(rows)
  expect(alone).toEqual([])
  const lengths = envelopes.map((envelope) => envelope.length)
  const [longest, last] = [Math.max(...lengths), lengths.at(-1) ?? 0]
  expect(lengths.slice(0, PUSH_PARALLEL)).toEqual(lengths.slice(0, PUSH_PARALLEL).toSorted((a, b) => a - b))
  expect(lengths[0]).toBeLessThan(longest / 3)
  expect(last).toBeLessThan(longest / 2)
  expect(lengths.length).toBeLessThan(25)
})

test('a few saves are one envelope, and one that fails by itself goes after all others, alone', () => {
  const [first, second, poisoned] = [row(1), row(2), row(0, { alone: 1 })]
  expect(packRuns([[poisoned], [first], [second]])).toEqual([[[[first], [second]]], [[[poisoned]]]])
})
