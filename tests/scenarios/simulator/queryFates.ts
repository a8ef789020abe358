import { stateAfter } from '#core/review/query.ts'
import type { QueryState } from '#core/review/query.ts'
import type { JsonValue } from '#core/json.ts'
import { textOf } from './evidence.ts'
import type { Evidence, StoredQuery, StoredTurn } from './evidence.ts'
import type { Ward } from './run.ts'
import type { Said, SaidAnswer } from './said.ts'
import { differences } from './tabletsAgree.ts'

/** What became of queries: what was asked and answered, how it was booked, and what the tablets have of it. */

/**
 * What was said in a query stands in its thread, or waits. What was done online and forgotten by a restored server
 * nobody can say again.
 */
export function answersLost({ log, restored, study }: Ward, evidence: Evidence): readonly string[] {
  const turns = new Map(evidence.turns.map((turn) => [turn.text, turn]))
  const waiting = new Set(
    [
      ...evidence.operations.filter(({ outcome }) => outcome === 'inbox' || outcome === 'held'),
      ...evidence.waiting.flatMap(({ op }) => (op === null ? [] : [op])),
    ].flatMap(({ call, entityId, body }) => (isQueryCall(call) ? [placeText(entityId, textIn(body))] : [])),
  )
  return log.all.filter(isAnswer).flatMap((one) => {
    const turn = turns.get(one.text)
    if (turn !== undefined && (one.queryId ?? turn.queryId) !== turn.queryId)
      return [told('c', one, 'said in another query')]
    if (turn !== undefined)
      return turn.by === study.staff[one.person].userId ? [] : [told('c', one, 'booked under another name')]
    const waits = [...waiting].some((place) => place === placeText(one.queryId ?? place.split(' ')[0] ?? '', one.text))
    return waits || (one.isAtDesk && restored) ? [] : [told('a', one, 'what was said in a query is nowhere')]
  })
}

/** Nothing is asked or answered twice, and every act is in its place. */
export function queriesTwice({ queries, turns }: Evidence): readonly string[] {
  const threads = Map.groupBy(turns, ({ queryId }) => queryId)
  const found = [...queries.values()].flatMap((query) => {
    const sorts = (threads.get(query.id) ?? []).map(({ sort }) => sort)
    const isWhole = sorts.length > 0 && sorts.length === query.acts && sorts.every((sort, at) => sort === at + 1)
    return isWhole ? [] : [`the thread of query ${query.id} has ${sorts.join(' ')}, and ${query.acts} acts`]
  })
  const said = turns.filter(({ text }) => text !== null)
  const numbers = Map.groupBy([...queries.values()], ({ no }) => no)
  return [
    ...found,
    ...[...Map.groupBy(said, ({ text }) => text)].flatMap(([text, same]) =>
      same.length > 1 ? [`said twice in a query: ${text ?? ''}`] : [],
    ),
    ...[...numbers].flatMap(([no, same]) => (same.length > 1 ? [`${same.length} queries have the number ${no}`] : [])),
  ].map((what) => `(b) ${what}`)
}

/** Each act is what its author sent, is told by the trail once, and leads to where the table of states says. */
export function queriesUnaudited({ queries, turns, operations, audit }: Evidence): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  const booked = Map.groupBy(
    audit.filter(({ action }) => action.startsWith('query.')),
    ({ opKey }) => opKey ?? '',
  )
  const keys = new Set(turns.map(({ key }) => key))
  const found = turns.flatMap((turn) => {
    const operation = byKey.get(turn.key)
    const rows = booked.get(turn.key) ?? []
    const isAsSent =
      operation?.author === turn.by &&
      textOf(textIn(operation.body)) === textOf(turn.text) &&
      memberOf(operation.body, 'assignee') === turn.assignee &&
      (turn.act !== 'raise' || (turn.state === 'candidate') === (memberOf(operation.body, 'isCandidate') === true))
    const isTold =
      rows.length === 1 &&
      rows[0]?.action === `query.${turn.act}` &&
      textOf([memberOf(rows[0].new, 'state'), memberOf(rows[0].new, 'text')]) === textOf([turn.state, turn.text])
    return [
      ...(isAsSent ? [] : [`an act is not what its author sent: ${JSON.stringify(turn)}`]),
      ...(isTold ? [] : [`the trail does not tell an act once: ${JSON.stringify(turn)} ${JSON.stringify(rows)}`]),
    ]
  })
  const applied = operations.filter(({ call, outcome }) => isQueryCall(call) && outcome === 'applied')
  return [
    ...found,
    ...applied.flatMap(({ key }) => (keys.has(key) ? [] : [`an act that was applied is in no thread: ${key}`])),
    ...[...booked.keys()].flatMap((key) => (keys.has(key) ? [] : [`the trail tells an act that is nowhere: ${key}`])),
    ...[...Map.groupBy(turns, ({ queryId }) => queryId)].flatMap(([id, thread]) => misfolded(queries.get(id), thread)),
  ].map((what) => `(c) ${what}`)
}

