import { hash, verify } from '@node-rs/argon2'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'

/** Passwords: Argon2id with the package's defaults (19 MiB, 2 passes). */

const MIN_LENGTH = 8
const MAX_LENGTH = 200

export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** Whether the password is the one of the hash. Without a hash it takes as long and says no. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_LENGTH) return false
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
 * What a new password must be: 8 to 200 characters, and not the account's name.
 *
 * @param path the field that it came in, for the error
 * @throws ApiFailure `invalid`
 */
export function checkNewPassword(password: string, account: string, path: string): void {
  const problem = passwordProblem(password, account)
  if (problem !== null) throw fail('invalid', { fields: [{ path, ...problem }] })
}

function passwordProblem(
  password: string,
  account: string,
): { readonly code: string; readonly params?: Readonly<Record<string, number>> } | null {
  if (password.length < MIN_LENGTH) return { code: 'too_short', params: { min: MIN_LENGTH } }
  if (password.length > MAX_LENGTH) return { code: 'too_long', params: { max: MAX_LENGTH } }
  return password.toLowerCase() === account.toLowerCase() ? { code: 'same_as_account' } : null
}
