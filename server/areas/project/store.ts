import { DEFAULT_TEMPLATE } from '#core/study/patientNumber.ts'
import { projectStatusNames } from '#core/study/projectStatus.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import { isTester } from '#core/study/versionLife.ts'
import type { ProjectConfig } from '#core/api/calls/project.ts'
import type { CenterRow, ProjectRow } from '#core/api/sync/rows.ts'
import { functionsFor } from '#core/access/functions.ts'
import type { FunctionChoices } from '#core/access/functions.ts'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { centerParameter, MEMBER_IN_FORCE } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'

/** SQL of projects and centers. */

interface ProjectRecord {
  readonly id: string
  readonly name: string
  readonly icon: string | null
  readonly status: ProjectStatus
  readonly scope_code: string
  /** Older projects have no template and use the present default. */
  readonly config: Omit<ProjectConfig, 'numberTemplate'> & Partial<Pick<ProjectConfig, 'numberTemplate'>>
  readonly functions: FunctionChoices
}

const PROJECT_COLUMNS = 'p.id, p.name, p.icon, p.status, p.scope_code, p.config, p.functions'

/** A project as this server sends it: with its functions and the user's pass, which older servers did not send. */
export type ToldProject = ProjectRow & { functions: string[]; pass: 1 | 2 }

function toProjectRow(
  record: ProjectRecord,
  { role, pass, tests }: Pick<ToldProject, 'role' | 'pass'> & { readonly tests: boolean },
  permissions: ProjectRow['permissions'],
): ToldProject {
  return {
    id: record.id,
    projectName: record.name,
    projectIcon: record.icon,
    projectStatus: record.status,
    projectStatusDesc: projectStatusNames.zh[record.status],
    projectScopeCode: record.scope_code,
    config: { ...record.config, numberTemplate: record.config.numberTemplate ?? DEFAULT_TEMPLATE },
    role,
    pass,
    permissions,
    functions: functionsFor(new Set(permissions), record.functions, tests),
  }
}

/** The project as its member sees it; null where it does not exist. */
export async function loadProjectRow(transaction: Queryable, member: Membership): Promise<ToldProject | null> {
  const { rows } = await transaction.query<ProjectRecord>({
    name: 'project_row',
    text: `SELECT ${PROJECT_COLUMNS} FROM project p WHERE p.id = $1 AND NOT p.deleted`,
    values: [member.projectId],
  })
  return rows[0] === undefined ? null : toProjectRow(rows[0], member, [...member.permissions])
}

