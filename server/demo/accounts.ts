import type { ProjectRole } from '#core/access/permissions.ts'
import { newId } from '#core/ids.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { accountKey } from '#server/areas/auth/attempts.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { findUserByKey, insertUser } from '#server/areas/auth/store.ts'
import { generatePassword, keepGenerated } from '#server/firstRun.ts'
import type { Actor } from '#server/http/handler.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { takeFirstRunLock } from '#server/secrets.ts'
import type { Services } from '#server/services.ts'

/** A person in the demo study. `center` is the index of their center; null is the whole project. */
interface DemoPerson {
  readonly account: string
  readonly realName: string
  readonly role: ProjectRole
  readonly center: 0 | 1 | 2 | null
  readonly status: 'active' | 'pause'
}

/** The people of the demo study. One monitor has handed over their work and is paused. */
export const demoPeople = [
  { account: 'pi', realName: '周主任', role: 'PI', center: 0, status: 'active' },
  { account: 'pm', realName: '吴项目', role: 'PM', center: null, status: 'active' },
  { account: 'cra', realName: '郑监查', role: 'CRA', center: null, status: 'active' },
  { account: 'cra2', realName: '冯监查', role: 'CRA', center: null, status: 'pause' },
  { account: 'crc', realName: '林协调', role: 'CRC', center: 0, status: 'active' },
  { account: 'crc2', realName: '何协调', role: 'CRC', center: 1, status: 'active' },
  { account: 'crc3', realName: '罗协调', role: 'CRC', center: 2, status: 'active' },
  { account: 'dbd', realName: '许数据', role: 'DBD', center: null, status: 'active' },
  { account: 'tester', realName: '高测试', role: 'CRC', center: 0, status: 'active' },
] as const satisfies readonly DemoPerson[]

/** The people who only work in the registry, the second study. */
export const registryPeople = [
  { account: 'tcmpi', realName: '顾主任' },
  { account: 'tcmcrc', realName: '叶协调' },
  { account: 'tcmcrc2', realName: '温协调' },
] as const

export type DemoAccount = (typeof demoPeople)[number]['account'] | (typeof registryPeople)[number]['account']

/**
 * Makes the demo's missing accounts. They share one password: `DEMO_PASSWORD`, or a generated one in the file of the
 * first run. Null when one of the names belongs to a real account; then this server has no demo.
 */
export async function ensureDemoAccounts(services: Services): Promise<ReadonlyMap<DemoAccount, Actor> | null> {
  return withTransaction(services.pool, async (transaction) => {
    await takeFirstRunLock(transaction)
    const people = new Map<DemoAccount, Actor>()
    let shared: string | null = null
    for (const { account, realName } of [...demoPeople, ...registryPeople]) {
      const known = await findUserByKey(transaction, accountKey(account))
      if (known !== null && !known.isDemo) return null
      const id = known?.id ?? newId()
      if (known === null) {
        shared ??= services.config.demoPassword ?? generatePassword()
        if (services.config.demoPassword === null) await keepGenerated(services.config.dataDir, account, shared)
        const passwordHash = await hashPassword(shared)
        const person = { id, account, accountKey: accountKey(account), realName, phone: null, email: null }
        await insertUser(transaction, {
          ...person,
          passwordHash,
          mustChangePassword: false,
          isAdmin: false,
          isDemo: true,
        })
        await commitSystem(transaction, serverStamp(services), [
          { action: 'user.create', new: { id, account, isDemo: true } },
        ])
      }
      people.set(account, {
        userId: id,
        account,
        realName,
        isAdmin: false,
        isDemo: true,
        sessionId: '',
        deviceId: null,
      })
    }
    return people
  })
}
