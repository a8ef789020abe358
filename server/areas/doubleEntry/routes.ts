import { fail } from '#core/api/errors.ts'
import { membership, requirePermission } from '#server/access.ts'
import { agreementReport } from '#server/areas/doubleEntry/agreement.ts'
import { refuseAuthors } from '#server/areas/entry/passes/authors.ts'
import { comparePatient, gapCheckOf } from '#server/areas/doubleEntry/compare.ts'
import { mergePasses } from '#server/areas/doubleEntry/merge.ts'
import { patientsInPass, requirePatientInPass } from '#server/areas/doubleEntry/patients.ts'
import { destroySecondPass, ignoreGaps, openSecondPass } from '#server/areas/doubleEntry/service.ts'
import { patientOf } from '#server/areas/doubleEntry/store.ts'
import { loadEntryRows } from '#server/areas/entry/reading/rows.ts'
import { patientPage } from '#server/areas/patient/list.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, Handlers } from '#server/http/handler.ts'

/** The call in the project of its context header (specification §7). */
function inProject<Context extends { readonly projectId: string | null }>(
  context: Context,
): Context & { readonly projectId: string } {
  const { projectId } = context
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  return { ...context, projectId }
}

/** The patient whose passes somebody compares who has entered nothing in them. */
async function findCompared(transaction: Queryable, actor: Actor, projectId: string, patientId: string) {
  const member = await membership(transaction, actor, projectId)
  requirePermission(member, 'double_merge')
  const patient = await patientOf(transaction, member, patientId)
  await refuseAuthors(transaction, actor.userId, patient.id)
  return { member, patient }
}

export const handlers: Handlers = {
  'double.create': async (context) => openSecondPass(inProject(context)),
  'double.destroy': async (context) => destroySecondPass(inProject(context)),
  'double.gapIgnore': async (context) => ignoreGaps(inProject(context)),
  'double.merge': async (context) => mergePasses(inProject(context)),

  'double.gapCheck': async (context) => {
    const { services, actor, params, projectId } = inProject(context)
    return withTransaction(services.pool, async (transaction) => {
      const { member, patient } = await findCompared(transaction, actor, projectId, params.id)
      return gapCheckOf(transaction, member, await comparePatient(transaction, projectId, patient.id))
    })
  },

  'double.list': async (context) => {
    const { services, actor, params, projectId } = inProject(context)
    return withTransaction(services.pool, async (transaction) => {
      const { member, patient } = await findCompared(transaction, actor, projectId, params.id)
      const { pages } = await comparePatient(transaction, projectId, patient.id)
      const ids = pages.flatMap(({ first, second }) => [first, second].flatMap((entry) => entry?.id ?? []))
      const rows = new Map((await loadEntryRows(transaction, member, ids)).map((row) => [row.id, row]))
      return pages.map(({ page, firstId, secondId }) => ({
        folderName: page.folderName,
        folderNameEn: page.folderNameEn,
        pageName: page.name,
        pageNameEn: page.nameEn,
        first: rows.get(firstId) ?? null,
        second: rows.get(secondId) ?? null,
      }))
    })
  },

  'double.detail': async (context) => {
    const { services, actor, query, pass, projectId } = inProject(context)
    return withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, projectId)
      await requirePatientInPass(connection, member, query.patientId, pass)
      const [row] = await loadPatientRows(connection, member, [query.patientId], query.skipSensitive !== 'true')
      if (row === undefined) throw fail('not_found')
      return row
    })
  },

  'double.patients': async (context) => {
    const { services, actor, query, pass, projectId } = inProject(context)
    return withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, projectId)
      const listed = await patientsInPass(connection, member, pass, { ...query, no: query.no ?? '' })
      return patientPage(connection, member, listed, query, query.skipSensitive !== 'true')
    })
  },

  'double.agreement': async ({ services, actor, query }) =>
    withTransaction(services.pool, async (transaction) => {
      const member = await membership(transaction, actor, query.projectId)
      requirePermission(member, 'double_merge')
      return agreementReport(transaction, member, query.centerId ?? null)
    }),
}
