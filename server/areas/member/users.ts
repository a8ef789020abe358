import { fail } from '#core/api/errors.ts'
import type { Language } from '#core/language.ts'
import { newId } from '#core/ids.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { accountKey } from '#server/areas/auth/attempts.ts'
import { checkNewPassword, hashPassword } from '#server/areas/auth/password.ts'
import { insertUser } from '#server/areas/auth/store.ts'
import * as store from '#server/areas/member/store.ts'
import type { AnswerOf, CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** Accounts, and the accounts from which a member can be chosen. */

/** Creates an account; its first password must be changed at the first sign-in. */
export async function createUser(context: Write<'user.save'>): Promise<{ id: string }> {
  const { body } = context
  checkNewPassword(body.password, body.account, 'password')
  const passwordHash = await hashPassword(body.password)
  const id = newId()
  return runOnce(context, { projectId: null, entityId: null, secrets: ['password'] }, async (transaction, stampAs) => {
    const person = {
      id,
      account: body.account,
      realName: body.realName,
      phone: body.phone === undefined || body.phone === '' ? null : body.phone,
      email: body.email ?? null,
    }
    const made = await insertUser(transaction, {
      ...person,
      accountKey: accountKey(body.account),
      passwordHash,
      mustChangePassword: true,
      isAdmin: false,
      isDemo: false,
    })
    if (!made) throw fail('already_exists')
    return {
      committed: await commitSystem(transaction, stampAs('ADMIN'), [{ action: 'user.create', new: person }]),
      result: { id },
    }
  })
}

/** No account has a department (docs/adr/0040-what-the-contract-leaves-open.md): all are under one heading. */
const everybody: Readonly<Record<Language, string>> = { zh: '全部用户', en: 'All users' }

/** The accounts from which a member can be chosen, for those who manage a team. */
export async function listDepartments(context: CallContext<'member.deptUsers'>): Promise<AnswerOf<'member.deptUsers'>> {
  const { services, actor, language } = context
  return withTransaction(services.pool, async (transaction) => {
    if (!actor.isAdmin && !(await store.managesATeam(transaction, actor.userId))) throw fail('forbidden')
    const userList = await store.listUsers(transaction, { demo: actor.isDemo, all: actor.isAdmin })
    return [{ id: 'all', deptName: everybody[language], userList: [...userList] }]
  })
}
