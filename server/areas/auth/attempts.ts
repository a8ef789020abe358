import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { verifyPassword } from '#server/areas/auth/password.ts'
import { findUserById } from '#server/areas/auth/store.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/** Failed passwords: after 5 of an account, or 50 from an address, within 30 minutes no more are tried (CONTRACT-FACTS §3). */

export const WINDOW_MS = 30 * 60_000
const ACCOUNT_LIMIT = 5
const IP_LIMIT = 50
/** From here on the sign-in asks for a captcha. A ward's tablets share an address, so it bears more than an account. */
const CAPTCHA_AFTER_ACCOUNT = 3
const CAPTCHA_AFTER_IP = 10

/** Accounts are compared as people type them: without regard to case. */
export function accountKey(account: string): string {
  return account.trim().toLowerCase()
}

/**
 * Books an attempt as failed before the password is looked at, so that many at once cannot outrun the limit; `forgiveAttempts`
 * takes it back after a success.
 *
 * @throws ApiFailure `account_locked`
 */
export async function bookAttempt(services: Services, account: string, ip: string): Promise<void> {
  await withTransaction(services.pool, async (transaction) => {
    // Attempts on one account take turns for the length of these two statements.
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`attempt|${accountKey(account)}`])
    const counts = await countFailures(transaction, services, account, ip)
    if (counts.account >= ACCOUNT_LIMIT || counts.ip >= IP_LIMIT) throw fail('account_locked')
    await transaction.query('INSERT INTO login_failure (id, account_key, ip, at) VALUES ($1, $2, $3, $4)', [
      newId(),
      accountKey(account),
      ip,
      services.now(),
    ])
  })
}

/** Whether the next sign-in needs a captcha. */
export async function needsCaptcha(services: Services, account: string, ip: string): Promise<boolean> {
  const counts = await withTransaction(services.pool, (transaction) => countFailures(transaction, services, account, ip))
  return counts.account >= CAPTCHA_AFTER_ACCOUNT || counts.ip >= CAPTCHA_AFTER_IP
}

/** The right password was given: the account's failures are forgotten. */
export async function forgiveAttempts(transaction: Queryable, services: Services, account: string): Promise<void> {
  await transaction.query('DELETE FROM login_failure WHERE account_key = $1 OR at < $2', [accountKey(account), windowStart(services)])
}

/**
 * Verifies a signed-in person's own password, as signing and changing it ask for; failures count like those of a sign-in.
 *
 * @throws ApiFailure `account_locked`, `invalid_credentials`
 */
export async function confirmPassword(services: Services, actor: Actor, password: string, ip: string): Promise<void> {
  await bookAttempt(services, actor.account, ip)
  const user = await withTransaction(services.pool, (transaction) => findUserById(transaction, actor.userId))
  if (!(await verifyPassword(user?.passwordHash ?? null, password))) throw fail('invalid_credentials')
  await withTransaction(services.pool, (transaction) => forgiveAttempts(transaction, services, actor.account))
}

async function countFailures(
  transaction: Queryable,
  services: Services,
  account: string,
  ip: string,
): Promise<{ readonly account: number; readonly ip: number }> {
  const { rows } = await transaction.query<{ account: number; ip: number }>({
    name: 'login_failures',
    text: `
      SELECT (SELECT count(*) FROM login_failure WHERE account_key = $1 AND at > $3) AS account,
        (SELECT count(*) FROM login_failure WHERE ip = $2 AND at > $3) AS ip`,
    values: [accountKey(account), ip, windowStart(services)],
  })
  return rows[0] ?? { account: 0, ip: 0 }
}

function windowStart(services: Services): string {
  return new Date(Date.parse(services.now()) - WINDOW_MS).toISOString()
}
