import { isCommonPassword } from './commonPasswords.ts'

/**
 * What a new password must be. Length counts most; no kinds of signs are asked for, and none runs out by itself (NIST
 * SP 800-63B).
 */

export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 200
/** An account that is this short stands in too many words. */
const SHORT_ACCOUNT = 4

export type PasswordProblem =
  | { readonly code: 'too_short'; readonly params: { readonly min: number } }
  | { readonly code: 'too_long'; readonly params: { readonly max: number } }
  | { readonly code: 'same_as_account' | 'common_password' }

/** Why a password may not be chosen; null where it may. */
export function passwordProblem(password: string, account: string): PasswordProblem | null {
  if (password.length < PASSWORD_MIN_LENGTH) return { code: 'too_short', params: { min: PASSWORD_MIN_LENGTH } }
  if (password.length > PASSWORD_MAX_LENGTH) return { code: 'too_long', params: { max: PASSWORD_MAX_LENGTH } }
  if (namesAccount(password.toLowerCase(), account.trim().toLowerCase())) return { code: 'same_as_account' }
  return isCommonPassword(password) ? { code: 'common_password' } : null
}

/** Whether the account's name is in it; of a short one, whether nothing else is but digits and signs. */
function namesAccount(password: string, account: string): boolean {
  if (account === '') return false
  if (account.length >= SHORT_ACCOUNT) return password.includes(account)
  const [letters, name] = [password.replaceAll(/[\d\W_]/gu, ''), account.replaceAll(/[\d\W_]/gu, '')]
  return letters !== '' && name !== '' && letters.replaceAll(name, '') === ''
}
