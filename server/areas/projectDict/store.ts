import type { Queryable } from '#server/database/transaction.ts'

/** SQL of a project's dictionaries. */

/** A dictionary or an entry as it is stored. */
export interface DictRecord {
  readonly id: string
  readonly project_id: string
  readonly root_id: string
  readonly parent_id: string | null
  readonly code: string
  readonly dict_key: string
  readonly dict_value: string
  readonly label_en: string | null
  readonly sort: number
  readonly disabled: boolean
}

const COLUMNS =
  'd.id, d.project_id, d.root_id, d.parent_id, d.code, d.dict_key, d.dict_value, d.label_en, d.sort, d.disabled'

/**
 * Blocks all other changes of the project's dictionaries, and of the drafts that follow them, until the transaction
 * ends.
 */
export async function lockDictionaries(transaction: Queryable, projectId: string): Promise<readonly string[]> {
  // Drafts before the project: other changes of a version lock them in this order too.
  const { rows } = await transaction.query<{ id: string }>(
    `SELECT id FROM crf_version WHERE project_id = $1 AND profile = 'draft' AND NOT deleted ORDER BY id FOR UPDATE`,
    [projectId],
  )
  await transaction.query('SELECT FROM project WHERE id = $1 FOR NO KEY UPDATE', [projectId])
  return rows.map(({ id }) => id)
}

/** A dictionary or an entry, unless it was removed. */
export async function findRecord(transaction: Queryable, id: string): Promise<DictRecord | null> {
  const { rows } = await transaction.query<DictRecord>(
    `SELECT ${COLUMNS} FROM project_dict d WHERE d.id = $1 AND NOT d.removed`,
    [id],
  )
  return rows[0] ?? null
}

/** Those of these dictionaries and entries that were not removed. */
export async function findRecords(transaction: Queryable, ids: readonly string[]): Promise<readonly DictRecord[]> {
  const { rows } = await transaction.query<DictRecord>(
    `SELECT ${COLUMNS} FROM project_dict d WHERE d.id = ANY ($1) AND NOT d.removed ORDER BY d.id`,
    [ids],
  )
  return rows
}

/**
 * The one project of dictionaries and entries, removed ones included. Null where there are none, or where they belong
 * to several projects.
 */
export async function projectOfRecords(transaction: Queryable, ids: readonly string[]): Promise<string | null> {
  const { rows } = await transaction.query<{ project_id: string }>(
    'SELECT DISTINCT project_id FROM project_dict WHERE id = ANY ($1)',
    [ids],
  )
  return rows.length === 1 ? (rows[0]?.project_id ?? null) : null
}

/** A project's dictionary by its code, in any case of letters. */
export async function findDictionary(
  transaction: Queryable,
  projectId: string,
  code: string,
): Promise<DictRecord | null> {
  const { rows } = await transaction.query<DictRecord>(
    `SELECT ${COLUMNS} FROM project_dict d WHERE d.project_id = $1 AND lower(d.code) = lower($2) AND d.parent_id IS NULL AND NOT d.removed`,
    [projectId, code],
  )
  return rows[0] ?? null
}

