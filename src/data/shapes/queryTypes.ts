import type { QueryOf } from '#core/api/call.ts'
import type { QueryDeed, QueryRaise, VisitQueries } from '#core/api/calls/review/query.ts'
import type { QueryRow } from '#core/api/sync/rows.ts'
import type { CallOf } from '#core/api/table.ts'
import type { QueryAct, QueryState } from '#core/review/query.ts'

import type { LocalWrite } from './types.ts'

/** Queries as screens show them, wherever they were read. */

/** One act in a thread; an unsent one stands as it will if nobody is faster. */
export type TurnView = QueryRow['thread'][number] & { readonly unsent?: true }

/** A query with what this device has said and not sent yet. Without a number until the server has given it one. */
export interface KnownQuery extends Omit<QueryRow, 'thread'> {
  readonly thread: readonly TurnView[]
}

export interface QueryView {
  readonly query: KnownQuery
  readonly patientNo: string | null
  readonly patientMark: string
  readonly initials: string | null
  /** Whether it waits for who looks. */
  readonly waits: boolean
  /** What who looks may do with it. */
  readonly acts: readonly QueryAct[]
}

export type QueryFilter = Omit<QueryOf<CallOf<'query.list'>>, 'projectId' | 'today'>

export interface QueryList {
  readonly queries: readonly QueryView[]
  readonly total: number
  readonly totalIsLeast: boolean
}

export type QueryFigures = Readonly<Record<QueryState | 'waits', number>>

/** How many queries of a patient wait to be settled, by visit; a visit without any is left out. */
export type PatientQueries = readonly VisitQueries[]

/** The same of all patients; one without any is left out. */
export type QueriesByVisit = ReadonlyMap<string, PatientQueries>

/** A question. The device gives it an id, unless it has one because files were taken for it. */
export type Question = Omit<QueryRaise, 'id' | 'projectId'> & Partial<Pick<QueryRaise, 'id'>>

/** A question that was asked, or why it could not be. */
export type RaisedQuery =
  | (Extract<LocalWrite, { readonly ok: true }> & { readonly id: string })
  | Extract<LocalWrite, { readonly ok: false }>

/** What a person does with a query. */
export type Deed = Pick<QueryDeed, 'act' | 'text' | 'category' | 'assignee' | 'seen' | 'files'>
