import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_MAX_LENGTH, passwordProblem } from '#core/access/passwordRules.ts'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'

/** Passwords: Argon2id with the package's defaults (19 MiB, 2 passes). */

export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** Whether the password matches the hash. Without a hash the answer is no, after the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > PASSWORD_MAX_LENGTH) return false
  const matches = await verify(stored ?? (await nobodysHash()), password)
  return stored !== null && matches
}

let nobodys: Promise<string> | undefined

/** The hash of a password that nobody has. */
async function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(newId())
  return nobodys
}

/**
 * @param path the field that held the password, for the error
 * @throws ApiFailure `invalid` for a password that may not be chosen
 */
export function checkNewPassword(password: string, account: string, path: string): void {
  const problem = passwordProblem(password, account)
  if (problem !== null) throw fail('invalid', { fields: [{ path, ...problem }] })
}
