import type { UserInfo } from '#core/api/calls/auth.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { confirmPassword } from '#server/areas/auth/attempts.ts'
import { checkNewPassword, hashPassword } from '#server/areas/auth/password.ts'
import * as store from '#server/areas/auth/store.ts'
import { roleOf } from '#server/areas/auth/tokens.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce, stampOf } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/** The signed-in user: who they are, signing out, changing the password. */

export async function readUserInfo(context: CallContext<'auth.userInfo'>): Promise<UserInfo> {
  const user = await withConnection(context.services.pool, (connection) =>
    store.findUserById(connection, context.actor.userId),
  )
  if (user === null) throw fail('unauthenticated')
  const { id: userId, account, realName, avatar, phone, email, isAdmin, mustChangePassword } = user
  const info = { userId, account, realName, avatar, phone, email, roles: [roleOf(user)], isAdmin, mustChangePassword }
  return user.isDemo && context.services.config.demoGuide ? { ...info, guided: true } : info
}

/** Ends the session. Nothing on a device changes: unsent work stays there. */
export async function signOut(context: CallContext<'auth.logout'>): Promise<void> {
  const { services, actor, acted, ip, call } = context
  const now = services.now()
  await withTransaction(services.pool, async (transaction) => {
    await store.endSession(transaction, actor.sessionId, now)
    const stamp = stampOf({ actor, acted, ip, call, key: null, receivedAt: now }, null)
    await commitSystem(transaction, stamp, [{ action: 'user.logout' }])
  })
  context.http.setRefreshCookie('', 0)
}

/** Changes the user's own password and ends their other sessions. */
export async function changePassword(context: CallContext<'auth.changePassword'>): Promise<boolean> {
  const { services, actor, body } = context
  await confirmUnlessBooked(context)
  checkNewPassword(body.newPassword, actor.account, 'newPassword')
  if (body.newPassword === body.oldPassword)
    throw fail('invalid', { fields: [{ path: 'newPassword', code: 'unchanged' }] })
  const passwordHash = await hashPassword(body.newPassword)
  return runOnce(
    context,
    { projectId: null, secrets: ['oldPassword', 'newPassword'] },
    async (transaction, stampAs) => {
      await store.setPassword(transaction, actor.userId, passwordHash)
      await store.endOtherSessions(transaction, actor.userId, actor.sessionId, services.now())
      return {
        committed: await commitSystem(transaction, stampAs(null), [{ action: 'user.password_change' }]),
        result: true,
      }
    },
  )
}

/**
 * A repeated call comes with a password that is the old one by now. Then the key decides, and nothing is done again.
 */
async function confirmUnlessBooked(context: CallContext<'auth.changePassword'>): Promise<void> {
  const { services, actor, ip, key, body } = context
  if (await isBooked(services, key)) return
  try {
    await confirmPassword(services, actor, body.oldPassword, ip)
  } catch (error) {
    const wrong = error instanceof ApiFailure && error.error.code === 'invalid_credentials'
    // A call with the same key may have finished in between.
    if (!wrong || !(await isBooked(services, key))) throw error
  }
}

async function isBooked(services: Services, key: string): Promise<boolean> {
  return withConnection(services.pool, async (connection) => {
    const { rowCount } = await connection.query('SELECT FROM operation WHERE key = $1', [key])
    return rowCount === 1
  })
}
