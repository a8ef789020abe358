import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { filledText, id, text } from '#core/wire/shapes.ts'

/** Sign-in, tokens, the signed-in user, buttons (specification §7 Auth), in the shapes of the BladeX family. */

/** Raw OAuth2 answer. `refresh_token` is empty for our own client, which gets it as an HttpOnly cookie. */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  refresh_token: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  scope: z.string(),
  tenant_id: z.string(),
  user_id: z.string(),
  dept_id: z.string(),
  post_id: z.string(),
  role_id: z.string(),
  oauth_id: z.string(),
  account: z.string(),
  user_name: z.string(),
  real_name: z.string(),
  nick_name: z.string(),
  /** Comma-separated: `administrator` or `user`. */
  role_name: z.string(),
  avatar: z.string(),
  client_id: z.string(),
  detail: z.object({ type: z.string() }),
  license: z.string(),
  jti: z.string(),
  /** The password must be changed before anything else. */
  must_change_password: z.boolean(),
})
export type TokenAnswer = z.infer<typeof tokenAnswer>

export const userInfo = z.object({
  userId: id,
  account: z.string(),
  realName: z.string(),
  avatar: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  roles: z.array(z.string()),
  isAdmin: z.boolean(),
  mustChangePassword: z.boolean(),
  /** The app shows this person around: only where the server has a demo. Absent for everybody else. */
  guided: z.exactOptional(z.boolean()),
})
export type UserInfo = z.infer<typeof userInfo>

const AUTH = 'server/areas/auth'

export const authCalls = [
  defineCall({
    id: 'auth.token',
    area: 'auth',
    method: 'POST',
    path: '/blade-auth/oauth/token',
    summary:
      'Sign in (password or captcha), or refresh. Parameters in the query or the form body; a password only in the body.',
    auth: 'none',
    query: z.object({
      tenantId: z.optional(text(20)),
      username: z.optional(text(100)),
      grant_type: z.optional(text(40)),
      scope: z.optional(text(40)),
      type: z.optional(text(40)),
      refresh_token: z.optional(text(400)),
      password: z.optional(text(400)),
      source: z.optional(text(40)),
      code: z.optional(text(400)),
      state: z.optional(text(400)),
      phone: z.optional(text(40)),
    }),
    body: z.optional(
      z.object({
        tenantId: z.optional(text(20)),
        username: z.optional(text(100)),
        password: z.optional(text(400)),
        grant_type: z.optional(text(40)),
        scope: z.optional(text(40)),
        type: z.optional(text(40)),
        refresh_token: z.optional(text(400)),
      }),
    ),
    data: tokenAnswer,
    answer: 'raw',
    write: false,
    errors: [
      'invalid_credentials',
      'captcha_wrong',
      'account_locked',
      'account_disabled',
      'session_revoked',
      'password_changed',
      'device_blocked',
      'client_unknown',
      'invalid',
    ],
    servedBy: AUTH,
  }),
  defineCall({
    id: 'auth.captcha',
    area: 'auth',
    method: 'GET',
    path: '/blade-auth/oauth/captcha',
    summary:
      'A picture of five characters as a data URI, and the key to send back with them; with way=work a sum for the device to work out instead (core/access/captchaWork.ts).',
    auth: 'none',
    query: z.object({ way: z.optional(z.enum(['picture', 'work'])) }),
    data: z.object({ key: z.string(), image: z.string(), workBits: z.optional(z.int()) }),
    answer: 'raw',
    servedBy: AUTH,
  }),
  defineCall({
    id: 'auth.logout',
    area: 'auth',
    method: 'GET',
    path: '/blade-auth/oauth/logout',
    summary: 'Ends the session of the token. Nothing on a device is touched.',
    data: z.object({ success: z.boolean(), msg: z.string() }),
    answer: 'raw',
    servedBy: AUTH,
  }),
  defineCall({
    id: 'auth.userInfo',
    area: 'auth',
    method: 'GET',
    path: '/blade-auth/oauth/user-info',
    summary: 'The signed-in user.',
    data: userInfo,
    servedBy: AUTH,
  }),
  defineCall({
    id: 'auth.changePassword',
    area: 'auth',
    method: 'POST',
    path: '/edc/user/password',
    summary: 'Changes the own password; ends the other sessions of the user.',
    body: z.object({ oldPassword: filledText(400), newPassword: filledText(400) }),
    data: z.boolean(),
    errors: ['invalid_credentials', 'invalid'],
    servedBy: AUTH,
  }),
]