/** Where folding the acts from the first leads elsewhere than is stored. */
function misfolded(query: StoredQuery | undefined, thread: readonly StoredTurn[]): readonly string[] {
  const found: string[] = []
  let state: QueryState | null = null
  let assignee: string | null = null
  for (const turn of thread) {
    const after: QueryState | null = turn.act === 'raise' || state === null ? turn.state : stateAfter(state, turn.act)
    const isLate = turn.act === 'answer' && (state === 'closed' || state === 'cancelled')
    // Given to somebody who could do nothing about it any more, it changed nothing.
    const isUnfit = turn.act === 'assign' && turn.effect === 'overtaken'
    const effect = after === null || isUnfit ? 'overtaken' : isLate ? 'late' : 'applied'
    state = after ?? state
    if (turn.act === 'assign' && effect === 'applied') assignee = turn.assignee
    if (turn.state !== state || turn.effect !== effect)
      found.push(`an act leads to ${state ?? 'nothing'} (${effect}): ${JSON.stringify(turn)}`)
  }
  const wasAsked = thread.some((turn) => turn.state === 'open')
  return query?.state === state && query?.wasAsked === wasAsked && query?.assignee === assignee
    ? found
    : [...found, `the acts lead to ${state ?? 'nothing'}, given to ${assignee ?? 'nobody'}: ${JSON.stringify(query)}`]
}

/** What one tablet says to a query, it said in this order. */
export function answersInDisorder({ turns, operations }: Evidence): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  const last = new Map<string, number>()
  return turns.flatMap((turn) => {
    const { author = '', deviceId = null, deviceSeq = null } = byKey.get(turn.key) ?? {}
    if (deviceId === null || deviceSeq === null) return []
    const place = `${turn.queryId} ${author} ${deviceId}`
    const before = last.get(place) ?? -1
    last.set(place, deviceSeq)
    return before < deviceSeq ? [] : [`(c) an act was taken in after what was said later: ${JSON.stringify(turn)}`]
  })
}

/** Every tablet has, and shows, what was ever asked in the first pass or beside both, and no candidate. */
export async function queriesDiverged({ tablets, history }: Ward, evidence: Evidence): Promise<readonly string[]> {
  if (!history.casebook) return []
  const found: string[] = []
  const threads = Map.groupBy(evidence.turns, ({ queryId }) => queryId)
  const wanted = [...evidence.queries.values()].filter(({ wasAsked, pass }) => wasAsked && pass !== 2)
  const there = wanted.map(({ id, state }) => [id, threadText(state, threads.get(id) ?? [])] as const)
  for (const tablet of tablets) {
    const remains = evidence.remains.get(tablet)
    // What a tablet is told that does not keep the center, is told of it already.
    if (remains?.keepsCenter !== true) continue
    const here = remains.queries.map(({ id, state, thread }) => [id, threadText(state, thread)] as const)
    const problems = [
      ...differences('query', there, here),
      ...remains.candidates.map((id) => `holds the candidate ${id}`),
    ]
    for (const patientId of evidence.patients.keys()) {
      const own = wanted.filter((query) => query.patientId === patientId)
      const shown = await tablet.shownQueries(patientId)
      const states = new Map(own.map(({ id, state }) => [id, state]))
      problems.push(
        ...(shown === null ? [`cannot show the queries of ${patientId}`] : []),
        ...differences(
          'shown query',
          own.map(({ id, state }) => [id, textOf([state, (threads.get(id) ?? []).map(({ key }) => key)])]),
          // What was refused is shown over what the server has.
          (shown ?? []).map(({ id, state, keys, isAhead }) => [
            id,
            textOf([isAhead ? (states.get(id) ?? state) : state, keys]),
          ]),
        ),
      )
    }
    found.push(...problems.map((what) => `(d) ${tablet.name}: ${what}`))
  }
  return found
}

type Told = Pick<StoredTurn, 'key' | 'effect' | 'state' | 'text' | 'by'>

function threadText(
  state: string,
  thread: readonly (Told & { readonly act: string; readonly assignee?: string | null })[],
): string {
  return textOf([
    state,
    thread.map(({ key, act, effect, state: after, text, by, assignee = null }) => [
      key,
      act,
      effect,
      after,
      text,
      by,
      assignee,
    ]),
  ])
}

function isAnswer(one: Said): one is SaidAnswer {
  return one.kind === 'answer'
}

function isQueryCall(call: string): boolean {
  return call === 'query.raise' || call === 'query.act'
}

function placeText(queryId: string, text: JsonValue): string {
  return `${queryId} ${textOf(text)}`
}

function textIn(body: unknown): JsonValue {
  return memberOf(body, 'text')
}

function memberOf(value: unknown, name: string): JsonValue {
  return ((value ?? {}) as Readonly<Record<string, JsonValue>>)[name] ?? null
}

function told(clause: string, one: Said, what: string): string {
  return `(${clause}) ${what}: ${JSON.stringify(one)}`
}
