import { expect } from 'vitest'
import { asJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { casebooksOfScope } from '#offline/db/marks.ts'
import { cacheId, isOwnView, openRow } from '#offline/sync/cache.ts'
import { entriesOfPatient } from '#offline/sync/pull/entries.ts'
import type { RowKind } from '#core/api/sync/rows.ts'
import type { Server, Tablet } from '#tests/scenarios/support/ward.ts'
import type { Person } from '#tests/server/support/world.ts'
import { pull } from '#tests/server/support/world.ts'

/** Whether a tablet holds what the server holds: nothing older, nothing more, nothing less. */

interface Held {
  readonly cursor: number
  /** Rows by kind and id. */
  readonly rows: Readonly<Record<string, JsonValue>>
}

/** What the server would send somebody who has nothing newer than `since`. */
async function atServer({ world }: Server, who: Person, scope: string, since: number): Promise<Held> {
  const lines = await pull(world, who, scope, since)
  const rows = lines.flatMap((line): [string, JsonValue][] =>
    line.t === 'put' ? [[`${line.kind} ${line.id}`, line.row]] : [],
  )
  return {
    cursor: lines.reduce((last, line) => ('cursor' in line ? line.cursor : last), 0),
    rows: Object.fromEntries(rows),
  }
}

async function onTablet(tablet: Tablet, scope: string, wanted: (key: string) => boolean): Promise<Held> {
  const { ring, userId, storage } = tablet.syncContext()
  const cached = await storage.cache.rows.where('scope').equals(scope).toArray()
  const rows: [string, JsonValue][] = []
  for (const one of cached.filter((row) => isOwnView(ring, userId, row))) {
    const kind = one.kind as RowKind
    if (!wanted(`${kind} ${kind === 'project' ? scope : one.id}`)) continue
    const row = await openRow(ring, kind, one)
    if (row === null || cacheId(ring, userId, scope, kind, row.id) !== one.id)
      throw new Error(`a cached ${kind} is not what its place says`)
    rows.push([`${kind} ${row.id}`, asJson(row)])
  }
  // Entries that came together lie together.
  const patients = (await casebooksOfScope(storage.cache, scope).primaryKeys()).map(([, patientId]) => patientId)
  for (const patientId of patients) {
    for (const entry of await entriesOfPatient({ storage, ring, userId }, patientId)) {
      const key = `entry ${entry.id}`
      if (wanted(key) && !rows.some(([known]) => known === key)) rows.push([key, asJson(entry)])
    }
  }
  const cursor = await storage.cache.pulls.get([scope, userId])
  return { cursor: cursor?.cursor ?? 0, rows: Object.fromEntries(rows) }
}

/**
 * Compares both scopes of the northern center.
 *
 * @param since change number: only what changed after it is looked at; 0 for all, and that there is nothing else
 */
export async function expectConverged(server: Server, tablet: Tablet, who: Person, since = 0): Promise<void> {
  const { projectId, north } = server.world.study
  for (const scope of [
    scopeText({ kind: 'project', projectId }),
    scopeText({ kind: 'center', projectId, centerId: north, pass: 1 }),
  ]) {
    const there = await atServer(server, who, scope, since)
    const here = await onTablet(tablet, scope, (key) => since === 0 || Object.hasOwn(there.rows, key))
    expect(here.rows).toEqual(there.rows)
    // What concerns no row of the scope takes change numbers too.
    expect(here.cursor).toBeLessThanOrEqual(there.cursor)
  }
}
