import type { FilePlace } from '#core/files/inEntry.ts'
import type { Rect } from '#core/files/region.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Regions of pictures in SQL. */

export interface StoredRegion extends FilePlace {
  readonly id: string
  readonly attachmentId: string
  readonly rect: Rect
  readonly note: string
  readonly rev: number
  readonly removed: boolean
  /** Who changed it last, and when. */
  readonly byName: string
  readonly at: string
}

const REGION = `
  SELECT
    r.id, r.attachment_id AS "attachmentId", r.table_prop AS "table", r.rid, r.prop AS code,
    jsonb_build_object('x', r.x, 'y', r.y, 'width', r.width, 'height', r.height) AS rect,
    r.note, r.rev, r.removed, u.real_name AS "byName", r.updated_at AS at
  FROM attachment_region r JOIN app_user u ON u.id = r.updated_by`

/** Those of a picture that nobody has taken back, in the order in which they were drawn. */
export async function listRegions(connection: Queryable, attachmentId: string): Promise<readonly StoredRegion[]> {
  const { rows } = await connection.query<StoredRegion>({
    name: 'region_list',
    text: `${REGION} WHERE r.attachment_id = $1 AND NOT r.removed ORDER BY r.created_at, r.id`,
    values: [attachmentId],
  })
  return rows
}

/** The region, locked until the transaction ends, also one that was taken back. */
export async function findRegion(transaction: Queryable, id: string): Promise<StoredRegion | null> {
  const { rows } = await transaction.query<StoredRegion>({
    name: 'region_find',
    text: `${REGION} WHERE r.id = $1 FOR UPDATE OF r`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function putRegion(
  transaction: Queryable,
  region: Pick<StoredRegion, 'id' | 'attachmentId' | 'table' | 'rid' | 'code' | 'rect' | 'note' | 'rev' | 'at'> & {
    readonly projectId: string
    readonly entryId: string
    readonly by: string
  },
): Promise<void> {
  const { rect } = region
  await transaction.query({
    name: 'region_put',
    text: `
      INSERT INTO attachment_region (
        id, attachment_id, project_id, entry_id, table_prop, rid, prop, x, y, width, height, note, rev, created_by, created_at, updated_by, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $14, $15)
      ON CONFLICT (id) DO UPDATE SET
        table_prop = $5, rid = $6, prop = $7, x = $8, y = $9, width = $10, height = $11, note = $12, rev = $13, updated_by = $14, updated_at = $15`,
    values: [
      region.id,
      region.attachmentId,
      region.projectId,
      region.entryId,
      region.table,
      region.rid,
      region.code,
      rect.x,
      rect.y,
      rect.width,
      rect.height,
      region.note,
      region.rev,
      region.by,
      region.at,
    ],
  })
}

export async function removeRegion(
  transaction: Queryable,
  id: string,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<void> {
  await transaction.query({
    name: 'region_remove',
    text: 'UPDATE attachment_region SET removed = true, rev = rev + 1, updated_by = $2, updated_at = $3 WHERE id = $1',
    values: [id, by, at],
  })
}
