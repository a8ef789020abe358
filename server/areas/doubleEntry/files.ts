import { fail } from '#core/api/errors.ts'
import { referencesIn } from '#core/files/reference.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Files that a merge takes from the second pass. A file belongs to one entry, so the first pass gets the same content
 * under a new id.
 */

interface Passes {
  readonly firstId: string
  readonly secondId: string
}

/**
 * The items with files of the first pass in place of those of the second.
 *
 * @throws ApiFailure invalid where a file's content has not arrived yet: it would arrive for the second pass only
 */
export async function adoptFiles(
  transaction: Queryable,
  items: readonly ItemChange[],
  passes: Passes,
): Promise<readonly ItemChange[]> {
  const adopted: ItemChange[] = []
  for (const item of items)
    adopted.push(
      referencesIn(item.to.value).length === 0
        ? item
        : { ...item, to: { ...item.to, value: await adoptValue(transaction, item, passes) } },
    )
  return adopted
}

async function adoptValue(transaction: Queryable, item: ItemChange, passes: Passes): Promise<JsonValue> {
  const own = new Set(referencesIn(item.base.value).map(({ id }) => id))
  const files: JsonValue[] = []
  for (const reference of referencesIn(item.to.value)) {
    files.push(
      own.has(reference.id)
        ? { ...reference }
        : { ...reference, id: await adopt(transaction, reference.id, item, passes) },
    )
  }
  return files
}

async function adopt(
  transaction: Queryable,
  id: string,
  { table, rid, code }: ItemChange,
  { firstId, secondId }: Passes,
): Promise<string> {
  const own = newId()
  const { rowCount } = await transaction.query({
    name: 'double_adopt_file',
    text: `
      INSERT INTO attachment (
        id, project_id, patient_id, entry_id, center_id, table_prop, rid, prop, name, type, size, hash, author, state, received, width, height, thumb, started_at,
        touched_at, stored_at, pass, thumb_by)
      SELECT $1, project_id, patient_id, $2, center_id, $3, $4, $5, name, type, size, hash, author, state, received, width, height, thumb, started_at, touched_at, stored_at, 1, thumb_by
      FROM attachment WHERE id = $6 AND entry_id = $7 AND state = 'stored'`,
    values: [own, firstId, table, rid, code, id, secondId],
  })
  if (rowCount !== 1)
    throw fail('invalid', {
      fields: [{ path: [table, rid, code].filter((part) => part !== null).join('.'), code: 'file_missing' }],
    })
  return own
}
