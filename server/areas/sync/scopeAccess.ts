import { ApiFailure, fail } from '#core/api/errors.ts'
import type { Scope } from '#core/sync/protocol/scope.ts'
import { parseScope, scopeText } from '#core/sync/protocol/scope.ts'
import { centerParameter, isTheirs, membership, ownParameter, seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { withheldKeys } from '#server/operations/keys.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'

/** Which scopes a person may keep on a device: their project's, and each of their centers' in their own pass. */

/**
 * @throws ApiFailure invalid for text that is no scope
 */
export function readScope(text: string): Scope {
  const scope = parseScope(text)
  if (scope === null) throw fail('invalid', { fields: [{ path: 'scope', code: 'scope' }] })
  return scope
}

/**
 * @throws ApiFailure not_found where the person is not in the project, forbidden for a center or pass that is not
 *   theirs
 */
export async function requireScope(transaction: Queryable, actor: Actor, scope: Scope): Promise<Membership> {
  const member = await membership(transaction, actor, scope.projectId)
  if (scope.kind === 'project') return member
  const theirs = scope.pass === member.pass && seesCenter(member, scope.centerId)
  if (!theirs || !(await isCenterOf(transaction, scope))) throw fail('forbidden')
  return member
}

/** The membership under which a person may keep the scope; null where they may not. */
export async function scopeMember(transaction: Queryable, actor: Actor, scope: Scope): Promise<Membership | null> {
  try {
    return await requireScope(transaction, actor, scope)
  } catch (error) {
    if (error instanceof ApiFailure && REFUSALS.has(error.error.code)) return null
    throw error
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['not_found', 'forbidden', 'project_not_started'])

/**
 * Changes whenever the scope's content for this person changes for another reason than changed rows: role, centers,
 * pass, data scope, mask. The device then compares its list with what it is sent.
 *
 * @param releases how many released versions the project has: each may mask fields that were open before
 */
export function scopeVersion(scope: Scope, member: Membership, releases: number): string {
  const { role, centers, pass, dataScope, sensitive, rightsRev } = member
  const masks = sensitive ? [] : [releases]
  return sha256(
    JSON.stringify([scopeText(scope), role, centers, pass, dataScope, sensitive, rightsRev, ...masks]),
  ).slice(0, 16)
}

/** A scope that may be kept, with its size. */
export interface KeepableScope {
  readonly scope: string
  readonly centerId: string | null
  readonly centerName: string | null
  readonly patients: number
  readonly entries: number
}

/** All scopes of a project that the member may keep, and which of them may not be kept on this device. */
export async function keepableScopes(
  transaction: Queryable,
  member: Membership,
  deviceId: string | null,
): Promise<readonly KeepableScope[]> {
  const { projectId, pass } = member
  const { rows } = await transaction.query<{ id: string; name: string; patients: number; entries: number }>({
    name: 'scope_sizes',
    text: `
      SELECT
        c.id, c.name,
        (SELECT count(*) FROM patient p WHERE p.center_id = c.id AND NOT p.deleted AND ${isTheirs('p', '$4')}) AS patients,
        (SELECT count(*) FROM entry e WHERE e.project_id = $1 AND e.center_id = c.id AND e.pass = $3 AND NOT e.deleted
          AND ($4::uuid[] IS NULL OR EXISTS (SELECT FROM patient p WHERE p.id = e.patient_id AND ${isTheirs('p', '$4')}))) AS entries
      FROM center c WHERE c.project_id = $1 AND ($2::uuid[] IS NULL OR c.id = ANY ($2))
      ORDER BY c.code`,
    values: [projectId, centerParameter(member), pass, ownParameter(member)],
  })
  const common = {
    scope: scopeText({ kind: 'project', projectId }),
    centerId: null,
    centerName: null,
    patients: 0,
    entries: 0,
  }
  const centers = rows.map(({ id, name, patients, entries }) => ({
    scope: scopeText({
      kind: 'center',
      projectId,
      centerId: id,
      pass,
    }),
    centerId: id,
    centerName: name,
    patients,
    entries,
  }))
  const withheld =
    deviceId === null
      ? new Set()
      : await withheldKeys(
          transaction,
          deviceId,
          centers.map(({ scope }) => scope),
          member,
        )
  return [common, ...centers.map((center) => (withheld.has(center.scope) ? { ...center, withheld: true } : center))]
}

async function isCenterOf(transaction: Queryable, scope: Extract<Scope, { kind: 'center' }>): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'scope_center',
    text: 'SELECT 1 FROM center WHERE id = $1 AND project_id = $2',
    values: [scope.centerId, scope.projectId],
  })
  return rowCount === 1
}
