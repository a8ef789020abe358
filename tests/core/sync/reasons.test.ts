import { describe, expect, test } from 'vitest'
import { newId } from '#core/ids.ts'
import type { ChangeReason, EntryChange, ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { placesWithoutReason, withReasons, reasonKey } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import { joinChanges } from '#offline/outbox/plannedOperation.ts'

/** What of a change of a submitted page needs a reason. */

const WHY = { code: 'transcription', text: '' } as const
const target: EntryChange['target'] = {
  patientId: newId(),
  folderId: newId(),
  folderRepeat: '0',
  pageId: newId(),
  pageRepeat: '0',
  parentEntryId: null,
  pass: 1,
}

function item(code: string, from: number | null, to: number | null, more: Partial<ItemChange> = {}): ItemChange {
  return {
    table: null,
    rid: null,
    code,
    base: { value: from, missing: null },
    to: { value: to, missing: null },
    isShow: 1,
    reason: null,
    ...more,
  }
}

function row(rid: string, from: RowChange['base'], to: RowChange['to'], more: Partial<RowChange> = {}): RowChange {
  return { table: 'drugs', rid, base: from, to, seen: null, reason: null, ...more }
}

function save(items: readonly ItemChange[], rows: readonly RowChange[] = []): EntryChange {
  return { target, items: [...items], rows: [...rows], journal: [], seen: null }
}

const HERE = { deleted: false, order: 'm' }
const GONE = { deleted: true, order: 'm' }

describe('a change of a submitted page', () => {
  test('needs a reason for each item, and none for what is as it was', () => {
    const places = placesWithoutReason(
      save([item('height', 170, 171), item('weight', 65, 65), item('note', 1, 2, { reason: WHY })]),
    )
    expect(places).toEqual([{ table: null, rid: null, code: 'height' }])
  })

  test('asks once for a row that is added, deleted or brought back, whatever is in it; not for one that is moved, or added and deleted at once', () => {
    const [added, deleted, restored, moved, brief, edited] = ['a', 'b', 'c', 'd', 'e', 'f']
    const cell = (rid: string) => item('dose', null, 5, { table: 'drugs', rid })
    const rows = [
      row('a', null, HERE),
      row('b', HERE, GONE),
      row('c', GONE, HERE),
      row('d', HERE, { ...HERE, order: 'z' }),
      row('e', null, GONE),
    ]
    const places = placesWithoutReason(
      save(
        [added, deleted, brief, edited].map((rid) => cell(rid ?? '')),
        rows,
      ),
    )
    expect(places).toEqual([
      ...[added, deleted, restored].map((rid) => ({ table: 'drugs', rid, code: ROW_STEP })),
      { table: 'drugs', rid: edited, code: 'dose' },
    ])
    expect(moved).toBe('d')
  })

  test('lacks nothing once all its places have one, and no reason is overruled', () => {
    const change = save([item('height', 170, 171), item('note', 1, 2, { reason: WHY })], [row('a', HERE, GONE)])
    const given = new Map<string, ChangeReason>(
      placesWithoutReason(change).map((place) => [reasonKey(place), { code: 'other', text: '核对' }]),
    )
    const explained = withReasons(
      change,
      new Map([...given, [reasonKey({ table: null, rid: null, code: 'note' }), { code: 'other', text: 'x' }]]),
    )
    expect(placesWithoutReason(explained)).toEqual([])
    expect(explained.items.map(({ reason }) => reason?.code)).toEqual(['other', 'transcription'])
    expect(explained.rows[0]?.reason).toMatchObject({ text: '核对' })
  })
})

describe('joined with the unsent save before it', () => {
  test('keeps the reason that was given for the same change, and asks for none where the value is back to what it was', () => {
    const joined = joinChanges(
      save([item('height', 170, 171, { reason: WHY }), item('weight', 65, 66)]),
      save([item('height', 171, 172), item('weight', 66, 65)]),
    )
    expect(joined?.items).toMatchObject([{ code: 'height', base: { value: 170 }, to: { value: 172 }, reason: WHY }])
    expect(placesWithoutReason(joined ?? save([]))).toEqual([])
  })

  test('does not lend a reason that was given for what the server has already to what is changed now', () => {
    const explanation = save([item('height', 171, 171, { reason: WHY })])
    expect(joinChanges(explanation, save([item('height', 171, 180)]))).toBeNull()
    expect(joinChanges(save([item('note', 1, 2)]), explanation)).toBeNull()
  })
})
