import { errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { TokenAnswer, UserInfo } from '#core/api/calls/auth.ts'
import { headers } from '#core/api/headers.ts'
import type { Result } from '#core/result.ts'

import type { Api } from './api.ts'
import type { SessionUser, SignInInput } from './types.ts'

/** Asking the server who somebody is. */

/** The shortest wait for the server before the device opens by itself. */
export const SIGN_IN_TIMEOUT_MS = 15_000

/** Sends account and password to the server. */
export function askToken(
  api: Api,
  { account, password, captcha }: SignInInput,
  timeoutMs = SIGN_IN_TIMEOUT_MS,
): Promise<Result<TokenAnswer, ApiError>> {
  return api.call('auth.token', {
    body: {
      tenantId: '000000',
      username: account,
      password,
      grant_type: captcha === null ? 'password' : 'captcha',
      scope: 'all',
      type: 'account',
    },
    headers: captcha === null ? {} : { [headers.captchaKey]: captcha.key, [headers.captchaCode]: captcha.code },
    timeoutMs,
  })
}

/**
 * How often a sign-in behind an open device is tried at once: over a weak link, one lost call would make a person type
 * the password again.
 */
const TRIES_AT_ONCE = 3

/** The same for a user who is already at work: where the connection breaks, it is tried again. */
export async function askTokenAgain(api: Api, input: SignInInput): Promise<Result<TokenAnswer, ApiError>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await askToken(api, input)
    if (answer.ok || answer.error.code !== 'offline' || tries >= TRIES_AT_ONCE) return answer
  }
}

/** Whether an answer says nothing about the account, because the server could not be reached. */
export function isSilent({ code }: ApiError): boolean {
  return errorKind(code) === 'transport' && code !== 'aborted'
}

export function userOf({ userId, account, realName, isAdmin }: UserInfo): SessionUser {
  return { userId, account, realName, isAdmin }
}
