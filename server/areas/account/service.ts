import type { AccountLine } from '#core/api/calls/user.ts'
import type { Page } from '#core/wire/shapes.ts'
import { fail } from '#core/api/errors.ts'
import * as store from '#server/areas/account/store.ts'
import { checkNewPassword, hashPassword } from '#server/areas/auth/password.ts'
import { endSessionsOfUser } from '#server/areas/auth/store.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Accounts, as an administrator manages them. Each act is in the system's trail, with its reason. */

export async function listAccounts({ services, query }: CallContext<'user.list'>): Promise<Page<AccountLine>> {
  return withConnection(services.pool, (connection) =>
    readPage(query, (window) =>
      store.listAccounts(connection, { account: query.account ?? null, now: services.now(), ...window }),
    ),
  )
}

/** Disables an account with all its sessions, or enables it again. */
export async function setStatus(context: Write<'user.status'>): Promise<boolean> {
  const { services, body } = context
  const { userId, status, reason } = body
  return runOnce(context, { projectId: null, entityId: userId }, async (transaction, stampAs) => {
    const old = await lockOther(transaction, context.actor, userId)
    await store.setAccountStatus(transaction, userId, status)
    const ended =
      status === 'disabled' ? await endSessionsOfUser(transaction, userId, 'account_disabled', services.now()) : 0
    const action = status === 'disabled' ? 'user.disable' : 'user.enable'
    const row = { action, old: old.status, new: { userId, account: old.account, status, ended }, reasonText: reason }
    return { committed: await commitSystem(transaction, stampAs('ADMIN'), [row]), result: true }
  })
}

/** Ends all sessions of an account. */
export async function endAllSessions(context: Write<'user.endSessions'>): Promise<{ ended: number }> {
  const { services, body } = context
  const { userId, reason } = body
  return runOnce(context, { projectId: null, entityId: userId }, async (transaction, stampAs) => {
    const { account } = await lockKnown(transaction, userId)
    const ended = await endSessionsOfUser(transaction, userId, 'session_revoked', services.now())
    const row = { action: 'user.end_sessions', new: { userId, account, ended }, reasonText: reason }
    return { committed: await commitSystem(transaction, stampAs('ADMIN'), [row]), result: { ended } }
  })
}

/** Gives an account a password that its owner has to change at their next sign-in. */
export async function resetPassword(context: Write<'user.resetPassword'>): Promise<boolean> {
  const { services, actor, body } = context
  const { userId, reason } = body
  const { account } = await withConnection(services.pool, (connection) => findOther(connection, actor, userId))
  checkNewPassword(body.password, account, 'password')
  const passwordHash = await hashPassword(body.password)
  return runOnce(
    context,
    { projectId: null, entityId: userId, secrets: ['password'] },
    async (transaction, stampAs) => {
      await lockOther(transaction, actor, userId)
      await store.setTemporaryPassword(transaction, userId, passwordHash)
      const ended = await endSessionsOfUser(transaction, userId, 'password_changed', services.now())
      const row = { action: 'user.password_reset', new: { userId, account, ended }, reasonText: reason }
      return { committed: await commitSystem(transaction, stampAs('ADMIN'), [row]), result: true }
    },
  )
}

async function lockKnown(transaction: Queryable, userId: string): Promise<store.KnownAccount> {
  const known = await store.findAccount(transaction, userId, 'lock')
  if (known === null) throw fail('not_found')
  return known
}

/** An administrator cannot disable their own account. So at least one administrator always remains. */
async function lockOther(transaction: Queryable, actor: Actor, userId: string): Promise<store.KnownAccount> {
  if (userId === actor.userId) throw fail('forbidden')
  return lockKnown(transaction, userId)
}

async function findOther(connection: Queryable, actor: Actor, userId: string): Promise<store.KnownAccount> {
  if (userId === actor.userId) throw fail('forbidden')
  const known = await store.findAccount(connection, userId, 'look')
  if (known === null) throw fail('not_found')
  return known
}
