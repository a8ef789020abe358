import { err, ok } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import type { DataContext } from './context.ts'
import { listKeptScopes, localRow, outboxRows } from './local.ts'

/**
 * The project of a patient, for an address that names only the patient (specification §2): from what this device keeps
 * or has enrolled itself, otherwise from the server. `not_kept` without the server.
 */
export async function readProjectOf(context: DataContext, patientId: string): Reading<string> {
  const here = await context.storage.run(() => projectHere(context, patientId))
  if (!here.ok) return here
  if (here.value !== null) return ok(here.value)
  if (!context.online()) return err({ code: 'not_kept' })
  return context.remote.read(['project of', patientId], async () => {
    const answer = await context.api.call('patient.project', { query: { id: patientId } })
    return answer.ok ? ok(answer.value.projectId) : answer
  })
}

async function projectHere(context: DataContext, patientId: string): Promise<string | null> {
  for (const text of await listKeptScopes(context)) {
    const scope = parseScope(text)
    if (scope?.kind === 'center' && (await localRow(context, text, 'patient', patientId)) !== null)
      return scope.projectId
  }
  const [unsent] = await outboxRows(context, patientId)
  return unsent === undefined ? null : (parseScope(unsent.scope)?.projectId ?? null)
}