/** Dictionaries of a project by code, each with its number of entries. */
export async function listDictionaries(
  transaction: Queryable,
  projectId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly (DictRecord & { readonly entries: number })[]; readonly total: number }> {
  const { rows } = await transaction.query<DictRecord & { entries: number; total: number }>(
    `SELECT ${COLUMNS}, count(*) OVER ()::integer AS total,
       (SELECT count(*)::integer FROM project_dict e WHERE e.root_id = d.id AND e.parent_id IS NOT NULL AND NOT e.removed) AS entries
     FROM project_dict d WHERE d.project_id = $1 AND d.parent_id IS NULL AND NOT d.removed
     ORDER BY lower(d.code), d.id LIMIT $2 OFFSET $3`,
    [projectId, page.limit, page.offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

/** All entries of dictionaries, in the order of each level. */
export async function entriesOf(transaction: Queryable, rootIds: readonly string[]): Promise<readonly DictRecord[]> {
  const { rows } = await transaction.query<DictRecord>(
    `SELECT ${COLUMNS} FROM project_dict d WHERE d.root_id = ANY ($1) AND d.parent_id IS NOT NULL AND NOT d.removed ORDER BY d.sort, d.id`,
    [rootIds],
  )
  return rows
}

/** All dictionaries of a project. */
export async function allDictionaries(transaction: Queryable, projectId: string): Promise<readonly DictRecord[]> {
  return (await listDictionaries(transaction, projectId, { limit: 100_000, offset: 0 })).rows
}

export async function insertRecords(transaction: Queryable, records: readonly DictRecord[]): Promise<void> {
  await transaction.query(
    `INSERT INTO project_dict (id, project_id, root_id, parent_id, code, dict_key, dict_value, label_en, sort, disabled)
     SELECT r.id, r.project_id, r.root_id, r.parent_id, r.code, r.dict_key, r.dict_value, r.label_en, r.sort, r.disabled
     FROM jsonb_to_recordset($1) AS r (
       id uuid, project_id uuid, root_id uuid, parent_id uuid, code text, dict_key text, dict_value text, label_en text, sort integer, disabled boolean)`,
    [JSON.stringify(records)],
  )
}

/** Replaces the parts of records that may change: key, labels, order, whether they may be chosen. */
export async function updateRecords(transaction: Queryable, records: readonly DictRecord[]): Promise<void> {
  await transaction.query(
    `UPDATE project_dict d SET dict_key = r.dict_key, dict_value = r.dict_value, label_en = r.label_en, sort = r.sort, disabled = r.disabled
     FROM jsonb_to_recordset($1) AS r (id uuid, dict_key text, dict_value text, label_en text, sort integer, disabled boolean) WHERE d.id = r.id`,
    [JSON.stringify(records)],
  )
}

/** Removes records, with everything below them. Returns the removed ones. */
export async function removeRecords(transaction: Queryable, ids: readonly string[]): Promise<readonly DictRecord[]> {
  const { rows } = await transaction.query<DictRecord>(
    `WITH RECURSIVE below AS (
       SELECT id FROM project_dict WHERE id = ANY ($1) AND NOT removed
       UNION
       SELECT e.id FROM project_dict e JOIN below b ON e.parent_id = b.id WHERE NOT e.removed
     )
     UPDATE project_dict d SET removed = true FROM below WHERE d.id = below.id RETURNING ${COLUMNS}`,
    [ids],
  )
  return rows
}

/** A page whose option may name a dictionary of its project. */
export interface NamingPage {
  readonly version_id: string
  readonly version_no: number
  readonly profile: 'draft' | 'test' | 'formal'
  readonly folder_name: string
  readonly folder_name_en: string | null
  readonly page_id: string
  readonly page_name: string
  readonly page_name_en: string | null
  readonly option: string
}

/**
 * Pages of a project's versions that may name a dictionary, the newest version first. A page that stands in several
 * visits is taken from the first.
 */
export async function namingPages(
  transaction: Queryable,
  projectId: string,
  profiles: readonly NamingPage['profile'][],
): Promise<readonly NamingPage[]> {
  const { rows } = await transaction.query<NamingPage>(
    `SELECT DISTINCT ON (v.version_no, p.page_id)
       v.id AS version_id, v.version_no, v.profile, f.name AS folder_name, f.name_en AS folder_name_en, p.page_id, p.name AS page_name, p.name_en AS page_name_en, p.option
     FROM crf_version v
       JOIN crf_page p ON p.version_id = v.id
       JOIN crf_folder f ON f.version_id = p.version_id AND f.folder_id = p.folder_id
     WHERE v.project_id = $1 AND v.profile = ANY ($2) AND NOT v.deleted AND p.option LIKE '%project%dict%-list%'
     ORDER BY v.version_no DESC, p.page_id, f.sort`,
    [projectId, profiles],
  )
  return rows
}

/** Stores another option for a page of a version, at every place of the page. */
export async function setOption(
  transaction: Queryable,
  page: { readonly versionId: string; readonly pageId: string; readonly option: string },
): Promise<void> {
  await transaction.query('UPDATE crf_page SET option = $3 WHERE version_id = $1 AND page_id = $2', [
    page.versionId,
    page.pageId,
    page.option,
  ])
}
