import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALL_NOTICE_KINDS } from '#core/api/noticeKinds.ts'
import type { MessagePace } from '#core/api/noticeSettings.ts'
import { usualSetting } from '#core/api/noticeSettings.ts'
import { beginNewTime } from '#server/backup/newTime.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { tellByMessage } from '#server/jobs/noticeMessages.ts'
import { createLog } from '#server/log.ts'
import type { Services } from '#server/services.ts'
import { act, ask } from '#tests/server/areas/query/support.ts'
import { MailServer } from '#tests/server/support/mailServer.ts'
import { NoteGateway } from '#tests/server/support/noteGateway.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { call, enrol, makeWorld } from '#tests/server/support/world.ts'

/** Notices by e-mail and text message: grouped, once, of what still waits, and without a word about any subject. */

const MINUTE = 60_000
/** Ten in the morning, in the time zone of studies. */
const START = Date.parse('2026-11-30T02:00:00.000Z')

let world: World
let mail: MailServer
let gateway: NoteGateway
let now: number
const log: string[] = []

beforeEach(async () => {
  now = START
  const plain = await makeWorld()
  mail = await MailServer.start()
  gateway = await NoteGateway.start()
  const messages = {
    email: { host: '127.0.0.1', port: mail.port, secure: false, auth: null, from: 'Zhenglu <edc@example.org>' },
    note: { url: gateway.url, token: 'secret-token' },
  }
  const services: Services = {
    ...plain.services,
    config: { ...plain.services.config, messages, publicUrl: 'https://edc.example.org' },
    log: createLog({ level: 'debug', write: (line) => log.push(line) }),
    now: () => new Date(now).toISOString(),
  }
  world = { ...plain, services }
  for (const who of [plain.people.lin, plain.people.wu, plain.people.monitor])
    await plain.services.pool.query('UPDATE app_user SET email = $2, phone = $3 WHERE id = $1', [
      who.userId,
      `${who.account}@example.org`,
      '13900000000',
    ])
})
afterEach(async () => {
  await Promise.all([world.close(), mail.close(), gateway.close()])
})

const round = () => tellByMessage(world.services)
const pass = (minutes: number): void => {
  now += minutes * MINUTE
}
/** The next morning, at this hour. */
const toMorning = (hour: number): void => {
  now = Date.parse('2026-12-01T00:00:00.000+08:00') + hour * 60 * MINUTE
}

function want(who: Person, pace: { readonly email?: MessagePace; readonly note?: MessagePace }) {
  return call(world, who, 'notice.setSettings', {
    body: { groups: { query_site: { ...usualSetting('query_site'), ...pace } } },
  })
}

