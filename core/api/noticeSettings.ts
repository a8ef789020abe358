import * as z from 'zod/mini'
import { noticeGroups } from './noticeKinds.ts'
import type { NoticeGroup } from './noticeKinds.ts'

/** How a person is told of what asks them for something: in the app, and besides by e-mail and text message. */

export const appPaces = ['at_once', 'never'] as const
export const messagePaces = ['at_once', 'daily', 'never'] as const
export type MessagePace = (typeof messagePaces)[number]
/** Ways that leave the app: an e-mail, and a text message (`note`, as in messages to patients). */
export const noticeWays = ['email', 'note'] as const
export type NoticeWay = (typeof noticeWays)[number]

export const noticeSetting = z.object({
  app: z.enum(appPaces),
  email: z.enum(messagePaces),
  note: z.enum(messagePaces),
})
export type NoticeSetting = z.infer<typeof noticeSetting>

/** Whether a way can be used: the operator has not set it up, or the person's account has no address for it. */
export const wayStates = ['ready', 'not_set_up', 'no_address'] as const
export type WayState = (typeof wayStates)[number]

/** What asks for nothing may be silenced in the app; what asks for something may not be overlooked there. */
export const SILENCEABLE: ReadonlySet<NoticeGroup> = new Set<NoticeGroup>(['release', 'assigned', 'export_ended'])

/** What waits for a person on some day is told of in the morning, unless they want it otherwise. */
const BY_DAILY_MAIL: ReadonlySet<NoticeGroup> = new Set<NoticeGroup>([
  'query_site',
  'query_review',
  'query_overdue',
  'conflict',
  'inbox',
  'export_waits',
])

/** What holds for who has said nothing. */
export function usualSetting(group: NoticeGroup): NoticeSetting {
  return { app: 'at_once', email: BY_DAILY_MAIL.has(group) ? 'daily' : 'never', note: 'never' }
}

/** All settings: what was said, and what is usual where nothing was. */
export function settingsOver(said: ReadonlyMap<string, NoticeSetting>): Readonly<Record<NoticeGroup, NoticeSetting>> {
  const all = noticeGroups.map((group) => [group, said.get(group) ?? usualSetting(group)] as const)
  return Object.fromEntries(all) as Record<NoticeGroup, NoticeSetting>
}
