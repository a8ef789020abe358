import type { Dexie, Table } from 'dexie'

import { markRecordOf } from './markRecord.ts'
import type { CasebookRow, CursorRow, MarkRow } from './rows.ts'

/**
 * Takes over what an app from before packs has written: once when the device gets this app, and again when an older app
 * ran in between. That is rows stored by themselves, which stay as they are, a mark for each of them, and how far pulls
 * have come. What the older app wrote is newer than what was there.
 */
export async function adoptOlder(db: Dexie): Promise<void> {
  const marks: Table<MarkRow> = db.table('marks')
  const cursors: Table<CursorRow> = db.table('cursors')
  const casebooks: Table<CasebookRow, [string, string]> = db.table('casebooks')
  if ((await marks.count()) + (await cursors.count()) === 0) return
  await db.transaction('rw', [marks, cursors, casebooks, db.table('packs'), db.table('pulls')], async () => {
    const all = await marks.toArray()
    const byPatient = [...Map.groupBy(all, ({ scope, patientId }) => `${scope} ${patientId}`).values()]
    const keys = byPatient.flatMap(([first]): [string, string][] =>
      first === undefined ? [] : [[first.scope, first.patientId]],
    )
    const known = await casebooks.bulkGet(keys)
    await casebooks.bulkPut(
      keys.map(([scope, patientId], at) =>
        markRecordOf(scope, patientId, [...(known[at]?.marks ?? []), ...(byPatient[at] ?? [])]),
      ),
    )
    await db.table('pulls').bulkPut(await cursors.toArray())
    await Promise.all([marks.clear(), cursors.clear()])
  })
}
