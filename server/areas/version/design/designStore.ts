import type { DesignInput, DesignState } from '#core/api/calls/design.ts'
import type { Membership } from '#server/access.ts'
import { centerParameter, isTheirs, ownParameter, passParameter } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of drafts that are being designed. */

/** The present design state of a version; null where no version has that id. */
export async function findDesignState(
  transaction: Queryable,
  versionId: string,
): Promise<Omit<DesignState, 'acts'> | null> {
  const { rows } = await transaction.query<Omit<DesignState, 'acts'>>({
    name: 'design_state',
    text: `
      SELECT v.design_rev AS rev, v.designed_by AS "byId", u.real_name AS "byName", v.designed_at AS at
      FROM crf_version v LEFT JOIN app_user u ON u.id = v.designed_by WHERE v.id = $1 AND NOT v.deleted`,
    values: [versionId],
  })
  return rows[0] ?? null
}

/** Notes that a draft was changed, so that a designer who read it earlier is told at their next save. */
export async function noteDesigned(
  transaction: Queryable,
  versionId: string,
  userId: string,
  now: string,
): Promise<void> {
  await transaction.query(
    'UPDATE crf_version SET design_rev = design_rev + 1, designed_by = $2, designed_at = $3 WHERE id = $1',
    [versionId, userId, now],
  )
}

/** Which of these ids belong to visits or pages of other projects. */
export async function idsOfOthers(
  transaction: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await transaction.query<{ id: string }>(
    `SELECT DISTINCT x.id FROM (
       SELECT folder_id AS id, version_id FROM crf_folder WHERE folder_id = ANY ($2)
       UNION ALL SELECT page_id, version_id FROM crf_page WHERE page_id = ANY ($2)
     ) x JOIN crf_version v ON v.id = x.version_id WHERE v.project_id <> $1`,
    [projectId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Writes a design: every visit, the places of its pages, and the edited pages. Unchanged pages are not written again.
 *
 * @param pages those that are new or were edited; the others are in the version already
 */
export async function writeDesign(
  transaction: Queryable,
  versionId: string,
  { folders, pages }: Pick<DesignInput, 'folders' | 'pages'>,
): Promise<void> {
  await transaction.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, name_en, code, sort, schedule)
     SELECT $1, f.id, f."folderName", f."folderNameEn", f."folderCode", f.sort, f.schedule
     FROM jsonb_to_recordset($2) AS f (id uuid, "folderName" text, "folderNameEn" text, "folderCode" text, sort integer, schedule jsonb)
     ON CONFLICT (version_id, folder_id) DO UPDATE SET name = excluded.name, name_en = excluded.name_en, code = excluded.code, sort = excluded.sort, schedule = excluded.schedule`,
    [versionId, JSON.stringify(folders.map((folder, at) => ({ ...folder, sort: at + 1 })))],
  )
  const places = folders.flatMap(({ id, pageIds }) =>
    pageIds.map((pageId, at) => ({ folderId: id, pageId, sort: at + 1 })),
  )
  // The content of a page is sent once, and copied to each of its places.
  await transaction.query(
    `WITH place AS (SELECT * FROM jsonb_to_recordset($2) AS p ("folderId" uuid, "pageId" uuid, sort integer)),
     edited AS (SELECT * FROM jsonb_to_recordset($3) AS e (id uuid, "pageName" text, "pageNameEn" text, "pageCode" text, repeatable boolean, option text)),
     known AS (
       SELECT id, "pageName" AS name, "pageNameEn" AS name_en, "pageCode" AS code, repeatable, option FROM edited
       UNION ALL
       SELECT DISTINCT ON (page_id) page_id, name, name_en, code, repeatable, option FROM crf_page
       WHERE version_id = $1 AND page_id NOT IN (SELECT id FROM edited)
     )
     INSERT INTO crf_page (version_id, page_id, folder_id, name, name_en, code, repeatable, sort, option)
     SELECT $1, place."pageId", place."folderId", known.name, known.name_en, known.code, known.repeatable, place.sort, known.option
     FROM place JOIN known ON known.id = place."pageId"
     ON CONFLICT (version_id, page_id, folder_id) DO UPDATE SET
       name = excluded.name, name_en = excluded.name_en, code = excluded.code, repeatable = excluded.repeatable, sort = excluded.sort, option = excluded.option
     WHERE (crf_page.name, crf_page.name_en, crf_page.code, crf_page.repeatable, crf_page.sort, crf_page.option)
       IS DISTINCT FROM (excluded.name, excluded.name_en, excluded.code, excluded.repeatable, excluded.sort, excluded.option)`,
    [versionId, JSON.stringify(places), JSON.stringify(pages)],
  )
  await transaction.query(
    `DELETE FROM crf_page p WHERE p.version_id = $1 AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset($2) AS q ("folderId" uuid, "pageId" uuid) WHERE q."folderId" = p.folder_id AND q."pageId" = p.page_id)`,
    [versionId, JSON.stringify(places)],
  )
  await transaction.query('DELETE FROM crf_folder WHERE version_id = $1 AND folder_id <> ALL ($2)', [
    versionId,
    folders.map(({ id }) => id),
  ])
}

/**
 * How many patients have data on each page of each visit, among the patients that the member may see, in the pass
 * that they may see.
 */
export async function countEntered(
  transaction: Queryable,
  member: Membership,
): Promise<{ folderId: string; pageId: string; patients: number }[]> {
  const { rows } = await transaction.query<{ folderId: string; pageId: string; patients: number }>({
    name: 'design_entered',
    text: `
      SELECT e.folder_id AS "folderId", e.page_id AS "pageId", count(DISTINCT e.patient_id)::integer AS patients
      FROM entry e JOIN patient p ON p.id = e.patient_id
      WHERE p.project_id = $1 AND (p.center_id = ANY ($2) OR $2::uuid[] IS NULL) AND ${isTheirs('p', '$3')} AND (e.pass = $4 OR $4::smallint IS NULL)
        AND NOT e.deleted AND e."values" <> '{}'::jsonb
      GROUP BY e.folder_id, e.page_id`,
    values: [member.projectId, centerParameter(member), ownParameter(member), passParameter(member)],
  })
  return rows
}
