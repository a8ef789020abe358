import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MessageKind, PatientMessage } from '#core/api/patientMessage.ts'
import { newId } from '#core/ids.ts'
import { beginNewTime } from '#server/backup/newTime.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { sendDue, startMessages } from '#server/jobs/messages.ts'
import { createLog } from '#server/log.ts'
import type { Services } from '#server/services.ts'
import { MailServer } from '#tests/server/support/mailServer.ts'
import { NoteGateway } from '#tests/server/support/noteGateway.ts'
import type { World } from '#tests/server/support/world.ts'
import { call, enrolment, makeWorld, setStatus } from '#tests/server/support/world.ts'

/**
 * Messages on their way to patients, over a mail server and a gateway of this machine that break at the worst moment.
 */

const MOBILE = '13800000000'
const EMAIL = 'zhang@example.org'
const MINUTE = 60_000

let world: World
let mail: MailServer
let gateway: NoteGateway
let now: number
let patient: string
const log: string[] = []

beforeAll(async () => {
  const plain = await makeWorld()
  const services = {
    ...plain.services,
    log: createLog({ level: 'debug', write: (line) => log.push(line) }),
    now: () => new Date(now).toISOString(),
  }
  world = { ...plain, services }
})
afterAll(() => world.close())
beforeEach(async () => {
  now = Date.now()
  mail = await MailServer.start()
  gateway = await NoteGateway.start()
  patient = await enrolled()
})
afterEach(async () => {
  // What one story leaves on its way is not the next one's.
  await world.database.ownerPool.query(`UPDATE patient_message SET state = 'failed' WHERE state = 'waiting'`)
  await Promise.all([mail.close(), gateway.close()])
})

async function enrolled(identity: Partial<{ mobile: string | null; email: string | null }> = {}): Promise<string> {
  const id = newId()
  const known = { name: '张三', mobile: MOBILE, email: EMAIL, birthDate: null, ...identity }
  await call(world, world.people.lin, 'patient.save', { body: enrolment(world, id, { identity: known }) })
  return id
}

/** The server, with both ways set up. */
function server(more: Partial<Services> = {}): Services {
  const messages = {
    email: {
      host: '127.0.0.1',
      port: mail.port,
      secure: false,
      auth: { user: 'study', pass: 'p' },
      from: '研究 <study@example.org>',
    },
    note: { url: gateway.url, token: 'secret-token' },
  }
  return { ...world.services, config: { ...world.services.config, messages }, ...more }
}

async function say(pushType: MessageKind, content = '请于周五复诊', ids: readonly string[] = [patient]) {
  const { projectId } = world.study
  return call({ ...world, services: server() }, world.people.lin, 'patient.sendNotice', {
    body: { projectId, pushType, content, patientIds: [...ids] },
  })
}

async function messages(id = patient): Promise<readonly PatientMessage[]> {
  return call(world, world.people.lin, 'entry.notice', { id })
}

async function trail(id = patient): Promise<readonly string[]> {
  const { rows } = await world.database.ownerPool.query<{ action: string }>(
    `SELECT action FROM audit WHERE patient_id = $1 AND action LIKE 'message.%' ORDER BY seq, ord`,
    [id],
  )
  return rows.map(({ action }) => action)
}

const pass = (minutes: number): void => {
  now += minutes * MINUTE
}