/** The text of an e-mail, and all of it as it crossed the network. */
function textOf({ raw }: { readonly raw: string }): string {
  const at = raw.indexOf('\r\n\r\n')
  const [head, body] = [raw.slice(0, at), raw.slice(at + 4)]
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`)
  return decodeURIComponent(bytes)
}
const mailsTo = (who: Person) => mail.taken.filter(({ to }) => to === `${who.account}@example.org`)
const states = async () =>
  (
    await world.services.pool.query<{ state: string; why: string | null }>(
      'SELECT state, why FROM notice_message ORDER BY created_at, id',
    )
  ).rows.map(({ state, why }) => (why === null ? state : `${state} ${why}`))

async function readAll(who: Person): Promise<void> {
  const query = { kinds: ALL_NOTICE_KINDS, status: '0', current: 1, size: 50 }
  const { records } = await call(world, who, 'notice.list', { query })
  await call(world, who, 'notice.click', { body: { noticeIds: records.map(({ id }) => id) } })
}

describe('an e-mail at once', () => {
  it('is one for all that came, counts by project, and names nobody and nothing of the data', async () => {
    const { lin, monitor } = world.people
    await want(lin, { email: 'at_once' })
    const patients = [await enrol(world), await enrol(world)]
    for (const patient of patients) await ask(world, monitor, patient, { text: '体重 65 kg 是否有误' })
    await round()
    await round()
    expect(mailsTo(lin)).toHaveLength(1)
    const [taken = { raw: '' }] = mailsTo(lin)
    const text = textOf(taken)
    expect(text).toContain('心绞痛研究')
    expect(text).toContain('2 条质疑待答复')
    expect(text).toContain('2 queries awaiting an answer')
    expect(text).toContain('https://edc.example.org/info/message')
    const { rows } = await world.services.pool.query<{ no: string; initials: string }>(
      'SELECT no, initials FROM patient',
    )
    for (const { no, initials } of rows)
      for (const secret of [no, initials, ...patients, '体重', '65', 'weight', '是否有误'])
        expect(text).not.toContain(secret)
    expect(taken.raw).not.toContain('心绞痛')
    expect(log.join('')).not.toContain('lin@example.org')
  })

  it('tells again of what is asked later, and of nothing twice, by several servers too', async () => {
    const { lin, monitor } = world.people
    await want(lin, { email: 'at_once' })
    const patient = await enrol(world)
    await ask(world, monitor, patient)
    await Promise.all([round(), round(), round()])
    expect(mailsTo(lin)).toHaveLength(1)
    pass(5)
    await ask(world, monitor, patient)
    await Promise.all([round(), round(), round()])
    expect(mailsTo(lin).map((one) => /(\d) 条质疑待答复/.exec(textOf(one))?.[1])).toEqual(['1', '2'])
  })

  it('is not sent of what was answered or read meanwhile, nor to who left or was disabled', async () => {
    const { lin, wu, monitor } = world.people
    for (const who of [lin, wu]) await want(who, { email: 'at_once' })
    mail.mood = 'later'
    const query = await ask(world, monitor, await enrol(world))
    await round()
    mail.mood = 'kind'
    await readAll(lin)
    await act(world, lin, query, 'answer')
    pass(10)
    await round()
    expect([mailsTo(lin), mailsTo(wu)]).toEqual([[], []])
    expect(await states()).toEqual(['dropped', 'dropped'])
    await ask(world, monitor, await enrol(world))
    await world.services.pool.query('UPDATE member SET removed = true WHERE user_id = $1', [wu.userId])
    await world.services.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [lin.userId])
    await round()
    expect(mail.taken).toEqual([])
  })
})

describe('the daily e-mail', () => {
  it('comes at seven with what waits, once, and tells of what comes later the next morning', async () => {
    const { lin, monitor } = world.people
    const query = await ask(world, monitor, await enrol(world))
    await ask(world, monitor, await enrol(world))
    await round()
    toMorning(6.9)
    await round()
    expect(mail.taken).toEqual([])
    await act(world, lin, query, 'answer')
    toMorning(7)
    await Promise.all([round(), round()])
    expect(mailsTo(lin).map((one) => /(\d) 条质疑待答复/.exec(textOf(one))?.[1])).toEqual(['1'])
    toMorning(9)
    await ask(world, monitor, await enrol(world))
    await round()
    expect(mailsTo(lin)).toHaveLength(1)
    toMorning(24 + 7)
    await round()
    expect(mailsTo(lin)).toHaveLength(2)
  })

  it('does not come to who wants none, and has no address where the server knows none', async () => {
    const { lin, wu, monitor } = world.people
    await want(wu, { email: 'never' })
    await ask(world, monitor, await enrol(world))
    toMorning(8)
    const { config } = world.services
    await tellByMessage({ ...world.services, config: { ...config, publicUrl: null } })
    expect(mailsTo(wu)).toEqual([])
    expect(mailsTo(lin).map((one) => textOf(one).includes('http'))).toEqual([false])
  })
})

describe('what may have arrived', () => {
  const asked = async () => {
    await want(world.people.lin, { email: 'at_once', note: 'at_once' })
    await want(world.people.wu, { email: 'never' })
    await ask(world, world.people.monitor, await enrol(world))
  }

  it('by e-mail is not sent again: the mail server hung up when it had all of it', async () => {
    await asked()
    mail.mood = 'breakLate'
    await round()
    mail.mood = 'kind'
    pass(60)
    await round()
    expect([mail.visits, gateway.delivered.size]).toEqual([1, 1])
    expect(await states()).toContain('failed uncertain')
  })

  it('was in the hands of a server that was killed: an e-mail is given up, a text message goes under its id', async () => {
    await asked()
    mail.mood = 'later'
    gateway.mood = 500
    await round()
    await world.services.pool.query('UPDATE notice_message SET claimed_at = $1', [new Date(now).toISOString()])
    mail.mood = 'kind'
    gateway.mood = 200
    pass(10)
    await round()
    expect([mail.taken.length, gateway.delivered.size]).toEqual([0, 0])
    pass(6)
    await round()
    expect([mail.taken.length, gateway.delivered.size]).toEqual([0, 1])
    expect((await states()).toSorted()).toEqual(['failed uncertain', 'sent'])
  })

  it('may have been told before a restore: it stays in the app and is not sent', async () => {
    await asked()
    mail.mood = 'later'
    await round()
    await ask(world, world.people.monitor, await enrol(world))
    await withTransaction(world.database.ownerPool, (transaction) => beginNewTime(transaction, 'backup.restore', null))
    mail.mood = 'kind'
    const before = gateway.delivered.size
    await round()
    expect([mail.taken.length, gateway.delivered.size]).toEqual([0, before])
  })
})

it('a text message counts, names the project and no subject', async () => {
  const { lin, monitor } = world.people
  await want(lin, { email: 'never', note: 'at_once' })
  await ask(world, monitor, await enrol(world))
  await round()
  expect([...gateway.delivered.values()]).toEqual([
    {
      to: '13900000000',
      text: '心绞痛研究：1 条质疑待答复。请登录证录查看 https://edc.example.org/info/message',
    },
  ])
})
