import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { verifyPassword } from '#server/areas/auth/password.ts'
import { findUserById } from '#server/areas/auth/store.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/**
 * Failed passwords. After five failures of an account in one place the next try has to wait, each time twice as long.
 * A place is an address, a device that the account's owner has used, or a session. So a stranger locks out only
 * themselves: the owner can sign in and sign on their tablet, whatever others try elsewhere
 * (docs/adr/0034-sessions-and-rights.md).
 */

/**
 * How long failures count in the place where they were made. For an address or an account as a whole they count for a
 * shorter time.
 */
export const WINDOW_MS = 2 * 3_600_000
const WIDE_WINDOW_MS = 30 * 60_000
const FREE_TRIES = 5
/**
 * The failures that an address may have with many accounts. A ward's tablets share one address, so the limit is
 * higher. Known devices do not count here.
 */
const FREE_TRIES_OF_ADDRESS = 50
const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 30 * 60_000
/** From this number of failures on the sign-in asks for a captcha. */
const CAPTCHA_AFTER_HERE = 3
const CAPTCHA_AFTER_ADDRESS = 10
/** Failures of an account in all places together, because an attacker with many addresses has tries in each. */
const CAPTCHA_AFTER_ACCOUNT = 20

/** Where somebody tries a password. */
export interface AttemptOrigin {
  readonly ip: string
  /** A device that its browser proves to be and that the account's owner has used; null otherwise. */
  readonly knownDevice: string | null
}

/** Accounts are compared without regard to case, because people type them in either. */
export function accountKey(account: string): string {
  return account.trim().toLowerCase()
}

/**
 * Books an attempt as failed before the password is checked, so that many attempts at once cannot exceed the limit;
 * `forgiveAttempts` removes it after a success.
 *
 * @throws ApiFailure `account_locked`, with how long to wait
 */
export async function bookAttempt(services: Services, account: string, place: AttemptOrigin): Promise<void> {
  await book(services, account, placeText(place), place.knownDevice === null ? place.ip : null, place.ip)
}

/** Whether the next sign-in needs a captcha. */
export async function needsCaptcha(services: Services, account: string, place: AttemptOrigin): Promise<boolean> {
  const { here, address, everywhere } = await withTransaction(services.pool, (transaction) =>
    countFailures(transaction, services, account, placeText(place), place.ip),
  )
  const isKnown = place.knownDevice !== null
  return (
    here.count >= CAPTCHA_AFTER_HERE ||
    (!isKnown && (address.count >= CAPTCHA_AFTER_ADDRESS || everywhere >= CAPTCHA_AFTER_ACCOUNT))
  )
}

/** After the right password, earlier failures in this place no longer count. */
export async function forgiveAttempts(
  transaction: Queryable,
  services: Services,
  account: string,
  place: AttemptOrigin,
): Promise<void> {
  await forgive(transaction, services, account, placeText(place))
}

/**
 * Verifies a signed-in person's own password, as signing and changing it require. Its failures count separately, for
 * everybody who is signed in with the account.
 *
 * @throws ApiFailure `account_locked`, `invalid_credentials`
 */
export async function confirmPassword(services: Services, actor: Actor, password: string, ip: string): Promise<void> {
  await book(services, actor.account, SIGNED_IN, null, ip)
  const user = await withTransaction(services.pool, (transaction) => findUserById(transaction, actor.userId))
  if (!(await verifyPassword(user?.passwordHash ?? null, password))) throw fail('invalid_credentials')
  await withTransaction(services.pool, (transaction) => forgive(transaction, services, actor.account, SIGNED_IN))
}

const SIGNED_IN = 'signed in'

function placeText({ ip, knownDevice }: AttemptOrigin): string {
  return knownDevice === null ? `address ${ip}` : `device ${knownDevice}`
}

/**
 * @param bound the address for which the failure counts too; null where it does not
 */
async function book(
  services: Services,
  account: string,
  place: string,
  bound: string | null,
  ip: string,
): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    // Attempts on one account take turns for the duration of these two statements.
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`attempt|${accountKey(account)}`])
    const { here, address } = await countFailures(transaction, services, account, place, ip)
    const until = Math.max(waitUntil(here, FREE_TRIES), bound === null ? 0 : waitUntil(address, FREE_TRIES_OF_ADDRESS))
    const left = until - Date.parse(services.now())
    if (left > 0) throw fail('account_locked', { retryAfterSeconds: Math.ceil(left / 1000) })
    await transaction.query('INSERT INTO login_failure (id, account_key, ip, place, at) VALUES ($1, $2, $3, $4, $5)', [
      newId(),
      accountKey(account),
      ip,
      place,
      services.now(),
    ])
  })
}

async function forgive(transaction: Queryable, services: Services, account: string, place: string): Promise<void> {
  await transaction.query('DELETE FROM login_failure WHERE (account_key = $1 AND place = $2) OR at < $3', [
    accountKey(account),
    place,
    windowStart(services),
  ])
}

interface Failures {
  readonly count: number
  /** The time of the last failure; null where there is none. */
  readonly last: string | null
}

/** The instant from which the next try is accepted. */
function waitUntil({ count, last }: Failures, free: number): number {
  if (count < free || last === null) return 0
  return Date.parse(last) + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(count - free, 20))
}

async function countFailures(
  transaction: Queryable,
  services: Services,
  account: string,
  place: string,
  ip: string,
): Promise<{ readonly here: Failures; readonly address: Failures; readonly everywhere: number }> {
  const { rows } = await transaction.query<{
    here: number
    here_last: string | null
    address: number
    address_last: string | null
    everywhere: number
  }>({
    name: 'login_failures',
    text: `
      SELECT h.count AS here, h.last AS here_last, a.count AS address, a.last AS address_last, e.count AS everywhere
      FROM (SELECT count(*), max(at) AS last FROM login_failure WHERE account_key = $1 AND place = $2 AND at > $4) AS h,
        (SELECT count(*), max(at) AS last FROM login_failure WHERE ip = $3 AND place = 'address ' || $3 AND at > $5) AS a,
        (SELECT count(*) FROM login_failure WHERE account_key = $1 AND at > $5) AS e`,
    values: [
      accountKey(account),
      place,
      ip,
      windowStart(services),
      new Date(Date.parse(services.now()) - WIDE_WINDOW_MS).toISOString(),
    ],
  })
  const [row] = rows
  return {
    here: { count: row?.here ?? 0, last: row?.here_last ?? null },
    address: { count: row?.address ?? 0, last: row?.address_last ?? null },
    everywhere: row?.everywhere ?? 0,
  }
}

function windowStart(services: Services): string {
  return new Date(Date.parse(services.now()) - WINDOW_MS).toISOString()
}
