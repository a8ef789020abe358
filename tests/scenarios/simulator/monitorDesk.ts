import { newId } from '#core/ids.ts'
import { stateAfter } from '#core/review/query.ts'
import type { QueryState } from '#core/review/query.ts'
import { placeOfQuestion } from './answerHand.ts'
import type { SaidAnswer } from './said.ts'
import type { QuestionIntent } from './simTablet.ts'
import type { ReviewIntent } from './steps.ts'
import type { Study } from './study.ts'
import type { SimServer } from './wards.ts'

/** A monitor at a desk, who asks and reviews online, through the server's door. */

/** What the monitor said; null where the server has not confirmed it. */
export type SaidAtDesk = Pick<SaidAnswer, 'patientId' | 'queryId' | 'text'> | null

/** Asks about a vital sign of a patient, or about the patient. */
export async function askAtDesk(study: Study, patientId: string, question: QuestionIntent): Promise<SaidAtDesk> {
  const queryId = newId()
  const { isCandidate, text } = question
  const place = placeOfQuestion(study, patientId, question)
  const body = { id: queryId, projectId: study.projectId, place, text, isCandidate, isUrgent: false, dueOn: null }
  return (await study.callAsMonitor('/api/edc/data/query/raise', body)) ? { patientId, queryId, text } : null
}

/**
 * Does something with one of the queries that there are: of those that it is meant for, or where the monitor's screen
 * is an old one, of all.
 */
export async function reviewAtDesk(
  study: Study,
  server: SimServer,
  { does, query: which, isBlind, text }: ReviewIntent,
  lastAnswered: string | null,
): Promise<SaidAtDesk> {
  const queries = await server.rows<{ id: string; patientId: string; state: QueryState }>(
    `SELECT id, patient_id AS "patientId", state FROM query WHERE project_id = $1 ORDER BY no`,
    [study.projectId],
  )
  const fit = queries.filter(({ state }) => isBlind || stateAfter(state, does) !== null)
  const query = which === 'last' ? fit.find(({ id }) => id === lastAnswered) : fit[which % Math.max(1, fit.length)]
  if (query === undefined) return null
  const { id, patientId } = query
  const given = does === 'assign' ? { assignee: assigneeFor(study, text) } : {}
  const body = { id, projectId: study.projectId, patientId, act: does, text, category: null, ...given }
  return (await study.callAsMonitor('/api/edc/data/query/act', body)) ? { patientId, queryId: id, text } : null
}

/** Those who answer, in turn, and everybody again. Whoever is away just then is refused. */
function assigneeFor({ staff }: Study, text: string): string | null {
  return [staff.lin.userId, staff.wu.userId, null][Number(text.slice(1)) % 3] ?? null
}
