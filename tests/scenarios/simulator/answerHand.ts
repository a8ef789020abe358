import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { AtWork } from './atWork.ts'
import type { Places } from './places.ts'
import type { AnswerDone, AnswerIntent, QuestionIntent } from './simTablet.ts'

/** How people ask and answer at a tablet, and what the tablet shows of them. */

/** More queries than a history asks. */
const ALL = 500

/** A query as a tablet shows it. */
export interface ShownQuery {
  readonly id: string
  readonly state: string
  /** Keys of what the server has, in its order. */
  readonly keys: readonly string[]
  /** Whether something is shown that the server does not have. */
  readonly isAhead: boolean
}

/** Says something to the nth of the queries on the screen where it is offered. */
export async function answerQuery(
  { device, author }: AtWork,
  { projectId, scope }: Places,
  { query: nth, act, text }: AnswerIntent,
): Promise<AnswerDone | null> {
  if (author === null || !author.ring.has(scope)) return null
  const list = await device.queries(projectId, { sort: 'no', current: 1, size: ALL })
  const fit = list.ok ? list.value.queries.filter(({ acts }) => acts.includes(act)) : []
  const query = fit[nth % Math.max(1, fit.length)]?.query
  if (query === undefined) return null
  const category = act === 'answer' ? 'confirmed' : null
  // To themselves, which the server may find they cannot have, or back to everybody.
  const given = act === 'assign' ? { assignee: query.assigneeId === author.userId ? null : author.userId } : {}
  const done = await device.actOnQuery(projectId, query, { act, text, category, ...given })
  return done.ok ? { queryId: query.id, patientId: query.patientId } : null
}

/** Asks under the version that the tablet has. */
export async function askQuery(
  { device, author }: AtWork,
  places: Places,
  patientId: string,
  question: QuestionIntent,
): Promise<boolean> {
  const { projectId, scope } = places
  const version = await device.version(projectId)
  if (author === null || !author.ring.has(scope) || !version.ok) return false
  const { isCandidate, text } = question
  const place = placeOfQuestion(places, patientId, question)
  return (
    await device.raiseQuery(projectId, version.value.id, { place, text, isCandidate, isUrgent: false, dueOn: null })
  ).ok
}

/** What a question is about: a vital sign, or the patient. */
export function placeOfQuestion(
  { folderId, vitalsId }: Pick<Places, 'folderId' | 'vitalsId'>,
  patientId: string,
  { field }: QuestionIntent,
): QueryPlace {
  const within = { parentEntryId: null, table: null, rid: null, code: field }
  return field === null
    ? { patientId, folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null, ...within }
    : {
        patientId,
        folderId,
        folderRepeat: FIRST_REPEAT,
        pageId: vitalsId,
        pageRepeat: FIRST_REPEAT,
        pass: 1,
        ...within,
      }
}

/** What the tablet shows of a patient's queries; null where it cannot. */
export async function showQueries(
  { device }: AtWork,
  projectId: string,
  patientId: string,
): Promise<readonly ShownQuery[] | null> {
  const shown = await device.patientQueries(projectId, patientId)
  if (!shown.ok) return null
  return shown.value.map(({ query: { id, state, thread } }) => ({
    id,
    state,
    keys: thread.filter(({ unsent }) => unsent !== true).map(({ key }) => key),
    isAhead: thread.some(({ unsent }) => unsent === true),
  }))
}