describe('a message to a patient', () => {
  it('goes out by e-mail as it was written, and is booked as sent', async () => {
    expect(await say('email', '请于周五复诊，带上用药日记。')).toEqual({ waiting: 1, noAddress: [] })
    expect(await messages()).toMatchObject([{ kind: 'email', state: 'waiting', tries: 0, byName: 'lin (测试)' }])
    await sendDue(server())
    expect(mail.taken).toMatchObject([{ to: EMAIL }])
    const [{ raw } = { raw: '' }] = mail.taken
    const [, text = ''] = raw.split('\r\n\r\n')
    expect(Buffer.from(text, 'base64').toString('utf8')).toContain('请于周五复诊，带上用药日记。')
    // The subject says nothing of the study, nor of the patient.
    expect(raw).not.toContain('心绞痛')
    expect(await messages()).toMatchObject([{ state: 'sent', tries: 1, why: null, nextTryAt: null }])
    expect(await trail()).toEqual(['message.create', 'message.sent'])
  })

  it('goes out by text message, with the operator’s secret and an id by which it is known', async () => {
    await say('note')
    await sendDue(server())
    expect([...gateway.delivered.values()]).toEqual([{ to: MOBILE, text: '请于周五复诊' }])
    expect(gateway.asked).toEqual([{ authorization: 'Bearer secret-token', key: [...gateway.delivered.keys()][0] }])
    expect(await messages()).toMatchObject([{ kind: 'note', state: 'sent' }])
  })

  it('is booked as having no address where there is none, at once or when it is to be sent', async () => {
    const silent = await enrolled({ email: null, mobile: ' ' })
    expect(await say('email', '你好', [patient, silent])).toEqual({ waiting: 1, noAddress: [silent] })
    expect(await messages(silent)).toMatchObject([{ state: 'no_address' }])
    await world.services.pool.query('UPDATE patient SET email = NULL WHERE id = $1', [patient])
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'no_address' }])
    expect(mail.visits).toBe(0)
    expect([await trail(silent), await trail()]).toEqual([['message.create'], ['message.create', 'message.no_address']])
  })

  it('is not sent to somebody who was removed meanwhile', async () => {
    await say('note')
    await world.services.pool.query('UPDATE patient SET deleted = true WHERE id = $1', [patient])
    await sendDue(server())
    expect(gateway.asked).toEqual([])
    const { rows } = await world.services.pool.query('SELECT state, why FROM patient_message WHERE patient_id = $1', [
      patient,
    ])
    expect(rows).toEqual([{ state: 'failed', why: 'removed' }])
  })

  it('waits while the project is paused, and goes on with it', async () => {
    await say('note')
    await setStatus(world, 'stop')
    await sendDue(server())
    expect(gateway.asked).toEqual([])
    await setStatus(world, 'process')
    await sendDue(server())
    expect(gateway.delivered.size).toBe(1)
  })

  it('leaves neither address nor words in the log', async () => {
    log.length = 0
    await say('email')
    await say('note')
    mail.mood = 'turnAway'
    gateway.mood = 500
    await sendDue(server())
    expect(log.join('')).toContain('a message to a patient was not sent')
    for (const secret of [EMAIL, MOBILE, '复诊', 'secret-token', patient]) expect(log.join('')).not.toContain(secret)
  })
})

describe('what did not arrive', () => {
  it.each(['later', 'fullLater', 'breakEarly', 'strangers'] as const)(
    'is tried again, and arrives once: a mail server in the mood %s',
    async (mood) => {
      await say('email')
      mail.mood = mood
      await sendDue(server())
      const why = { later: 'busy', fullLater: 'busy', breakEarly: 'unreachable', strangers: 'sign_in' }[mood]
      expect(await messages()).toMatchObject([{ state: 'waiting', why, tries: 1 }])
      mail.mood = 'kind'
      // Not at once: the other side needs its time.
      await sendDue(server())
      expect(mail.taken).toEqual([])
      pass(1)
      await sendDue(server())
      expect(mail.taken).toHaveLength(1)
      expect(await messages()).toMatchObject([{ state: 'sent', tries: 2, why: null }])
    },
  )

  it('is tried less and less often, and given up at last', async () => {
    await say('email')
    const gone = server()
    await mail.close()
    const waits: number[] = []
    for (;;) {
      const began = now
      await sendDue(gone)
      const [message] = await messages()
      if (message?.state !== 'waiting') break
      const next = Date.parse(message.nextTryAt ?? '')
      waits.push(Math.round((next - began) / MINUTE))
      now = next
    }
    expect(waits).toEqual([1, 5, 15, 60, 180, 360, 720])
    expect(await messages()).toMatchObject([{ state: 'failed', why: 'unreachable', tries: 8 }])
    expect(await trail()).toEqual(['message.create', 'message.failed'])
    mail = await MailServer.start()
  })

  it.each([
    ['the mail server', 'email'],
    ['the gateway', 'note'],
  ] as const)('is not tried again where %s does not want it', async (_, kind) => {
    await say(kind)
    mail.mood = 'turnAway'
    gateway.mood = 422
    await sendDue(server())
    pass(24 * 60)
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'failed', why: 'refused', tries: 1 }])
  })

  it.each([
    [500, 'busy'],
    [429, 'busy'],
    [401, 'sign_in'],
    [302, 'unreachable'],
  ] as const)('is tried again after an answer %i of the gateway', async (status, why) => {
    await say('note')
    gateway.mood = status
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'waiting', why, tries: 1 }])
    gateway.mood = 200
    pass(1)
    await sendDue(server())
    expect(gateway.delivered.size).toBe(1)
  })
})

