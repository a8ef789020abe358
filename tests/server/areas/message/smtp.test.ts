import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendMail } from '#server/areas/message/smtp.ts'
import type { MailSettings } from '#server/areas/message/settings.ts'
import { MailServer } from '#tests/server/support/mailServer.ts'

let mail: MailServer
beforeEach(async () => {
  mail = await MailServer.start()
})
afterEach(() => mail.close())

const SOON = { connect: 200, silence: 200 }
const MESSAGE = { id: '0198c0de-0000-7000-8000-000000000001', to: 'zhang@example.org', content: '请复诊\r\n.\r\n祝好' }

const settings = (more: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port: mail.port,
  secure: false,
  auth: null,
  from: 'Study <study@example.org>',
  ...more,
})

it('an e-mail has the message’s own id, so that a second one could be told', async () => {
  expect(await sendMail(settings(), MESSAGE)).toEqual({ kind: 'sent' })
  expect(mail.taken[0]?.raw).toContain(`Message-ID: <${MESSAGE.id}@example.org>`)
  expect(mail.taken).toHaveLength(1)
})

it('a mail server that says nothing once it has all of the message may have sent it', async () => {
  mail.mood = 'silent'
  expect(await sendMail(settings(), MESSAGE, SOON)).toEqual({ kind: 'failed', why: 'uncertain' })
})

it('one that says nothing from the beginning has not', async () => {
  const mute = createServer((socket) => socket.on('error', () => undefined))
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  expect(await sendMail(settings({ port: (mute.address() as AddressInfo).port }), MESSAGE, SOON)).toEqual({
    kind: 'later',
    why: 'unreachable',
  })
  mute.close()
})

it('is not sent in the clear to another machine', async () => {
  // This machine, by a name that does not say so.
  expect(await sendMail(settings({ host: '::ffff:127.0.0.1' }), MESSAGE, SOON)).toEqual({
    kind: 'later',
    why: 'unreachable',
  })
  expect(mail.visits).toBe(1)
  expect(mail.taken).toEqual([])
})
