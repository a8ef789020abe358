import type { DataOf } from '#core/api/call.ts'
import { noticeGroups } from '#core/api/noticeKinds.ts'
import type { NoticeGroup } from '#core/api/noticeKinds.ts'
import { fail } from '#core/api/errors.ts'
import { SILENCEABLE, settingsOver } from '#core/api/noticeSettings.ts'
import type { NoticeSetting, NoticeWay, WayState } from '#core/api/noticeSettings.ts'
import type { CallOf } from '#core/api/table.ts'
import type { MessageSettings } from '#server/areas/message/settings.ts'
import { addressFor } from '#server/areas/message/store.ts'
import { findReach, findSettings, lockAccount, putSettings } from '#server/areas/noticeWays/store.ts'
import type { Reach } from '#server/areas/noticeWays/store.ts'
import { commitSystem } from '#server/database/commit.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/** How a person wants to be told: each sets it for themselves, and it is in the system's trail. */

type Settings = DataOf<CallOf<'notice.settings'>>

/** The settings of who asks, and which ways can reach them. */
export async function readSettings({ services, actor }: CallContext<'notice.settings'>): Promise<Settings> {
  return withConnection(services.pool, async (connection) => {
    const reach = await findReach(connection, actor.userId)
    const { messages } = services.config
    return {
      ways: { email: wayOf('email', messages, reach), note: wayOf('note', messages, reach) },
      groups: settingsOver(await findSettings(connection, actor.userId)),
    }
  })
}

/**
 * Sets how who asks is told. What is not named stays as it is.
 *
 * @throws ApiFailure invalid for what cannot be set, or silenced
 */
export function changeSettings(context: Write<'notice.setSettings'>): Promise<boolean> {
  const { actor, body } = context
  return runOnce(context, { projectId: null, entityId: actor.userId }, async (transaction, stampAs) => {
    const wanted = Object.entries(body.groups)
    for (const [group, setting] of wanted) requireSettable(group, setting)
    await lockAccount(transaction, actor.userId)
    const before = settingsOver(await findSettings(transaction, actor.userId))
    await putSettings(transaction, actor.userId, wanted)
    const old = Object.fromEntries(Object.entries(before).filter(([group]) => body.groups[group] !== undefined))
    const row = { action: 'user.notice_settings', old, new: body.groups }
    return { committed: await commitSystem(transaction, stampAs(null), [row]), result: true }
  })
}

function requireSettable(group: string, { app }: NoticeSetting): void {
  const known = noticeGroups.find((one) => one === group)
  if (known === undefined) throw fail('invalid', { fields: [{ path: `body.groups.${group}`, code: 'unknown' }] })
  if (app === 'never' && !isSilenceable(known))
    throw fail('invalid', { fields: [{ path: `body.groups.${group}.app`, code: 'not_allowed' }] })
}

function isSilenceable(group: NoticeGroup): boolean {
  return SILENCEABLE.has(group)
}

/** Whether a way can reach a person. */
export function wayOf(way: NoticeWay, settings: MessageSettings, reach: Reach | null): WayState {
  if (settings[way] === null) return 'not_set_up'
  return reach === null || reachBy(way, reach) === null ? 'no_address' : 'ready'
}

/** Where a person is reached by a way; null where their account names nothing that can be written to. */
export function reachBy(way: NoticeWay, { phone, email }: Reach): string | null {
  return addressFor(way, { mobile: phone, email })
}
