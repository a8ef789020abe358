import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'

/** Conflicts as a pull brings them. */

const AT = '2026-11-21T08:00:00.000Z'

export function held(value: JsonValue): ItemContent {
  return { value, missing: null }
}

/** Two coordinators gave the weight different values, unless a test says otherwise. */
export function conflictOn(entry: string, facts: Partial<ConflictRow> = {}): ConflictRow {
  return {
    id: newId(),
    entryId: entry,
    table: null,
    rid: null,
    code: 'weight',
    base: held(null),
    server: held(70),
    mine: held(56),
    serverBy: newId(),
    serverByName: '林协调',
    serverAt: AT,
    mineBy: newId(),
    mineByName: '何协调',
    mineAt: AT,
    opKey: newId(),
    state: 'open',
    resolution: null,
    ...facts,
  }
}
