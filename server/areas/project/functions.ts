import type { AuthResource } from '#core/api/calls/project.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { functionsFor, isMandatory, isUsed, projectFunctions } from '#core/access/functions.ts'
import type { FunctionChoices, ProjectFunction } from '#core/access/functions.ts'
import { administrationEntries } from '#core/access/menus.ts'
import { membership, requirePermission } from '#server/access.ts'
import { commitForMember } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import * as store from '#server/areas/project/store.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** The functions of a project: those that it uses, and those of them that the user may enter. */

const all: readonly ProjectFunction[] = projectFunctions

/** What the user may do in the project, and which menus they may open. */
export async function listRights(context: CallContext<'project.authList'>): Promise<readonly AuthResource[]> {
  const { services, actor, query, language } = context
  return withTransaction(services.pool, async (transaction) => {
    const { permissions, tests } = await membership(transaction, actor, query.projectId)
    const choices = await choicesOf(transaction, query.projectId)
    const open = new Set<string>(functionsFor(permissions, choices, tests))
    const administration = administrationEntries.filter(({ opens }) => opens.some((code) => permissions.has(code)))
    const menus = new Set<string>(administration.map(({ code }) => code))
    return [
      ...administration.map(({ code, name }) => entry({ code, name: name[language] })),
      ...all.filter(({ code }) => open.has(code)).map((one) => resourceOf(one, choices, language)),
      // A code that is a menu as well is listed once, which both kinds of look-up find.
      ...[...permissions].filter((code) => !menus.has(code)).map((code) => entry({ code, name: code, category: 2 })),
    ]
  })
}

/** All functions that a project can use, and whether it uses each. */
export async function listFunctions(context: CallContext<'project.resourceList'>): Promise<readonly AuthResource[]> {
  const { services, actor, query, language } = context
  return withTransaction(services.pool, async (transaction) => {
    requirePermission(await membership(transaction, actor, query.projectId), 'project_enable_resources')
    const choices = await choicesOf(transaction, query.projectId)
    return all.map((one) => resourceOf(one, choices, language))
  })
}

/** Chooses the functions that a project uses: exactly those named. */
export async function chooseFunctions(context: Write<'project.resourceConfig'>): Promise<boolean> {
  const { actor, body } = context
  const { projectId } = body
  const wanted = new Set(body.resourceIds)
  return runOnce(context, { projectId, entityId: projectId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'project_enable_resources')
    const fields = wrongChoices(wanted)
    if (fields.length > 0) throw fail('invalid', { fields })
    await store.lockProject(transaction, projectId)
    const old = await choicesOf(transaction, projectId)
    const next = Object.fromEntries(all.filter((one) => !isMandatory(one)).map(({ code }) => [code, wanted.has(code)]))
    await store.updateFunctions(transaction, projectId, { ...old, ...next })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [{ action: 'project.functions', old: usedOf(old), new: usedOf(next) }],
      changes: [{ kind: 'project', rowId: projectId, centerId: null, pass: null }],
    })
    return { committed, result: true }
  })
}

/** Errors of a choice: codes of no function, and mandatory functions that are left out. */
function wrongChoices(wanted: ReadonlySet<string>): readonly FieldError[] {
  const known = new Set(all.map(({ code }) => code))
  const unknown = [...wanted].filter((code) => !known.has(code))
  const missing = all.filter((one) => isMandatory(one) && !wanted.has(one.code)).map(({ code }) => code)
  const wrong = (code: string, names: readonly string[]): FieldError[] =>
    names.map((name) => ({ path: 'resourceIds', code, params: { name } }))
  return [...wrong('unknown', unknown), ...wrong('mandatory', missing)]
}

async function choicesOf(
  transaction: Parameters<typeof store.loadFunctions>[0],
  projectId: string,
): Promise<FunctionChoices> {
  const choices = await store.loadFunctions(transaction, projectId)
  if (choices === null) throw fail('not_found')
  return choices
}

function usedOf(choices: FunctionChoices): string[] {
  return all.filter((one) => isUsed(one, choices)).map(({ code }) => code)
}

function resourceOf(one: ProjectFunction, choices: FunctionChoices, language: Language): AuthResource {
  const { code, name, remark, level } = one
  return {
    ...entry({ code, name: name[language] }),
    remark: remark[language],
    level,
    isDisabled: !isUsed(one, choices),
  }
}

function entry({
  code,
  name,
  category = 1,
}: {
  readonly code: string
  readonly name: string
  readonly category?: 1 | 2
}): AuthResource {
  return { id: code, code, name, remark: null, level: 0, parentId: null, category, isDisabled: false }
}
