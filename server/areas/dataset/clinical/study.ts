import type { ClinicalCenter, ClinicalStudy, ClinicalUser, ClinicalVersion } from '#core/exchange/clinical/subject.ts'
import { STUDY_TIME_ZONE } from '#server/access.ts'
import { loadFolders } from '#server/areas/version/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** The study around casebooks, as far as they name it. */

export interface NamedInCasebooks {
  readonly userIds: ReadonlySet<string>
  readonly versionIds: ReadonlySet<string>
  readonly centerIds: ReadonlySet<string>
}

/** The study with those people, centers and versions; where no version is named, with the newest release. */
export async function loadClinicalStudy(
  connection: Queryable,
  { projectId, createdAt }: { readonly projectId: string; readonly createdAt: string },
  { userIds, versionIds, centerIds }: NamedInCasebooks,
): Promise<ClinicalStudy> {
  const { rows: projects } = await connection.query<{ name: string }>({
    name: 'dataset_casebook_project',
    text: 'SELECT name FROM project WHERE id = $1',
    values: [projectId],
  })
  const { rows: users } = await connection.query<ClinicalUser>({
    name: 'dataset_casebook_users',
    text: 'SELECT id, real_name AS name FROM app_user WHERE id = ANY ($1) ORDER BY id',
    values: [[...userIds]],
  })
  const { rows: centers } = await connection.query<ClinicalCenter>({
    name: 'dataset_casebook_centers',
    text: 'SELECT id, code, name FROM center WHERE project_id = $1 AND id = ANY ($2) ORDER BY code, id',
    values: [projectId, [...centerIds]],
  })
  return {
    studyName: projects[0]?.name ?? '',
    createdAt,
    versions: await loadClinicalVersions(connection, projectId, versionIds),
    users,
    centers,
  }
}

async function loadClinicalVersions(
  connection: Queryable,
  projectId: string,
  ids: ReadonlySet<string>,
): Promise<readonly ClinicalVersion[]> {
  const { rows } = await connection.query<Omit<ClinicalVersion, 'folders'>>({
    name: 'dataset_casebook_versions',
    text: `
      SELECT id, version_no AS "versionNo",
        to_char(coalesce(released_at, created_at) AT TIME ZONE '${STUDY_TIME_ZONE}', 'YYYY-MM-DD') AS since
      FROM crf_version
      WHERE project_id = $1 AND CASE WHEN cardinality($2::uuid[]) > 0 THEN id = ANY ($2) ELSE id = (
        SELECT id FROM crf_version WHERE project_id = $1 AND profile = 'formal' AND NOT deleted
        ORDER BY version_no DESC LIMIT 1) END
      ORDER BY version_no`,
    values: [projectId, [...ids]],
  })
  const versions: ClinicalVersion[] = []
  for (const version of rows) versions.push({ ...version, folders: [...(await loadFolders(connection, version.id))] })
  return versions
}
