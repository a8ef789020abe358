import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { reportKinds } from '#core/report/kinds.ts'
import { beginNewTime } from '#server/backup/newTime.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { mailReports } from '#server/jobs/reportMail.ts'
import { createLog } from '#server/log.ts'
import type { Services } from '#server/services.ts'
import { MailServer } from '#tests/server/support/mailServer.ts'
import type { TakenMail } from '#tests/server/support/mailServer.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { addMember, call, change, enrol, makeWorld, refusal, save, vitals } from '#tests/server/support/world.ts'

/** Reports by e-mail: on their day, once, of what their person may see then, and without a word about any subject. */

const MINUTE = 60_000

let world: World
let mail: MailServer
let chief: Person
let now: number
const log: string[] = []

beforeEach(async () => {
  const plain = await makeWorld()
  mail = await MailServer.start()
  const email = { host: '127.0.0.1', port: mail.port, secure: false, auth: null, from: 'Zhenglu <edc@example.org>' }
  const services: Services = {
    ...plain.services,
    config: { ...plain.services.config, messages: { email, note: null }, publicUrl: 'https://edc.example.org' },
    log: createLog({ level: 'debug', write: (line) => log.push(line) }),
    now: () => new Date(now).toISOString(),
  }
  world = { ...plain, services }
  chief = await addMember(services, plain.study, 'chief', 'CRA', [plain.study.north, plain.study.south])
  for (const who of [chief, plain.people.monitor])
    await services.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [
      who.userId,
      `${who.account}@example.org`,
    ])
  // A Monday, ten in the morning.
  toHour('2026-11-30', 10)
})
afterEach(async () => {
  await Promise.all([world.close(), mail.close()])
})

const round = () => mailReports(world.services)
/** In the time zone of studies. */
function toHour(day: string, hour: number): void {
  now = Date.parse(`${day}T00:00:00.000+08:00`) + hour * 60 * MINUTE
}

type Wanted = BodyOf<CallOf<'report.scheduleSave'>>
function schedule(who: Person, wanted: Partial<Wanted> = {}) {
  const { projectId } = world.study
  const body: Wanted = {
    id: newId(),
    projectId,
    kind: 'enrolment',
    centerId: null,
    rhythm: { every: 'day' },
    language: 'zh',
    ...wanted,
  }
  return call(world, who, 'report.scheduleSave', { body })
}

async function schedulesOf(who: Person) {
  return (await call(world, who, 'report.schedules', { query: { projectId: world.study.projectId } })).schedules
}

/** The text and the HTML of an e-mail. */
function partsOf({ raw }: TakenMail): readonly string[] {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const at = part.indexOf('\r\n\r\n')
      const [head, body] = [part.slice(0, at), part.slice(at + 4)]
      if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
      const plain = body
        .replaceAll('=\r\n', '')
        .replaceAll('%', '%25')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`)
      return /quoted-printable/i.test(head) ? decodeURIComponent(plain) : body
    })
}
const mailsTo = (who: Person) => mail.taken.filter(({ to }) => to === `${who.account}@example.org`)
const textsTo = (who: Person) => mailsTo(who).map((one) => (partsOf(one)[0] ?? '').replaceAll('\r\n', '\n'))

describe('a report by e-mail', () => {
  it('comes at seven of its day, once, with the figures of each center and of all, and leads to the report', async () => {
    await enrol(world)
    await enrol(world)
    await enrol(world, world.people.south, world.study.south)
    const { id, nextDay } = await schedule(chief)
    expect(nextDay).toBe('2026-12-01')
    await round()
    toHour('2026-12-01', 6.9)
    await round()
    expect(mail.taken).toEqual([])
    toHour('2026-12-01', 7)
    await Promise.all([round(), round(), round()])
    toHour('2026-12-01', 20)
    await round()
    expect(textsTo(chief)).toHaveLength(1)
    const [text = ''] = textsTo(chief)
    expect(text).toMatch(/^心绞痛研究\n入组进度\n全部中心（您有权查看的）\n截至 2026-12-01 的情况\n/)
    expect(text.match(/已入组：\d/g)).toEqual(['已入组：2', '已入组：1', '已入组：3'])
    const { projectId, versionId } = world.study
    expect(text).toContain(`https://edc.example.org/p/${projectId}/v/${versionId}/report?report=enrolment`)
    expect(await schedulesOf(chief)).toMatchObject([
      { id, nextDay: '2026-12-02', last: { day: '2026-12-01', why: null }, paused: null },
    ])
  })

  it('is in the language that its person chose, of the center and the days that they chose', async () => {
    await enrol(world)
    await schedule(chief, {
      kind: 'activity',
      centerId: world.study.north,
      rhythm: { every: 'week', weekday: 1 },
      language: 'en',
    })
    toHour('2026-12-06', 12)
    await round()
    expect(mail.taken).toEqual([])
    toHour('2026-12-07', 8)
    await round()
    const [text = ''] = textsTo(chief)
    expect(text).toContain('Activity')
    expect(text).toContain('Period: 2026-11-30 to 2026-12-06')
    expect(text).toContain('Subjects added')
    expect(text).toContain(`center=${world.study.north}`)
  })

  it('is of the centers that its person sees on that day, not of those that they saw when they asked', async () => {
    await enrol(world)
    await enrol(world, world.people.south, world.study.south)
    await schedule(chief)
    await schedule(world.people.monitor)
    await world.services.pool.query(
      'UPDATE member_center SET removed = true WHERE center_id = $1 AND member_id = (SELECT id FROM member WHERE user_id = $2)',
      [world.study.south, chief.userId],
    )
    toHour('2026-12-01', 8)
    await round()
    for (const who of [chief, world.people.monitor])
      expect(textsTo(who).map((text) => text.match(/已入组：\d/g))).toEqual([['已入组：1']])
  })

  it('names no subject and no value, in no report, neither in the subject line nor in the text', async () => {
    const patient = await enrol(world)
    await world.services.pool.query(`UPDATE patient SET initials = 'QXZW'`)
    await save(world, world.people.lin, change(vitals(world, patient), { weight: 137.25, height: 170 }))
    for (const kind of reportKinds) await schedule(chief, { kind })
    toHour('2026-12-01', 8)
    await round()
    expect(mailsTo(chief)).toHaveLength(reportKinds.length)
    const { rows } = await world.services.pool.query<{ no: string; mark: string }>('SELECT no, mark FROM patient')
    for (const one of mailsTo(chief)) {
      const head = one.raw.slice(0, one.raw.indexOf('\r\n\r\n'))
      const subject = /^Subject: (.*(?:\r\n .*)*)/m.exec(head)?.[1] ?? ''
      const words = subject.replaceAll(/\r\n /g, '').replaceAll(/=\?UTF-8\?[BQ]\?([^?]*)\?=/gi, '$1')
      const whole = [Buffer.from(words, 'base64').toString('utf8'), subject, ...partsOf(one)].join('\n')
      for (const { no, mark } of rows)
        for (const secret of [no, mark, 'QXZW', patient, '137.25']) expect(whole).not.toContain(secret)
      expect(head).not.toContain('心绞痛')
      expect(Buffer.from(words, 'base64').toString('utf8')).not.toContain('心绞痛')
    }
    expect(log.join('')).not.toContain('chief@example.org')
  })
})