describe('what may have arrived', () => {
  it('by e-mail is not sent again: the mail server hung up when it had all of it', async () => {
    await say('email')
    mail.mood = 'breakLate'
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'failed', why: 'uncertain', tries: 1 }])
    mail.mood = 'kind'
    pass(24 * 60)
    await sendDue(server())
    expect(mail.visits).toBe(1)
  })

  it('by text message is sent again under its id, and the patient gets it once', async () => {
    await say('note')
    gateway.mood = 'breakLate'
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'waiting', why: 'unreachable' }])
    gateway.mood = 200
    pass(1)
    await sendDue(server())
    expect(gateway.asked).toHaveLength(2)
    expect(gateway.delivered.size).toBe(1)
    expect(await messages()).toMatchObject([{ state: 'sent' }])
  })

  it('was in the hands of a server that was killed: an e-mail is not sent again, a text message is under its id', async () => {
    const other = await enrolled()
    await say('email')
    await say('note', '请复诊', [other])
    const killed = new Date(now).toISOString()
    await world.services.pool.query(`UPDATE patient_message SET claimed_at = $1, tries = 1 WHERE state = 'waiting'`, [
      killed,
    ])
    // As long as somebody may be at it, nobody else is.
    pass(10)
    await sendDue(server())
    expect([mail.visits, gateway.asked.length]).toEqual([0, 0])
    pass(6)
    await sendDue(server())
    expect(await messages()).toMatchObject([{ state: 'failed', why: 'uncertain' }])
    expect(await messages(other)).toMatchObject([{ state: 'sent', tries: 2 }])
    expect([mail.visits, gateway.delivered.size]).toEqual([0, 1])
    expect(await trail()).toEqual(['message.create', 'message.failed'])
  })

  it('was waiting in a backup from which the server came back', async () => {
    await say('note')
    await say('email')
    await withTransaction(world.database.ownerPool, (transaction) => beginNewTime(transaction, 'backup.restore', null))
    await sendDue(server())
    expect([gateway.asked.length, mail.visits]).toEqual([0, 0])
    expect(await messages()).toMatchObject([
      { state: 'failed', why: 'restored' },
      { state: 'failed', why: 'restored' },
    ])
  })
})

describe('several servers on one database', () => {
  it('send each message once', async () => {
    const patients = await Promise.all(Array.from({ length: 12 }, () => enrolled()))
    await say('note', '各位好', patients)
    await Promise.all([sendDue(server()), sendDue(server()), sendDue(server())])
    expect(gateway.asked).toHaveLength(12)
    expect(new Set(gateway.asked.map(({ key }) => key)).size).toBe(12)
  })
})

describe('sending', () => {
  it('goes on by itself until it is stopped, and a stop waits for the message under way', async () => {
    const sending = startMessages(server(), 5)
    await say('note')
    while (gateway.delivered.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await sending.stop()
    expect(await messages()).toMatchObject([{ state: 'sent' }])
    await say('note')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(gateway.delivered.size).toBe(1)
  })

  it('goes on after a round that failed', async () => {
    log.length = 0
    await say('note')
    let broken = true
    const services = server({ now: () => (broken ? 'no time' : new Date(now).toISOString()) })
    const sending = startMessages(services, 5)
    while (!log.join('').includes('not looked through')) await new Promise((resolve) => setTimeout(resolve, 5))
    broken = false
    while (gateway.delivered.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await sending.stop()
    expect(await messages()).toMatchObject([{ state: 'sent', tries: 1 }])
  })

  it('begins with what is set up: what waits for the other way stays', async () => {
    await say('note')
    await say('email')
    const all = server()
    await sendDue({ ...all, config: { ...all.config, messages: { ...all.config.messages, email: null } } })
    expect((await messages()).map(({ kind, state }) => [kind, state])).toEqual([
      ['email', 'waiting'],
      ['note', 'sent'],
    ])
  })
})
