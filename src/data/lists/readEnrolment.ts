import { err, ok } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readCenters } from '#src/data/rows/readProjects.ts'
import { ALL_PATIENTS } from '#src/data/shapes/listTypes.ts'
import type { Enrolled, Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { readPatients, scopesToRead } from './readPatients.ts'

/** How many patients a project has, and since when: only figures that are whole, or none. */

/** How many patients the user sees of a project, and how many its centers plan. */
export async function readEnrolled(context: DataContext, projectId: string): Reading<Enrolled> {
  const centers = await readCenters(context, projectId)
  if (!centers.ok) return centers
  const here = await isWholeHere(
    context,
    projectId,
    centers.value.map(({ id }) => id),
  )
  if (!here.ok) return here
  if (!here.value && !context.online()) return err({ code: 'not_kept' })
  // The server's own total: one line is asked for.
  const patients = await readPatients(context, projectId, { size: 1 })
  if (!patients.ok) return patients
  const plans = centers.value.map(({ planEnrolls }) => planEnrolls)
  return ok({
    enrolled: patients.value.total,
    planned:
      plans.length === 0 || plans.includes(null) ? null : plans.reduce<number>((sum, plan) => sum + (plan ?? 0), 0),
    centers: centers.value.length,
    isHere: here.value,
  })
}

/**
 * On which days patients were enrolled.
 *
 * @param asks whether the server may be asked where not all patients are on this device; their list is long
 */
export async function readEnrolment(context: DataContext, projectId: string, asks: boolean): Reading<Enrolment> {
  const of = await readEnrolled(context, projectId)
  if (!of.ok) return of
  if (!of.value.isHere && !asks) return err({ code: 'not_kept' })
  const list = await readPatients(context, projectId, { size: ALL_PATIENTS })
  if (!list.ok) return list
  const dates = list.value.patients.map(({ enrolledOn }) => enrolledOn)
  const known = dates.filter((day) => day !== null).toSorted()
  const days = [...Map.groupBy(known, (day) => day)].map(([day, all]) => ({ day, count: all.length }))
  return ok({ ...of.value, enrolled: dates.length, days, undated: dates.length - known.length })
}

/** Whether all patients of these centers are on this device, whose first download has ended. */
async function isWholeHere(context: DataContext, projectId: string, centerIds: readonly string[]): Reading<boolean> {
  return context.storage.run(async ({ cache }) => {
    const scopes = (await scopesToRead(context, projectId)) ?? []
    const pulled = await Promise.all(
      scopes
        .filter(({ opened }) => opened === null)
        .map(async ({ text }) => {
          const cursor = await cache.pulls.get([text, context.user.userId])
          const scope = parseScope(text)
          return cursor !== undefined && cursor.light !== 1 && scope?.kind === 'center' ? scope.centerId : null
        }),
    )
    return centerIds.length > 0 && centerIds.every((id) => pulled.includes(id))
  })
}
