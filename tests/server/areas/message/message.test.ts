import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageKind } from '#core/api/patientMessage.ts'
import { newId } from '#core/ids.ts'
import type { MessageSettings } from '#server/areas/message/settings.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { call, enrolment, makeWorld, refusal, setStatus } from '#tests/server/support/world.ts'

/** Writing to patients: who may, by which way, and what others see of it. */

const BOTH: MessageSettings = {
  email: { host: 'mail.example.org', port: 587, secure: false, auth: null, from: 'study@example.org' },
  note: { url: 'https://sms.example.org/', token: 'x' },
}

let plain: World
let world: World
let patient: string
let silent: string
beforeAll(async () => {
  plain = await makeWorld()
  world = withWays(BOTH)
  patient = await enrolled({ mobile: '138 0000 0000', email: 'zhang@example.org' })
  silent = await enrolled({ mobile: null, email: 'not an address' })
})
afterAll(() => plain.close())

function withWays(messages: MessageSettings): World {
  return { ...plain, services: { ...plain.services, config: { ...plain.services.config, messages } } }
}

async function enrolled(address: { readonly mobile: string | null; readonly email: string | null }): Promise<string> {
  const id = newId()
  await call(world, world.people.lin, 'patient.save', {
    body: enrolment(world, id, { identity: { name: '张三', birthDate: null, ...address } }),
  })
  return id
}

interface Said {
  readonly who?: Person
  readonly pushType?: MessageKind
  readonly patientIds?: string[]
  readonly key?: string
  readonly in?: World
}

async function say({
  who = world.people.lin,
  pushType = 'note',
  patientIds = [patient],
  key = newId(),
  in: where = world,
}: Said = {}) {
  return call(where, who, 'patient.sendNotice', {
    key,
    body: { projectId: world.study.projectId, pushType, content: ' 王女士，请复诊 ', patientIds },
  })
}

const ways = (who: Person, patientIds: string[], where = world) =>
  call(where, who, 'patient.noticeWays', { body: { projectId: world.study.projectId, patientIds } })
const seen = (who: Person, id = patient) => call(world, who, 'entry.notice', { id })

describe('ways to patients', () => {
  it('are those that the operator has set up, and it is told beforehand who cannot be reached', async () => {
    const { lin } = world.people
    expect(await ways(lin, [patient, silent])).toEqual({
      ways: ['note', 'email'],
      without: { note: [silent], email: [silent] },
    })
    expect(await ways(lin, [patient], withWays({ email: BOTH.email, note: null }))).toMatchObject({ ways: ['email'] })
    expect(await ways(lin, [patient], plain)).toMatchObject({ ways: [] })
  })

  it('that are not set up are refused', async () => {
    expect(await refusal(say({ in: plain }))).toBe('message_way_missing')
    expect(await refusal(say({ pushType: 'email', in: withWays({ email: null, note: BOTH.note }) }))).toBe(
      'message_way_missing',
    )
    expect(await seen(world.people.lin)).toEqual([])
  })

  it('tell no address', async () => {
    const told = JSON.stringify([
      await ways(world.people.monitor, [patient]).catch(() => null),
      await ways(world.people.lin, [patient]),
    ])
    expect(told).not.toMatch(/138|zhang/)
  })
})

describe('writing to patients', () => {
  it('is for who may change patients, to patients that they see, while the project goes on', async () => {
    const { monitor, south, stranger, lin } = world.people
    expect(await refusal(say({ who: monitor }))).toBe('forbidden')
    expect(await refusal(ways(monitor, [patient]))).toBe('forbidden')
    expect(await refusal(say({ who: south }))).toBe('not_found')
    expect(await refusal(ways(south, [patient]))).toBe('not_found')
    expect(await refusal(say({ who: stranger }))).toBe('not_found')
    expect(await refusal(say({ patientIds: [patient, newId()] }))).toBe('not_found')
    await setStatus(world, 'stop')
    expect(await refusal(say())).toBe('project_stopped')
    await setStatus(world, 'process')
    expect(await seen(lin)).toEqual([])
  })

  it('happens once, however often the call comes, and once to each patient', async () => {
    const id = await enrolled({ mobile: '+86 13800000000', email: null })
    const key = newId()
    const said = { key, patientIds: [id, id, silent] }
    const first = await say(said)
    expect(first).toEqual({ waiting: 1, noAddress: [silent] })
    expect(await say(said)).toEqual(first)
    expect(await seen(world.people.lin, id)).toHaveLength(1)
    expect(await seen(world.people.lin, silent)).toMatchObject([{ state: 'no_address', content: '王女士，请复诊' }])
  })

  it('leaves who, when, to whom and a fingerprint of the words in the trail, but no address', async () => {
    const id = await enrolled({ mobile: '13811112222', email: null })
    await say({ patientIds: [id] })
    const { rows } = await world.database.ownerPool.query<{ who: string; new: { hash: string; kind: string } }>(
      `SELECT a.user_name AS who, v.new_value AS new FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.patient_id = $1 AND a.action = 'message.create'`,
      [id],
    )
    expect(rows).toMatchObject([
      {
        who: 'lin (测试)',
        new: { kind: 'note', state: 'waiting', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain('13811112222')
  })

  it('is never deleted, not even by the server itself', async () => {
    await expect(world.services.pool.query('DELETE FROM patient_message')).rejects.toThrow(/permission denied/)
  })
})

describe('messages of a patient', () => {
  it('are seen by everybody who sees the patient, the latest first; what was said only by those who may know who it is, and by who said it', async () => {
    const { lin, wu, monitor, south } = world.people
    const id = await enrolled({ mobile: '13811112222', email: 'a@example.org' })
    await say({ patientIds: [id] })
    await new Promise((resolve) => setTimeout(resolve, 5))
    await say({ patientIds: [id], pushType: 'email' })
    for (const who of [lin, wu])
      expect(await seen(who, id)).toMatchObject([
        { kind: 'email', content: '王女士，请复诊' },
        { kind: 'note', byName: 'lin (测试)' },
      ])
    expect(await seen(monitor, id)).toMatchObject([{ content: null, state: 'waiting' }, { content: null }])
    expect(await refusal(seen(south, id))).toBe('not_found')
  })
})
