import type { ClinicalQuery } from '#core/exchange/clinical/subject.ts'
import { CHOSEN, entryParameters, entryWanted, firstParameters } from '#server/areas/dataset/source.ts'
import type { Read } from '#server/areas/dataset/source.ts'
import { QUERY_VISIBLE, queriesVisibleTo } from '#server/areas/query/rows.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Which subjects, entries and queries a data set asks for and its reader may see, in SQL: ids alone, by batches of
 * subjects, so that no statement goes through a whole project.
 */

/** Subjects of a batch: a hundred casebooks are some megabytes. */
const BATCH = 100

export interface ChosenSubject {
  readonly id: string
  readonly no: string | null
  readonly centerId: string
}

export async function* chosenSubjects(connection: Queryable, read: Read): AsyncGenerator<readonly ChosenSubject[]> {
  let after: readonly [string, string] | null = null
  for (;;) {
    const { rows }: { rows: ChosenSubject[] } = await connection.query<ChosenSubject>({
      name: 'dataset_casebook_subjects',
      text: `
        SELECT p.id, p.no, p.center_id AS "centerId" FROM patient p
        WHERE ${CHOSEN} AND ($6::text IS NULL OR (coalesce(p.no, '') COLLATE "C", p.id) > ($6 COLLATE "C", $7::uuid))
        ORDER BY coalesce(p.no, '') COLLATE "C", p.id LIMIT ${String(BATCH)}`,
      values: [...firstParameters(read), after?.[0] ?? null, after?.[1] ?? null],
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = [last.no ?? '', last.id]
  }
}

export interface ChosenEntry {
  readonly id: string
  readonly patientId: string
  readonly deleted: boolean
}

/** Entries of subjects in the order of the casebook, repeats in the order in which they were made. */
export async function chosenEntries(
  connection: Queryable,
  read: Read,
  subjects: readonly ChosenSubject[],
  withDeleted: boolean,
): Promise<readonly ChosenEntry[]> {
  const folders = [...new Set(read.study.places.map(({ folderId }) => folderId))]
  const { rows } = await connection.query<ChosenEntry>({
    name: 'dataset_casebook_entries',
    text: `
      SELECT e.id, e.patient_id AS "patientId", e.deleted FROM entry e
      WHERE e.project_id = $1 AND e.patient_id = ANY ($2) AND ($4 OR NOT e.deleted) AND ${entryWanted(5)}
      ORDER BY
        array_position($2::uuid[], e.patient_id), array_position($3::uuid[], e.folder_id), e.folder_repeat COLLATE "C",
        array_position($6::uuid[], e.page_id), e.page_repeat COLLATE "C", e.pass, e.id`,
    values: [read.member.projectId, subjects.map(({ id }) => id), folders, withDeleted, ...entryParameters(read)],
  })
  return rows
}

/** Where the parameters of entries begin among those of queries. */
const FIRST_OF_ENTRY = 11

export interface ChosenQuery extends Pick<ClinicalQuery, 'id'> {
  readonly pageId: string | null
  readonly table: string | null
  readonly code: string | null
}

/**
 * Queries of subjects whose pages are asked for. Those about a visit or a subject come where all pages do; those about
 * a page that nobody has begun, where it does not matter in which state pages are.
 */
export async function chosenQueries(
  connection: Queryable,
  read: Read,
  subjects: readonly ChosenSubject[],
  withDeleted: boolean,
): Promise<readonly ChosenQuery[]> {
  const { pages, entries, versions, savedFrom, savedTo } = read.definition
  const isAnyState = entries === 'all' && versions === null && savedFrom === null && savedTo === null
  // After the parameters of `QUERY_VISIBLE` and the subjects; the last two are the first of `entryParameters`.
  const [whole, unbegun, deleted, passes, pageIds] = [8, 9, 10, FIRST_OF_ENTRY, FIRST_OF_ENTRY + 1].map(
    (place) => `$${String(place)}`,
  )
  const { rows } = await connection.query<ChosenQuery>({
    name: 'dataset_casebook_queries',
    text: `
      SELECT q.id, q.page_id AS "pageId", q.table_prop AS "table", q.prop AS code
      FROM query q JOIN patient p ON p.id = q.patient_id LEFT JOIN entry e ON e.id = q.entry_id
      WHERE ${QUERY_VISIBLE} AND q.patient_id = ANY ($7) AND CASE
        WHEN q.page_id IS NULL THEN ${whole}::boolean
        WHEN e.id IS NULL THEN ${unbegun}::boolean AND q.pass = ANY (${passes}) AND q.page_id = ANY (${pageIds})
        ELSE (${deleted} OR NOT e.deleted) AND ${entryWanted(FIRST_OF_ENTRY)} END
      ORDER BY q.no`,
    values: [
      ...queriesVisibleTo(read.member),
      subjects.map(({ id }) => id),
      pages === null,
      isAnyState,
      withDeleted,
      ...entryParameters(read),
    ],
  })
  return rows
}

/** People and versions that data name. */
export interface NamedInData {
  readonly userIds: readonly string[]
  readonly versionIds: readonly string[]
}

/** @param withTrail whether what lines of the trail name is wanted too */
export async function namedIn(
  connection: Queryable,
  entryIds: readonly string[],
  queryIds: readonly string[],
  withTrail: boolean,
): Promise<NamedInData> {
  const { rows } = await connection.query<NamedInData>({
    name: 'dataset_casebook_named',
    text: `
      WITH line AS (
        SELECT DISTINCT a.user_id, a.version_id FROM audit a WHERE $3::boolean AND a.entry_id = ANY ($1::uuid[])),
      named AS (
        SELECT version_id FROM entry WHERE id = ANY ($1) UNION SELECT version_id FROM query WHERE id = ANY ($2::uuid[])
        UNION SELECT version_id FROM line)
      SELECT
        ARRAY (
          SELECT updated_by::text FROM entry WHERE id = ANY ($1)
          UNION SELECT by_user::text FROM query_act WHERE query_id = ANY ($2) AND by_user IS NOT NULL
          UNION SELECT user_id::text FROM line WHERE user_id IS NOT NULL) AS "userIds",
        ARRAY (
          SELECT version_id::text FROM named WHERE version_id IS NOT NULL
          UNION SELECT m.from_version_id::text FROM version_migration m JOIN line ON line.version_id = m.version_id
          WHERE m.from_version_id IS NOT NULL) AS "versionIds"`,
    values: [entryIds, queryIds, withTrail],
  })
  return rows[0] ?? { userIds: [], versionIds: [] }
}
