import type { FilePlace } from '#core/files/inEntry.ts'
import type { Rect } from '#core/files/region.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Regions of pictures in SQL. */

export interface StoredRegion extends FilePlace {
  readonly id: string
  readonly attachmentId: string
  readonly entryId: string
  readonly rect: Rect
  readonly note: string
  readonly rev: number
  readonly removed: boolean
  /** Who changed the region last, and when. */
  readonly byName: string
  readonly at: string
}

const REGION = `
  SELECT
    r.id, r.attachment_id AS "attachmentId", r.entry_id AS "entryId", r.table_prop AS "table", r.rid, r.prop AS code,
    jsonb_build_object('x', r.x, 'y', r.y, 'width', r.width, 'height', r.height) AS rect,
    r.note, r.rev, r.removed, u.real_name AS "byName", r.updated_at AS at
  FROM attachment_region r JOIN app_user u ON u.id = r.updated_by`

/** The regions of pictures that nobody has taken back, in the order in which they were drawn. */
export async function listRegions(
  connection: Queryable,
  attachmentIds: readonly string[],
): Promise<readonly StoredRegion[]> {
  const { rows } = await connection.query<StoredRegion>({
    name: 'region_list',
    text: `${REGION} WHERE r.attachment_id = ANY ($1) AND NOT r.removed ORDER BY r.created_at, r.id`,
    values: [attachmentIds],
  })
  return rows
}

/** The region, locked until the transaction ends, also where it was taken back. */
export async function findRegion(transaction: Queryable, id: string): Promise<StoredRegion | null> {
  const { rows } = await transaction.query<StoredRegion>({
    name: 'region_find',
    text: `${REGION} WHERE r.id = $1 FOR UPDATE OF r`,
    values: [id],
  })
  return rows[0] ?? null
}

type RegionWrite = Pick<
  StoredRegion,
  'id' | 'attachmentId' | 'entryId' | 'table' | 'rid' | 'code' | 'rect' | 'note' | 'rev' | 'at'
> & {
  readonly projectId: string
  readonly by: string
}

const PUT = prepare<RegionWrite>('region_put', (parameter) => {
  const by = (write: RegionWrite) => write.by
  const now = ({ at }: RegionWrite) => at
  const region = columns<RegionWrite>(parameter, {
    id: ({ id }) => id,
    attachment_id: ({ attachmentId }) => attachmentId,
    project_id: ({ projectId }) => projectId,
    entry_id: ({ entryId }) => entryId,
    table_prop: ({ table }) => table,
    rid: ({ rid }) => rid,
    prop: ({ code }) => code,
    x: ({ rect }) => rect.x,
    y: ({ rect }) => rect.y,
    width: ({ rect }) => rect.width,
    height: ({ rect }) => rect.height,
    note: ({ note }) => note,
    rev: ({ rev }) => rev,
    created_by: by,
    created_at: now,
    updated_by: by,
    updated_at: now,
  })
  return `
      INSERT INTO attachment_region (${region.names}) VALUES (${region.places})
      ON CONFLICT (id) DO UPDATE SET
        table_prop = excluded.table_prop, rid = excluded.rid, prop = excluded.prop, x = excluded.x, y = excluded.y,
        width = excluded.width, height = excluded.height, note = excluded.note, rev = excluded.rev,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`
})

export async function putRegion(transaction: Queryable, region: RegionWrite): Promise<void> {
  await transaction.query(PUT(region))
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
