import { errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { TokenAnswer, UserInfo } from '#core/api/calls.auth.ts'
import { headers } from '#core/api/headers.ts'
import type { Result } from '#core/result.ts'

import type { Api } from './api.ts'
import type { SessionUser, SignInInput } from './types.ts'

/** Asking the server who somebody is. */

/** The least wait for the server before the device opens by itself. */
export const SIGN_IN_TIMEOUT_MS = 15_000

/** Gives account and password to the server. */
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

/** Whether an answer says nothing of the account, because the server was not there to say it. */
export function isSilent({ code }: ApiError): boolean {
  return errorKind(code) === 'transport' && code !== 'aborted'
}

export function userOf({ userId, account, realName, isAdmin }: UserInfo): SessionUser {
  return { userId, account, realName, isAdmin }
}
