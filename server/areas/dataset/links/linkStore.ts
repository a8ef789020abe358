import type { DataSetLink } from '#core/api/calls/data/datasetLinks.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Links in SQL. */

export interface StoredLink {
  readonly id: string
  readonly runId: string
  readonly purpose: string
  readonly madeBy: string
  readonly madeAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
}

/** A link, locked until the transaction ends. */
export async function lockLink(transaction: Queryable, linkId: string): Promise<StoredLink | null> {
  const { rows } = await transaction.query<StoredLink>({
    name: 'dataset_link_lock',
    text: `
      SELECT
        id, run_id AS "runId", purpose, made_by AS "madeBy", made_at AS "madeAt", expires_at AS "expiresAt", ended_at AS "endedAt"
      FROM data_set_link WHERE id = $1 FOR UPDATE`,
    values: [linkId],
  })
  return rows[0] ?? null
}

type NewLink = Omit<StoredLink, 'endedAt'>

const INSERT = prepare<NewLink>('dataset_link_insert', (parameter) => {
  const { names, places } = columns<NewLink>(parameter, {
    id: ({ id }) => id,
    run_id: ({ runId }) => runId,
    purpose: ({ purpose }) => purpose,
    made_by: ({ madeBy }) => madeBy,
    made_at: ({ madeAt }) => madeAt,
    expires_at: ({ expiresAt }) => expiresAt,
  })
  return `INSERT INTO data_set_link (${names}) VALUES (${places}) ON CONFLICT (id) DO NOTHING`
})

/** @returns false where a link has this id already */
export async function insertLink(transaction: Queryable, link: NewLink): Promise<boolean> {
  const { rowCount } = await transaction.query(INSERT(link))
  return rowCount === 1
}

export async function endLink(transaction: Queryable, linkId: string, by: string, at: string): Promise<void> {
  await transaction.query({
    name: 'dataset_link_end',
    text: 'UPDATE data_set_link SET ended_at = $3, ended_by = $2 WHERE id = $1',
    values: [linkId, by, at],
  })
}

export async function countUse(transaction: Queryable, linkId: string, at: string): Promise<void> {
  await transaction.query({
    name: 'dataset_link_use',
    text: 'UPDATE data_set_link SET uses = uses + 1, used_at = $2 WHERE id = $1',
    values: [linkId, at],
  })
}

/** A link as it is told, with who made it: only they are given its address. */
export interface LinkLine extends Omit<DataSetLink, 'path'> {
  readonly madeBy: string
}

/** The links of a run, the newest first. */
export async function listLinks(connection: Queryable, runId: string, now: string): Promise<readonly LinkLine[]> {
  const { rows } = await connection.query<LinkLine>({
    name: 'dataset_links',
    text: `
      SELECT
        l.id, l.run_id AS "runId", l.purpose, l.made_by AS "madeBy", m.real_name AS "madeByName", l.made_at AS "madeAt",
        l.expires_at AS "expiresAt", l.ended_at AS "endedAt", e.real_name AS "endedByName", l.uses, l.used_at AS "usedAt",
        CASE WHEN l.ended_at IS NOT NULL THEN 'ended' WHEN l.expires_at <= $2 THEN 'expired' ELSE 'open' END AS state
      FROM data_set_link l JOIN app_user m ON m.id = l.made_by LEFT JOIN app_user e ON e.id = l.ended_by
      WHERE l.run_id = $1 ORDER BY l.made_at DESC, l.id DESC LIMIT 200`,
    values: [runId, now],
  })
  return rows
}
