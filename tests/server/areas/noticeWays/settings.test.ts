import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import { tellRelease } from '#server/areas/notice/store.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { createLog } from '#server/log.ts'
import { readMessages } from '#server/areas/message/settings.ts'
import { call, refusal } from '#tests/server/support/world.ts'
import type { World } from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Each sets for themselves by which ways they are told. */

const world = worldForEachTest()
const mailing = (): World => {
  const messages = readMessages({ ZHENGLU_SMTP_URL: 'smtp://127.0.0.1:25', ZHENGLU_SMTP_FROM: 'study@example.org' })
  return { ...plain(), services: { ...world.services, config: { ...world.services.config, messages } } }
}
const plain = (): World => ({
  database: world.database,
  services: { ...world.services, log: createLog({ level: 'silent', write: () => undefined }) },
  study: world.study,
  people: world.people,
  close: () => world.close(),
})
const own = (in_: World = plain()) => call(in_, world.people.lin, 'notice.settings')
const set = (groups: Parameters<typeof change>[0]) => change(groups)
const change = (
  groups: Record<string, { app: 'at_once' | 'never'; email: 'at_once' | 'daily' | 'never'; note: 'never' }>,
) => call(plain(), world.people.lin, 'notice.setSettings', { body: { groups } })

describe('how somebody is told', () => {
  it('is usual until they say otherwise: what waits for them by a daily e-mail, everything in the app', async () => {
    const { groups } = await own()
    expect(groups['conflict']).toEqual({ app: 'at_once', email: 'daily', note: 'never' })
    expect(groups['visit_due']).toEqual({ app: 'at_once', email: 'never', note: 'never' })
  })

  it('is what they said, and what they did not speak of stays; the trail of the system tells of it', async () => {
    await set({ conflict: { app: 'at_once', email: 'never', note: 'never' } })
    await set({ release: { app: 'never', email: 'at_once', note: 'never' } })
    const { groups } = await own()
    expect([groups['conflict']?.email, groups['release']?.app, groups['inbox']?.email]).toEqual([
      'never',
      'never',
      'daily',
    ])
    expect((await call(plain(), world.people.wu, 'notice.settings')).groups['conflict']?.email).toBe('daily')
    const { rows } = await world.database.ownerPool.query(
      `SELECT a.user_id, v.old_value AS old, v.new_value AS new FROM audit a JOIN audit_value v ON v.audit_id = a.id
       WHERE a.action = 'user.notice_settings' ORDER BY a.seq LIMIT 1`,
    )
    expect(rows).toEqual([
      {
        user_id: world.people.lin.userId,
        old: { conflict: { app: 'at_once', email: 'daily', note: 'never' } },
        new: { conflict: { app: 'at_once', email: 'never', note: 'never' } },
      },
    ])
  })

  it('cannot be silence in the app where something is asked for, nor be set for what nobody tells of', async () => {
    const silent = { app: 'never', email: 'never', note: 'never' } as const
    expect(await refusal(set({ conflict: silent }))).toBe('invalid')
    expect(await refusal(set({ weather: silent }))).toBe('invalid')
  })

  it('names the ways that can reach them, and why others cannot', async () => {
    expect((await own()).ways).toEqual({ email: 'not_set_up', note: 'not_set_up' })
    expect((await own(mailing())).ways).toEqual({ email: 'no_address', note: 'not_set_up' })
    await world.services.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [
      world.people.lin.userId,
      'lin@example.org',
    ])
    expect((await own(mailing())).ways).toEqual({ email: 'ready', note: 'not_set_up' })
  })
})

describe('what somebody wants none of in the app', () => {
  beforeEach(() =>
    withTransaction(world.services.pool, (transaction) =>
      tellRelease(transaction, {
        projectId: world.study.projectId,
        versionId: world.study.versionId,
        by: world.people.manager.userId,
        at: world.services.now(),
      }),
    ),
  )
  const list = async (status: string) =>
    (
      await call(plain(), world.people.lin, 'notice.list', {
        query: { kinds: ALL_NOTICE_KINDS, status, current: 1, size: 10 },
      })
    ).records

  it('is not counted at the bell, and stays in the list of all', async () => {
    expect(await list('0')).toHaveLength(1)
    await set({ release: { app: 'never', email: 'never', note: 'never' } })
    expect(await list('0')).toEqual([])
    expect(await list('1')).toMatchObject([{ kind: 'release', read: true }])
  })
})