describe('nothing is sent, and it is said why, where', () => {
  const paused = async (who: Person, change: () => Promise<unknown>, wanted: Partial<Wanted> = {}) => {
    const { id } = await schedule(who, wanted)
    await change()
    toHour('2026-12-01', 8)
    await round()
    toHour('2026-12-02', 8)
    await round()
    expect(mail.taken).toEqual([])
    const { rows } = await world.services.pool.query<{ paused: string }>(
      'SELECT paused FROM report_schedule WHERE id = $1',
      [id],
    )
    return rows[0]?.paused
  }
  const sql = (text: string, ...values: readonly unknown[]) => world.services.pool.query(text, [...values])

  it('the membership has ended; it goes on when its person is back and saves it', async () => {
    expect(await paused(chief, () => sql('UPDATE member SET removed = true WHERE user_id = $1', chief.userId))).toBe(
      'member',
    )
    await sql('UPDATE member SET removed = false WHERE user_id = $1', chief.userId)
    await round()
    expect(mail.taken).toEqual([])
    const [kept] = await schedulesOf(chief)
    expect(kept).toMatchObject({ paused: 'member', nextDay: null })
    expect(await schedule(chief, { id: kept?.id ?? '' })).toMatchObject({ paused: null, nextDay: '2026-12-03' })
  })

  it('the account is disabled', async () => {
    expect(await paused(chief, () => sql(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, chief.userId))).toBe(
      'account',
    )
  })

  it('the project is removed', async () => {
    expect(await paused(chief, () => sql('UPDATE project SET deleted = true'))).toBe('project')
  })

  it('the center is no longer theirs', async () => {
    const change = () =>
      sql(
        'UPDATE member_center SET removed = true WHERE center_id = $1 AND member_id = (SELECT id FROM member WHERE user_id = $2)',
        world.study.south,
        chief.userId,
      )
    expect(await paused(chief, change, { centerId: world.study.south })).toBe('center')
  })

  it('the account has no address: the next day is another try', async () => {
    await schedule(chief)
    await sql('UPDATE app_user SET email = NULL WHERE id = $1', chief.userId)
    toHour('2026-12-01', 8)
    await round()
    expect(await schedulesOf(chief)).toMatchObject([
      { nextDay: '2026-12-02', paused: null, last: { day: '2026-12-01', why: 'no_address' } },
    ])
  })
})

