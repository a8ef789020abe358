import { DatabaseError as ServerReport } from 'pg'

/**
 * What can go wrong between the server and its database, as a closed union. Callers decide on `failure.kind`, never on
 * text.
 *
 * - `lock_timeout`, `statement_timeout`: waited too long; the same request may be tried again.
 * - `serialization`: a deadlock or a serialization conflict; `withTransaction` has already tried again.
 * - `unique`, `constraint`: the named constraint refused the row.
 * - `forbidden`: the role has no right to do this (audit rows are append-only).
 * - `full`: the disk of the database has no room; reading goes on.
 * - `unavailable`: no connection, or it broke, or the database takes no writes now. `outcome` is `unknown` when it
 *   broke during COMMIT: the effect may stand, which only the idempotency key can tell.
 * - `other`: a fault of ours; `sqlState` says which.
 */
export type DatabaseFailure =
  | { readonly kind: 'lock_timeout' }
  | { readonly kind: 'statement_timeout' }
  | { readonly kind: 'serialization' }
  | { readonly kind: 'unique'; readonly constraint: string }
  | { readonly kind: 'constraint'; readonly constraint: string }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'full' }
  | { readonly kind: 'unavailable'; readonly outcome: 'not_committed' | 'unknown' }
  | { readonly kind: 'other'; readonly sqlState: string }

/**
 * A failed statement or transaction. PostgreSQL's own message is not kept, because it quotes values ("Key (name)=(…)
 * already exists"). It is kept only for mistakes in the SQL itself (class 42), whose messages name only identifiers.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly failure: DatabaseFailure
  readonly sqlState: string | null
  readonly table: string | null

  constructor(failure: DatabaseFailure, report?: ServerReport) {
    super(messageOf(failure, report))
    this.failure = failure
    this.sqlState = report?.code ?? null
    this.table = report?.table ?? null
  }

  get kind(): DatabaseFailure['kind'] {
    return this.failure.kind
  }
}

/**
 * Turns what `pg` threw into a DatabaseError. Returns null for an error that is not the database's, which the caller
 * throws on unchanged. `pg` reports a broken connection as a bare Error: the code that holds the connection knows
 * that it broke, and passes `broken`.
 */
export function toDatabaseError(
  thrown: unknown,
  context: { readonly broken?: boolean; readonly outcome?: 'not_committed' | 'unknown' } = {},
): DatabaseError | null {
  const outcome = context.outcome ?? 'not_committed'
  if (thrown instanceof DatabaseError) return thrown
  if (thrown instanceof ServerReport) return new DatabaseError(failureOf(thrown, outcome), thrown)
  return context.broken === true || isSocketError(thrown) ? new DatabaseError({ kind: 'unavailable', outcome }) : null
}

function failureOf(report: ServerReport, outcome: 'not_committed' | 'unknown'): DatabaseFailure {
  const state = report.code ?? ''
  switch (state) {
    case '55P03':
      return { kind: 'lock_timeout' }
    case '57014':
      return { kind: 'statement_timeout' }
    case '40001':
    case '40P01':
      return { kind: 'serialization' }
    case '23505':
      return { kind: 'unique', constraint: report.constraint ?? '' }
    case '42501':
      return { kind: 'forbidden' }
    case '53100':
      return { kind: 'full' }
    default:
      if (state.startsWith('23')) return { kind: 'constraint', constraint: report.constraint ?? report.column ?? '' }
      return isUnavailable(state) ? { kind: 'unavailable', outcome } : { kind: 'other', sqlState: state }
  }
}

/**
 * Connection exceptions (08), shutdown and start-up (57P), idle sessions that were cut (25P03), a database in
 * recovery or otherwise read-only (25006), and resources that the database lacks for now: memory, connections (53).
 */
function isUnavailable(state: string): boolean {
  return (
    state.startsWith('08') ||
    state.startsWith('57P') ||
    state.startsWith('53') ||
    state === '25P03' ||
    state === '25006'
  )
}

function isSocketError(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.every(isSocketError)
  return (
    thrown instanceof Error &&
    'syscall' in thrown &&
    (thrown.syscall === 'connect' || thrown.syscall === 'read' || thrown.syscall === 'write')
  )
}

function messageOf(failure: DatabaseFailure, report: ServerReport | undefined): string {
  switch (failure.kind) {
    case 'unique':
    case 'constraint':
      return `database: ${failure.kind} ${failure.constraint}`
    case 'other':
      return `database: ${failure.sqlState}${failure.sqlState.startsWith('42') ? ` ${report?.message ?? ''}` : ''}`
    case 'unavailable':
      return `database: unavailable, outcome ${failure.outcome}`
    case 'lock_timeout':
    case 'statement_timeout':
    case 'serialization':
    case 'forbidden':
    case 'full':
      return `database: ${failure.kind}`
  }
}
