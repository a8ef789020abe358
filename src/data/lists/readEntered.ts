import { err, ok } from '#core/result.ts'
import { conflictResolution } from '#core/sync/conflict.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { conflictsOfEntry, localVersions, openable } from '#src/data/rows/local.ts'
import { enteredIn, patientFactsIn, targetOf } from '#src/data/rows/operations.ts'
import type { EnteredItem, EnteredView } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

/** What was entered in an operation, for a person who has to act on it, even long after it was sent. */
export async function readEntered(context: DataContext, opKey: string): Reading<EnteredView> {
  const read = await context.storage.run(async ({ work }) => {
    const row = (await work.outbox.get(opKey)) ?? (await work.receipts.get(opKey))
    const op = row === undefined ? null : await openable(context, row)
    if (op === null) return null
    const target = targetOf(op)
    const pages = (await localVersions(context, op.projectId))
      .toSorted(
        (a, b) => Number(b.id === op.crfVersionId) - Number(a.id === op.crfVersionId) || b.versionNo - a.versionNo,
      )
      .flatMap(({ folders }) => folders.find(({ id }) => id === target?.folderId)?.pages ?? [])
    const page = pages.find(({ id }) => id === target?.pageId)
    return { option: page?.option ?? null, items: await placeItems(context, op), facts: patientFactsIn(op) }
  })
  if (!read.ok) return read
  return read.value === null ? err({ code: 'not_found' }) : ok(read.value)
}

/** The items of an operation. Where a decision lies is in its conflict, if that is still on this device. */
async function placeItems(context: DataContext, op: Operation): Promise<readonly EnteredItem[]> {
  const decision = conflictResolution.safeParse(op.body)
  if (!decision.success) return enteredIn(op)
  const conflict = (await conflictsOfEntry(context, op.entityId)).find(({ id }) => id === decision.data.conflictId)
  return enteredIn(op).map((item) =>
    conflict === undefined ? item : { ...item, table: conflict.table, rid: conflict.rid, code: conflict.code },
  )
}
