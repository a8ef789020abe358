import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '#core/ids.ts'
import { commitSystem } from '#server/database/commit.ts'
import { writeDurably } from '#server/database/secrets.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { accountKey } from '#server/areas/auth/attempts.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { insertUser } from '#server/areas/auth/store.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { takeFirstRunLock } from '#server/secrets.ts'
import type { Services } from '#server/services.ts'

/**
 * Accounts of the first run. There is no default password: a generated one is in a file that only its owner can read.
 */

const FILE_NAME = 'first-run-passwords.txt'
const ADMIN_ACCOUNT = 'admin'
/** Without characters that look alike, because people copy these by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 16

/** The file of generated passwords; null when none was generated. */
export function passwordFile(dataDir: string): string | null {
  const file = join(dataDir, FILE_NAME)
  return existsSync(file) ? file : null
}

/**
 * Makes the first administrator where there is none. Their password must be changed at the first sign-in, unless the
 * operator gave one that stays.
 */
export async function ensureAdministrator(services: Services): Promise<void> {
  const { adminPassword, keepAdminPassword } = services.config
  await withTransaction(services.pool, async (transaction) => {
    await takeFirstRunLock(transaction)
    const { rowCount } = await transaction.query('SELECT FROM app_user WHERE is_admin LIMIT 1')
    if (rowCount !== 0) return
    const password = adminPassword ?? (await keepGenerated(services.config.dataDir, ADMIN_ACCOUNT, generatePassword()))
    const id = newId()
    await insertUser(transaction, {
      id,
      account: ADMIN_ACCOUNT,
      accountKey: accountKey(ADMIN_ACCOUNT),
      realName: '系统管理员',
      phone: null,
      email: null,
      passwordHash: await hashPassword(password),
      mustChangePassword: adminPassword === null || !keepAdminPassword,
      isAdmin: true,
      isDemo: false,
    })
    await commitSystem(transaction, serverStamp(services), [
      { action: 'user.create', new: { id, account: ADMIN_ACCOUNT, isAdmin: true } },
    ])
  })
}

/** A password of 16 letters and digits, about 92 bits. */
export function generatePassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)] ?? '').join('')
}

/**
 * Writes the password down before the account exists. A crash in between leaves a line too many, but never an account
 * without a line.
 */
export async function keepGenerated(dataDir: string, account: string, password: string): Promise<string> {
  const file = join(dataDir, FILE_NAME)
  const lines = existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '') : []
  const others = lines.filter((line) => !line.startsWith(`${account}\t`))
  await writeDurably(file, `${[...others, `${account}\t${password}`].join('\n')}\n`)
  return password
}
