import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'

/** SQL of templates. */

export interface TemplateRecord {
  readonly id: string
  readonly kind: 'page' | 'folder'
  readonly name: string
  readonly remark: string | null
  readonly pages: number
  readonly fields: number
  readonly created_by: string
  readonly created_by_name: string
  readonly created_at: string
}

const COLUMNS =
  't.id, t.kind, t.name, t.remark, t.pages, t.fields, t.created_by, u.real_name AS created_by_name, t.created_at'

/** Most templates that are listed; nobody looks through more. */
const MOST_LISTED = 1_000

/** Roles that design forms. */
const DESIGNERS = projectRoles.filter((role) => defaultPermissions(role).includes('design_edit'))

/** Whether somebody designs forms in any project. */
export async function designsSomewhere(transaction: Queryable, actor: Actor): Promise<boolean> {
  if (actor.isAdmin) return true
  const { rows } = await transaction.query<{ found: boolean }>(
    `SELECT EXISTS (
       SELECT FROM member m JOIN project p ON p.id = m.project_id
       WHERE m.user_id = $1 AND m.role = ANY ($2) AND NOT p.deleted AND (NOT $3 OR p.is_demo) AND ${MEMBER_IN_FORCE}) AS found`,
    [actor.userId, DESIGNERS, actor.isDemo],
  )
  return rows[0]?.found === true
}

/** Templates that an actor may see, the newest first. Demo accounts have their own templates. */
export async function listTemplates(transaction: Queryable, actor: Actor): Promise<readonly TemplateRecord[]> {
  const { rows } = await transaction.query<TemplateRecord>(
    `SELECT ${COLUMNS} FROM template t JOIN app_user u ON u.id = t.created_by
     WHERE NOT t.removed AND u.is_demo = $1 ORDER BY t.created_at DESC, t.id DESC LIMIT $2`,
    [actor.isDemo, MOST_LISTED],
  )
  return rows
}

/** A template that an actor may see, with the JSON text of its folder. */
export async function findTemplate(
  transaction: Queryable,
  actor: Actor,
  id: string,
): Promise<(TemplateRecord & { readonly folder: string }) | null> {
  const { rows } = await transaction.query<TemplateRecord & { folder: string }>(
    `SELECT ${COLUMNS}, t.folder FROM template t JOIN app_user u ON u.id = t.created_by WHERE t.id = $1 AND NOT t.removed AND u.is_demo = $2`,
    [id, actor.isDemo],
  )
  return rows[0] ?? null
}

export async function insertTemplate(
  transaction: Queryable,
  template: Omit<TemplateRecord, 'created_by_name'> & { readonly folder: string },
): Promise<void> {
  await transaction.query(
    `INSERT INTO template (id, kind, name, remark, folder, pages, fields, created_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      template.id,
      template.kind,
      template.name,
      template.remark,
      template.folder,
      template.pages,
      template.fields,
      template.created_by,
      template.created_at,
    ],
  )
}

export async function markRemoved(transaction: Queryable, ids: readonly string[]): Promise<void> {
  await transaction.query('UPDATE template SET removed = true WHERE id = ANY ($1)', [ids])
}
