/**
 * The life of a query (质疑; ODM 2.0 `Query`): its states, what may be done with it in each, by whom, and what follows.
 * The server enforces this table; screens offer exactly what it allows. Nothing that a device says is refused for the
 * state alone where it would be lost by it: an answer always reaches the thread.
 */

/**
 * ODM 2.0 `QueryStateType`. `Resolved` is not used: a query ends closed, or cancelled because it should not have been.
 */
export const queryStates = ['candidate', 'open', 'answered', 'closed', 'cancelled'] as const
export type QueryState = (typeof queryStates)[number]

/** Who asks (ODM 2.0 `QuerySourceType`); `system` is a rule of the version. */
export const querySources = ['dataManagement', 'monitor', 'system'] as const
export type QuerySource = (typeof querySources)[number]

/**
 * What a person does with a query. `promote` and `reject` decide a candidate; `requery` asks again after an answer,
 * `reopen` after closing; `comment` says something and changes nothing. `assign` gives the query to one person, or to
 * everybody again: it says from whom something is wanted, and changes nothing of the state.
 */
export const queryActs = [
  'promote',
  'reject',
  'answer',
  'requery',
  'close',
  'reopen',
  'cancel',
  'comment',
  'assign',
] as const
export type QueryAct = (typeof queryActs)[number]

/** What happens to a query by itself: the value passes its rule now, or its field is there no more. */
export type QueryCause = 'passes' | 'gone'

/** What somebody may do in the project, as far as queries are concerned. */
export interface QueryRights {
  /** May ask (`query_add`). */
  readonly asks: boolean
  /** May answer for the site (`query_answer`). */
  readonly answers: boolean
  /** May end queries (`query_close`). */
  readonly closes: boolean
  /** Manages the data (`data_review`): decides candidates and ends the queries of others. */
  readonly manages: boolean
}

/** A query, as far as its life is concerned. */
export interface QueryStanding {
  readonly state: QueryState
  readonly source: QuerySource
  /** Whether the person in question has raised it. */
  readonly isOwn: boolean
  /** Whether it was ever open. A rejected candidate was not: the site never learns of it. */
  readonly wasAsked: boolean
}

/** Why an act is not allowed: the state does not know it, or the person has no right to it. */
export type QueryRefusal = 'state' | 'right'

/** From where each act leads where. */
const steps: Readonly<Record<QueryAct, Partial<Readonly<Record<QueryState, QueryState>>>>> = {
  promote: { candidate: 'open' },
  reject: { candidate: 'cancelled' },
  // Two tablets may both answer, and both answers stay. One that comes after the closing waits for whoever closes. Of
  // a cancelled query nobody wants an answer, but it is kept.
  answer: { open: 'answered', answered: 'answered', closed: 'answered', cancelled: 'cancelled' },
  requery: { answered: 'open' },
  // Also of an open one: the value was corrected, or the matter is settled otherwise.
  close: { open: 'closed', answered: 'closed' },
  reopen: { closed: 'open' },
  cancel: { open: 'cancelled' },
  comment: { candidate: 'candidate', open: 'open', answered: 'answered' },
  assign: { candidate: 'candidate', open: 'open', answered: 'answered' },
}

/** The state that an act leads to, or why it is not allowed. */
export function queryAfter(
  query: QueryStanding,
  act: QueryAct,
  rights: QueryRights,
): { readonly ok: true; readonly state: QueryState } | { readonly ok: false; readonly error: QueryRefusal } {
  // Who may not see a query is not told its state.
  if (!maySeeQuery(query, rights) || !hasRight(query, act, rights)) return { ok: false, error: 'right' }
  const state = stateAfter(query.state, act)
  if (act === 'assign' && !mayAssign(query.state, rights)) return { ok: false, error: 'state' }
  return state === null ? { ok: false, error: 'state' } : { ok: true, state }
}

/**
 * What a screen offers, in the order of `queryActs`. An answer to a query that has ended is taken from a device that
 * did not know, but never offered.
 */
export function offeredActs(query: QueryStanding, rights: QueryRights): readonly QueryAct[] {
  return queryActs.filter((act) => (act !== 'answer' || isUnsettled(query.state)) && queryAfter(query, act, rights).ok)
}

/** A site does not see what nobody has decided to ask it. */
export function maySeeQuery({ wasAsked }: Pick<QueryStanding, 'wasAsked'>, rights: QueryRights): boolean {
  return reviewsQueries(rights) || (wasAsked && rights.answers)
}

/** Whether somebody sees candidates too. */
export function reviewsQueries({ asks, closes, manages }: QueryRights): boolean {
  return asks || closes || manages
}

/** Who only answers gives to somebody what the site has to answer; what is answered is with those who review. */
export function mayAssign(state: QueryState, rights: QueryRights): boolean {
  return reviewsQueries(rights) ? stateAfter(state, 'assign') !== null : rights.answers && state === 'open'
}

/** Whether a query can be given to somebody: to who answers it, or once it is answered to who may close it. */
export function canHaveQuery(query: QueryStanding, rights: QueryRights): boolean {
  if (query.state === 'answered') return queryAfter(query, 'close', rights).ok
  return !isSettled(query.state) && rights.answers
}

/** The state after an act that its author had the right to; null where it came too late and changes nothing. */
export function stateAfter(state: QueryState, act: QueryAct): QueryState | null {
  return steps[act][state] ?? null
}

/** Whether somebody who sees the query has the right to an act. */
function hasRight({ source, isOwn }: QueryStanding, act: QueryAct, rights: QueryRights): boolean {
  const { asks, answers, closes, manages } = rights
  switch (act) {
    case 'promote':
    case 'reject':
      return asks && (manages || isOwn)
    case 'answer':
      return answers
    case 'requery':
    case 'close':
    case 'reopen':
      return closes && (manages || isClosedBy(source, isOwn))
    case 'cancel':
      return asks && (isOwn || (closes && manages))
    case 'comment':
    case 'assign':
      return true
  }
}

/** A monitor ends the queries of monitors; what data management or a rule asks is ended by data management. */
function isClosedBy(source: QuerySource, isOwn: boolean): boolean {
  return source === 'monitor' || (source === 'dataManagement' && isOwn)
}

/** Whether somebody still has to do something about a query. */
export function isUnsettled(state: QueryState): boolean {
  return state === 'open' || state === 'answered'
}

/** Whether nothing more is to be done about a query; a candidate is still to be decided. */
export function isSettled(state: QueryState): boolean {
  return state === 'closed' || state === 'cancelled'
}

/**
 * What happens to a query by itself; null where nothing does. A rule that is satisfied ends only what rules asked: a
 * person's question is a person's to end. An answered one waits for whoever closes, even if the value passes now: the
 * answer has to be read. Where the field is gone, so is the question.
 */
export function queryAfterCause(
  { state, source }: Pick<QueryStanding, 'state' | 'source'>,
  cause: QueryCause,
): QueryState | null {
  if (cause === 'gone') return state === 'candidate' ? 'cancelled' : isUnsettled(state) ? 'closed' : null
  return source === 'system' && state === 'open' ? 'closed' : null
}

/**
 * Whether a query waits for the person looking, as the badge counts: of a site what is open; of those who close what is
 * answered, and of those who decide candidates these.
 */
export function waitsForPerson(query: QueryStanding, rights: QueryRights): boolean {
  if (query.state === 'open') return rights.answers
  const decides = query.state === 'candidate' ? 'promote' : query.state === 'answered' ? 'close' : null
  return decides !== null && queryAfter(query, decides, rights).ok
}
