import type { Pool } from 'pg'
import type { ShownQuery } from './answerHand.ts'
import type { Door } from './network.ts'
import type { Remains, ShownPage } from './remains.ts'
import type { PageOf, SimTablet } from './simTablet.ts'
import type { Hold } from './statements.ts'
import type { ServerEnd } from './steps.ts'

/** What a history needs of a ward beside what people do at its tablets, whatever the ward is made of. */

/** Somebody with an account. */
export interface Account {
  readonly userId: string
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
}

/** The server of a ward, with what is behind it. */
export interface SimServer {
  /** Who may do everything in the database: for setting the scene. */
  readonly owner: Pool
  /** The server's clock, in ms since the epoch. */
  readonly now: number
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** A request arrives. Rejects where the server ends before it has answered. */
  readonly door: Door
  /** A session as a sign-in makes it. Gives its token. */
  token(account: Account, deviceId: string | null): Promise<string>
  /** Whether the chain of the audit trail of a project holds, and where it is broken first. */
  chain(projectId: string): Promise<{ readonly holds: boolean; readonly firstBroken: number | null }>
  /** A new history begins, where its time does. */
  begin(): void
  /** Time passes. */
  /** The round that a server makes by itself each minute. */
  keepHouse(): Promise<void>
  pass(ms: number): Promise<void>
  /** Where the server can be made to end, or to wait. */
  statements(): Promise<Interruptions>
  backUp(): Promise<void>
  /** Gives whether there was a copy to put back. */
  restore(): Promise<boolean>
}

/** What can be done to a server in the middle of its work. */
export interface Interruptions {
  /** It ends at its nth statement from now, or at the next commit of a write from there. */
  endAfter(statements: number, how: ServerEnd): void
  /** Its nth statement from now does not get its lock in time. */
  busyAfter(statements: number): void
  /** The next commit of a write waits until it is let go. Null where nobody can hold it. */
  holdCommit(): Hold | null
  /** The next pull of a center waits, once the server has looked what there is. Null where that cannot be arranged. */
  holdPull(): Hold | null
  /** Nothing more befalls it. */
  calm(): void
}

/** A tablet as those see it who bring a history to its end and judge it. */
export interface WardTablet extends SimTablet {
  /** As the server knows it. */
  readonly deviceId: string
  /** Nothing goes wrong any more. */
  heal(): Promise<void>
  /** What was given up on its way arrives. */
  deliverLate(): Promise<void>
  /** Whether whoever is at work has all keys of the center. */
  hasKeys(): Promise<boolean>
  /** Accounts of those in whose name something is on the tablet that is not sent yet. */
  whoLeftWork(): Promise<readonly string[]>
  /** Whoever is at work takes what the server refused as unusable out of the way, with a reason. */
  setAsideRefused(): Promise<boolean>
  /** What is to be sent, as a text that differs where that differs. */
  outbox(): Promise<string>
  remains(): Promise<Remains>
  /** The page as the person at the tablet would see it. */
  shown(page: PageOf): Promise<ShownPage | null>
  /** A patient's queries as the person at the tablet would see them. */
  shownQueries(patientId: string): Promise<readonly ShownQuery[] | null>
  /** Thrown away with all that is on it. */
  discard(): Promise<void>
}