describe('never twice', () => {
  it('after days without a server it comes once, and then on its day again', async () => {
    await schedule(chief)
    toHour('2026-12-09', 15)
    await Promise.all([round(), round()])
    await round()
    expect(mailsTo(chief)).toHaveLength(1)
    toHour('2026-12-10', 7)
    await round()
    expect(mailsTo(chief)).toHaveLength(2)
  })

  it('is tried again while the mail server takes nothing, and given up for the day in the end', async () => {
    await schedule(chief)
    toHour('2026-12-01', 7)
    mail.mood = 'later'
    await round()
    await round()
    expect(mail.visits).toBe(1)
    now += 2 * MINUTE
    mail.mood = 'kind'
    await round()
    expect(mailsTo(chief)).toHaveLength(1)
    toHour('2026-12-02', 7)
    mail.mood = 'later'
    for (let count = 0; count < 8; count += 1) {
      await round()
      now += 200 * MINUTE
    }
    expect(await schedulesOf(chief)).toMatchObject([{ last: { why: 'busy' } }])
  })

  it('what may have arrived is not sent again', async () => {
    await schedule(chief)
    toHour('2026-12-01', 7)
    mail.mood = 'breakLate'
    await round()
    mail.mood = 'kind'
    now += 300 * MINUTE
    await round()
    expect(mail.visits).toBe(1)
    expect(await schedulesOf(chief)).toMatchObject([{ nextDay: '2026-12-02', last: { why: 'uncertain' } }])
  })

  it('of a server that was killed only what it was not sending yet is sent', async () => {
    const counted = await schedule(chief)
    const sending = await schedule(chief, { kind: 'visits' })
    toHour('2026-12-01', 7)
    const at = world.services.now()
    await world.services.pool.query('UPDATE report_schedule SET claimed_at = $1, sending = (id = $2)', [at, sending.id])
    await round()
    expect(mail.taken).toEqual([])
    now += 16 * MINUTE
    await round()
    expect(textsTo(chief).map((text) => text.split('\n')[1])).toEqual(['入组进度'])
    expect((await schedulesOf(chief)).map(({ id, last }) => [id, last?.why])).toEqual([
      [counted.id, null],
      [sending.id, 'uncertain'],
    ])
  })

  it('what was due before a restore is not sent: it may have been sent since the backup', async () => {
    await schedule(chief)
    await world.services.pool.query(`UPDATE report_schedule SET next_day = '2020-01-01'`)
    await withTransaction(world.database.ownerPool, (transaction) => beginNewTime(transaction, 'backup.restore', null))
    toHour('2026-12-01', 8)
    await round()
    expect(mail.taken).toEqual([])
    expect(await schedulesOf(chief)).toMatchObject([{ nextDay: '2026-12-02', last: { why: 'restored' } }])
  })

  it('one that was removed or changed while it waited is not sent', async () => {
    const { id } = await schedule(chief)
    const { projectId } = world.study
    await call(world, chief, 'report.scheduleRemove', { body: { id, projectId } })
    toHour('2026-12-01', 8)
    await round()
    expect([mail.taken, await schedulesOf(chief)]).toEqual([[], []])
  })
})

describe('a schedule', () => {
  it('is of its person alone', async () => {
    const { id } = await schedule(chief)
    const { projectId } = world.study
    expect(await schedulesOf(world.people.monitor)).toEqual([])
    const remove = call(world, world.people.monitor, 'report.scheduleRemove', { body: { id, projectId } })
    expect(await refusal(remove)).toBe('not_found')
    expect(await refusal(schedule(world.people.monitor, { id }))).toBe('invalid')
  })

  it('is of a center that its person sees, and one of at most twenty', async () => {
    const { monitor } = world.people
    expect(await refusal(schedule(monitor, { centerId: world.study.south }))).toBe('not_found')
    for (let count = 0; count < 20; count += 1) await schedule(monitor)
    expect(await refusal(schedule(monitor))).toBe('invalid')
    expect(await schedulesOf(monitor)).toHaveLength(20)
  })

  it('is in the trail of the project when it is made, changed and removed', async () => {
    const { id } = await schedule(chief)
    await schedule(chief, { id, rhythm: { every: 'month', day: 3 } })
    await call(world, chief, 'report.scheduleRemove', { body: { id, projectId: world.study.projectId } })
    const { rows } = await world.services.pool.query<{ action: string }>(
      `SELECT action FROM audit WHERE action LIKE 'report.%' ORDER BY seq`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['report.schedule', 'report.schedule', 'report.scheduleRemove'])
  })

  it('tells its person whether e-mail reaches them', async () => {
    const query = { projectId: world.study.projectId }
    expect(await call(world, chief, 'report.schedules', { query })).toMatchObject({ email: 'ready' })
    await world.services.pool.query('UPDATE app_user SET email = NULL')
    expect(await call(world, chief, 'report.schedules', { query })).toMatchObject({ email: 'no_address' })
    const { config } = world.services
    const services = { ...world.services, config: { ...config, messages: { email: null, note: null } } }
    expect(await call({ ...world, services }, chief, 'report.schedules', { query })).toMatchObject({
      email: 'not_set_up',
    })
  })
})
