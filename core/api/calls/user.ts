import * as z from 'zod/mini'
import { defineCall } from '#core/api/call.ts'
import { filledText, id, instant, paging, text } from '#core/wire/shapes.ts'

/** Accounts in the hands of an administrator, by the names of the BladeX family where it has them. */

const USER = 'server/areas/account'

export const accountStatuses = ['active', 'disabled'] as const

/** An account as administrators see it. */
export const accountLine = z.object({
  id,
  account: z.string(),
  realName: z.string(),
  phone: z.nullable(z.string()),
  isAdmin: z.boolean(),
  status: z.enum(accountStatuses),
  /** The next sign-in has to choose another password. */
  mustChangePassword: z.boolean(),
  lastLoginTime: z.nullable(instant),
  /** Sign-ins that are not over. */
  sessions: z.int(),
})
export type AccountLine = z.infer<typeof accountLine>

const byReason = { userId: id, reason: filledText(2000) }

export const userCalls = [
  defineCall({
    id: 'user.list',
    area: 'user',
    method: 'GET',
    path: '/blade-user/list',
    summary: 'Accounts by name, with their status and how many sign-ins of theirs are open.',
    auth: 'admin',
    query: z.object({ account: z.optional(text(100)), ...paging }),
    data: accountLine,
    answer: 'page',
    servedBy: USER,
  }),
  defineCall({
    id: 'user.status',
    area: 'user',
    method: 'POST',
    path: '/blade-user/status',
    summary:
      'Disables an account, which ends its sessions, or enables it again. What its owner did and had not sent stays theirs: it is taken in for a decision. Never the own account.',
    auth: 'admin',
    body: z.object({ ...byReason, status: z.enum(accountStatuses) }),
    data: z.boolean(),
    errors: ['forbidden', 'not_found'],
    servedBy: USER,
  }),
  defineCall({
    id: 'user.endSessions',
    area: 'user',
    method: 'POST',
    path: '/blade-user/end-sessions',
    summary: 'Ends all sessions of an account; says how many sign-ins that were.',
    auth: 'admin',
    body: z.object(byReason),
    data: z.object({ ended: z.int() }),
    errors: ['not_found'],
    servedBy: USER,
  }),
  defineCall({
    id: 'user.resetPassword',
    area: 'user',
    method: 'POST',
    path: '/blade-user/reset-password',
    summary:
      'Gives an account a temporary password, which has to be changed at the next sign-in, and ends its sessions. Never the own account.',
    auth: 'admin',
    body: z.object({ ...byReason, password: filledText(400) }),
    data: z.boolean(),
    errors: ['invalid', 'forbidden', 'not_found'],
    servedBy: USER,
  }),
]
