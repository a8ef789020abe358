import * as z from 'zod/mini'
import { fail } from '#core/api/errors.ts'
import { hasUndeidentifiable, lacksMapping } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { hasTrail } from '#core/dataset/formats.ts'
import { checkMapping } from '#core/dataset/sdtm/checkMapping.ts'
import { id } from '#core/wire/shapes.ts'
import { centerParameter, ownParameter, passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'

/** Who may take clinical data out, and of what. */

/** Whether data may leave without being de-identified. */
export function mayIdentify({ permissions }: Pick<Membership, 'permissions'>): boolean {
  return permissions.has('export_identified')
}

/** Whether what identifies a person may leave: for who may see it, and may take it out. */
export function maySeeIdentity(member: Pick<Membership, 'permissions' | 'sensitive'>): boolean {
  return member.sensitive && mayIdentify(member)
}

/** Whether what happened to the data may leave with them, by whom and when. */
export function mayReadTrail({ permissions }: Pick<Membership, 'permissions'>): boolean {
  return permissions.has('audit_view')
}

/**
 * @throws ApiFailure forbidden without the right to export, where data would leave as they are without the right to
 *   that, and where their trail would without the right to read it; invalid where casebooks would be de-identified,
 *   and where tables of SDTM are asked for without a mapping or with one that breaks their rules
 */
export function requireExport(
  member: Pick<Membership, 'permissions'>,
  definition?: Pick<DataSetDefinition, 'deidentify' | 'formats' | 'sdtm'>,
): void {
  requirePermission(member, 'export')
  if (definition === undefined) return
  if (!definition.deidentify.on && !mayIdentify(member)) throw fail('forbidden')
  if (hasUndeidentifiable(definition))
    throw fail('invalid', { fields: [{ path: 'definition.formats', code: 'identified_only' }] })
  if (lacksMapping(definition))
    throw fail('invalid', { fields: [{ path: 'definition.sdtm', code: 'sdtm_mapping_required' }] })
  if (definition.sdtm !== undefined && checkMapping(definition.sdtm).length > 0)
    throw fail('invalid', { fields: [{ path: 'definition.sdtm', code: 'sdtm_mapping' }] })
  if (definition.formats.some(hasTrail) && !mayReadTrail(member)) throw fail('forbidden')
}

/** What a member can read, as a run keeps it: its file holds what could be read then. */
export const readerView = z.object({
  centers: z.nullable(z.array(id)),
  own: z.nullable(z.array(z.nullable(id))),
  passes: z.array(z.int()),
  identity: z.boolean(),
})
export type ReaderView = z.infer<typeof readerView>

export function viewOf(member: Membership): ReaderView {
  const pass = passParameter(member)
  return {
    centers: centerParameter(member)?.toSorted() ?? null,
    own: ownParameter(member)?.slice() ?? null,
    passes: pass === null ? [1, 2] : [pass],
    identity: maySeeIdentity(member),
  }
}

/** Whether somebody may still read all that they could read then. */
export function stillCovers(now: ReaderView, then: ReaderView): boolean {
  const centers = now.centers === null || (then.centers?.every((one) => now.centers?.includes(one)) ?? false)
  // Whose patients are one's own changes from day to day: the same kind of view is the same right.
  const own = now.own === null || (then.own !== null && now.own.every((one, at) => one === then.own?.[at]))
  return centers && own && then.passes.every((pass) => now.passes.includes(pass)) && (now.identity || !then.identity)
}

/** A person as they are now, for work that goes on without their request. Null where the account is gone. */
export async function actorOf(connection: Queryable, userId: string): Promise<Actor | null> {
  const { rows } = await connection.query<Omit<Actor, 'sessionId' | 'deviceId'>>({
    name: 'dataset_actor',
    text: `
      SELECT id AS "userId", account, real_name AS "realName", is_admin AS "isAdmin", is_demo AS "isDemo"
      FROM app_user WHERE id = $1 AND status = 'active'`,
    values: [userId],
  })
  const [person] = rows
  return person === undefined ? null : { ...person, sessionId: userId, deviceId: null }
}