/** Projects the actor may enter, newest first, and how many there are. */
export async function listProjects(
  transaction: Queryable,
  actor: Actor,
  filter: { readonly name: string | null; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly ProjectRow[]; readonly total: number }> {
  const { rows } = await transaction.query<
    ProjectRecord & { role: ProjectRole; pass: 1 | 2; crf_approve: 0 | 1 | null; total: number }
  >({
    name: 'project_list',
    text: `
      SELECT ${PROJECT_COLUMNS}, CASE WHEN $2 THEN 'ADMIN' ELSE m.role END AS role, coalesce(m.entry_pass, 1) AS pass, m.crf_approve, count(*) OVER () AS total
      FROM project p
      LEFT JOIN member m ON m.project_id = p.id AND m.user_id = $1 AND ${MEMBER_IN_FORCE}
      WHERE NOT p.deleted
        AND (NOT $3 OR p.is_demo)
        AND ($2 OR (m.id IS NOT NULL AND (p.status <> 'start' OR m.role = 'ADMIN')))
        AND ($4::text IS NULL OR strpos(lower(p.name), lower($4)) > 0)
      ORDER BY p.created_at DESC, p.id
      LIMIT $5 OFFSET $6`,
    values: [actor.userId, actor.isAdmin, actor.isDemo, filter.name, filter.limit, filter.offset],
  })
  return {
    rows: rows.map((record) =>
      toProjectRow(record, { ...record, tests: isTester(record.role, record.crf_approve) }, [
        ...defaultPermissions(record.role),
      ]),
    ),
    total: rows[0]?.total ?? 0,
  }
}

export async function insertProject(
  transaction: Queryable,
  project: {
    readonly id: string
    readonly name: string
    readonly icon: string | null
    readonly scopeCode: string
    readonly config: ProjectConfig
    readonly isDemo: boolean
    readonly createdBy: string
  },
): Promise<void> {
  await transaction.query(
    `INSERT INTO project (id, name, icon, status, scope_code, config, is_demo, created_by)
     VALUES ($1, $2, $3, 'start', $4, $5, $6, $7)`,
    [project.id, project.name, project.icon, project.scopeCode, project.config, project.isDemo, project.createdBy],
  )
}

export async function updateProject(
  transaction: Queryable,
  project: { readonly id: string; readonly name: string; readonly icon: string | null; readonly scopeCode: string },
): Promise<void> {
  await transaction.query('UPDATE project SET name = $2, icon = $3, scope_code = $4 WHERE id = $1', [
    project.id,
    project.name,
    project.icon,
    project.scopeCode,
  ])
}

export async function updateConfig(transaction: Queryable, projectId: string, config: ProjectConfig): Promise<void> {
  await transaction.query('UPDATE project SET config = $2 WHERE id = $1', [projectId, config])
}

/** The project's decisions about its functions; null where the project does not exist. */
export async function loadFunctions(transaction: Queryable, projectId: string): Promise<FunctionChoices | null> {
  const { rows } = await transaction.query<Pick<ProjectRecord, 'functions'>>(
    'SELECT functions FROM project WHERE id = $1 AND NOT deleted',
    [projectId],
  )
  return rows[0]?.functions ?? null
}

export async function updateFunctions(
  transaction: Queryable,
  projectId: string,
  choices: FunctionChoices,
): Promise<void> {
  await transaction.query('UPDATE project SET functions = $2 WHERE id = $1', [projectId, choices])
}

/** Changes the status if it is still `from`. Returns whether it was. */
export async function updateStatus(
  transaction: Queryable,
  projectId: string,
  from: ProjectStatus,
  to: ProjectStatus,
): Promise<boolean> {
  const { rowCount } = await transaction.query('UPDATE project SET status = $3 WHERE id = $1 AND status = $2', [
    projectId,
    from,
    to,
  ])
  return rowCount === 1
}

/** A removed project stays in the database; nobody sees it any more. */
export async function markProjectDeleted(transaction: Queryable, projectId: string): Promise<void> {
  await transaction.query('UPDATE project SET deleted = true WHERE id = $1', [projectId])
}

/**
 * Blocks every other writer of the project until the transaction ends. The next statement sees all that they
 * committed.
 */
export async function lockProject(transaction: Queryable, projectId: string): Promise<void> {
  await transaction.query('SELECT FROM project WHERE id = $1 FOR NO KEY UPDATE', [projectId])
}

/** Whether the project has patients, removed ones included, or operations that were held. */
export async function holdsWork(transaction: Queryable, projectId: string): Promise<boolean> {
  const { rows } = await transaction.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM patient WHERE project_id = $1)
       OR EXISTS (SELECT FROM inbox WHERE project_id = $1 AND state = 'open') AS found`,
    [projectId],
  )
  return rows[0]?.found === true
}

interface CenterRecord {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly status: CenterRow['status']
  readonly group_summary: string | null
  readonly plan_enrolls: number | null
  readonly site_no: number | null
  readonly number_template: string | null
}

const CENTER_COLUMNS = 'c.id, c.name, c.code, c.status, c.group_summary, c.plan_enrolls, c.site_no, c.number_template'

function toCenterRow(record: CenterRecord): CenterRow {
  return {
    id: record.id,
    centerName: record.name,
    centerCode: record.code,
    status: record.status,
    groupSummary: record.group_summary,
    planEnrolls: record.plan_enrolls,
    siteNo: record.site_no,
    numberTemplate: record.number_template,
  }
}

/** One center of the project; null where the member may not see it. */
export async function loadCenterRow(
  transaction: Queryable,
  member: Membership,
  centerId: string,
): Promise<CenterRow | null> {
  const { rows } = await transaction.query<CenterRecord>({
    name: 'center_row',
    text: `SELECT ${CENTER_COLUMNS} FROM center c WHERE c.id = $1 AND c.project_id = $2 AND ($3::uuid[] IS NULL OR c.id = ANY ($3))`,
    values: [centerId, member.projectId, centerParameter(member)],
  })
  return rows[0] === undefined ? null : toCenterRow(rows[0])
}

/** Centers the member can see, by code. */
export async function listCenters(
  transaction: Queryable,
  member: Membership,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly CenterRow[]; readonly total: number }> {
  const { rows } = await transaction.query<CenterRecord & { total: number }>({
    name: 'center_list',
    text: `
      SELECT ${CENTER_COLUMNS}, count(*) OVER () AS total
      FROM center c
      WHERE c.project_id = $1 AND ($2::uuid[] IS NULL OR c.id = ANY ($2))
      ORDER BY c.code, c.id LIMIT $3 OFFSET $4`,
    values: [member.projectId, centerParameter(member), page.limit, page.offset],
  })
  return { rows: rows.map(toCenterRow), total: rows[0]?.total ?? 0 }
}

/**
 * Adds a center and returns its number. The project is locked, or nobody else knows of it yet, so the next number is
 * free.
 */
export async function insertCenter(
  transaction: Queryable,
  center: {
    readonly id: string
    readonly projectId: string
    readonly name: string
    readonly code: string
    readonly planEnrolls: number | null
    readonly numberTemplate: string | null
  },
): Promise<number> {
  const { rows } = await transaction.query<{ siteNo: number }>(
    `INSERT INTO center (id, project_id, name, code, plan_enrolls, number_template, site_no)
     VALUES ($1, $2, $3, $4, $5, $6, (SELECT coalesce(max(site_no), 0) + 1 FROM center WHERE project_id = $2)) RETURNING site_no AS "siteNo"`,
    [center.id, center.projectId, center.name, center.code, center.planEnrolls, center.numberTemplate],
  )
  return rows[0]?.siteNo ?? 1
}

/** Protects a center from other changes until the transaction ends. */
export async function lockCenter(transaction: Queryable, centerId: string): Promise<void> {
  await transaction.query('SELECT FROM center WHERE id = $1 FOR NO KEY UPDATE', [centerId])
}

export async function updateCenter(
  transaction: Queryable,
  center: {
    readonly id: string
    readonly name: string
    readonly status: CenterRow['status']
    readonly planEnrolls: number | null
    readonly numberTemplate: string | null
  },
): Promise<void> {
  await transaction.query(
    'UPDATE center SET name = $2, status = $3, plan_enrolls = $4, number_template = $5 WHERE id = $1',
    [center.id, center.name, center.status, center.planEnrolls, center.numberTemplate],
  )
}
