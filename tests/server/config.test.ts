import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { ConfigError } from '#server/configError.ts'
import type { ConfigErrorReason } from '#server/configError.ts'

const OPERATED = 'postgresql://owner:s3cret@db.example:5432/edc'

function refusal(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): { readonly reason: ConfigErrorReason; readonly message: string } {
  try {
    readConfig(env, args)
  } catch (error) {
    if (error instanceof ConfigError) return { reason: error.reason, message: error.message }
    throw error
  }
  throw new Error('the configuration was accepted')
}

test('with nothing set it is a demo on this machine only', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    databaseUrl: null,
    appDatabaseUrl: null,
    adminPassword: null,
    keepAdminPassword: false,
    demo: true,
    demoPassword: null,
    demoGuide: true,
    tls: null,
    lan: null,
    trustProxy: [],
    logLevel: 'info',
    minFreeBytes: 512 * 1024 ** 2,
    metricsToken: null,
    killServiceWorker: false,
    attachments: { maxBytes: 20 * 1024 * 1024, projectMaxBytes: 200 * 1024 ** 3, s3: null, moved: false },
    listHosts: [],
    publicUrl: null,
    messages: { email: null, note: null },
  })
})

test('an empty variable is one that is not set', () => {
  expect(readConfig({ HOST: '', PORT: '', DATABASE_URL: '', DEMO: '', TLS_CERT: '', TLS_KEY: '' })).toEqual(
    readConfig({}),
  )
})

describe('the demo', () => {
  test.each([
    ['another machine can reach the server', { HOST: '0.0.0.0' }],
    ['the operator has a database', { DATABASE_URL: OPERATED }],
    ['the operator has a certificate', { TLS_CERT: 'a.pem', TLS_KEY: 'a.key' }],
    ['a proxy stands before the server', { TRUST_PROXY: '127.0.0.1' }],
  ])('is off by itself when %s', (_, env) => {
    expect(readConfig(env).demo).toBe(false)
  })

  test.each([{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: 'edc.example.org' }, { TRUST_PROXY: 'loopback' }])(
    'is refused with %o',
    (env) => {
      expect(refusal({ ...env, DEMO: '1' }).reason).toBe('demo_not_local')
    },
  )

  test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])('may be asked for on %s', (host) => {
    expect(readConfig({ HOST: host, DEMO: '1', DATABASE_URL: OPERATED }).demo).toBe(true)
  })

  test('can be left out', () => {
    expect(readConfig({ DEMO: '0' }).demo).toBe(false)
  })
})

test.each<[ConfigErrorReason, Readonly<Record<string, string>>]>([
  ['invalid_host', { HOST: 'http://here' }],
  ['invalid_host', { HOST: '1.2.3' }],
  ['invalid_host', { HOST: '127.0.0.1:80' }],
  ['invalid_port', { PORT: '65536' }],
  ['invalid_port', { PORT: '80a' }],
  ['invalid_port', { PORT: '-1' }],
  ['invalid_flag', { DEMO: 'yes' }],
  ['tls_incomplete', { TLS_CERT: 'a.pem' }],
  ['tls_incomplete', { TLS_KEY: 'a.key' }],
  ['invalid_database_url', { DATABASE_URL: 'mysql://u:p@h/d' }],
  ['invalid_database_url', { DATABASE_URL: 'postgresql://h/d' }],
  ['invalid_database_url', { DATABASE_URL: 'db' }],
  ['app_url_without_database_url', { APP_DATABASE_URL: OPERATED }],
  ['invalid_messages', { ZHENGLU_SMTP_URL: 'smtp://mail.example.org' }],
  ['invalid_messages', { ZHENGLU_SMTP_FROM: 'study@example.org' }],
  ['invalid_messages', { ZHENGLU_SMTP_URL: 'https://mail.example.org', ZHENGLU_SMTP_FROM: 'study@example.org' }],
  ['invalid_messages', { ZHENGLU_SMTP_URL: 'smtp://user@mail.example.org', ZHENGLU_SMTP_FROM: 'study@example.org' }],
  ['invalid_messages', { ZHENGLU_SMTP_URL: 'smtp://mail.example.org', ZHENGLU_SMTP_FROM: 'study' }],
  [
    'invalid_messages',
    { ZHENGLU_SMTP_URL: 'smtp://mail.example.org', ZHENGLU_SMTP_FROM: 'A <a@example.org>\r\nBcc: b@example.org' },
  ],
  ['invalid_messages', { ZHENGLU_SMS_URL: 'https://sms.example.org' }],
  ['invalid_messages', { ZHENGLU_SMS_URL: 'http://sms.example.org', ZHENGLU_SMS_TOKEN: 'x' }],
  ['invalid_messages', { ZHENGLU_SMS_URL: 'https://u:p@sms.example.org', ZHENGLU_SMS_TOKEN: 'x' }],
  ['invalid_messages', { ZHENGLU_SMS_URL: 'https://sms.example.org', ZHENGLU_SMS_TOKEN: 'x y' }],
  ['invalid_trust_proxy', { TRUST_PROXY: 'true' }],
  ['invalid_trust_proxy', { TRUST_PROXY: '0.0.0.0/0' }],
  ['invalid_trust_proxy', { TRUST_PROXY: '10.0.0.0/33' }],
  ['invalid_log_level', { LOG_LEVEL: 'loud' }],
])('%s: %o', (reason, env) => {
  expect(refusal(env).reason).toBe(reason)
})

describe('--lan', () => {
  test.each([
    ['--lan', '::', null],
    ['--lan=0.0.0.0', '::', null],
    ['--lan=192.168.1.5', '192.168.1.5', '192.168.1.5'],
    ['--lan=FD00::5', 'fd00::5', 'fd00::5'],
  ])('%s', (argument, host, address) => {
    expect(readConfig({}, [argument])).toMatchObject({ host, lan: { address, helpPort: 8081 }, demo: false })
  })

  test('shows the demo to the ward only when it is asked for, and never behind a proxy', () => {
    expect(readConfig({ DEMO: '1' }, ['--lan']).demo).toBe(true)
    expect(readConfig({}, ['--lan=127.0.0.1']).demo).toBe(false)
    expect(refusal({ DEMO: '1', TRUST_PROXY: 'loopback' }, ['--lan']).reason).toBe('demo_not_local')
  })

  test("goes with the operator's certificate", () => {
    expect(readConfig({ TLS_CERT: 'a.pem', TLS_KEY: 'a.key' }, ['--lan'])).toMatchObject({
      tls: { certFile: resolve('a.pem') },
      lan: { address: null },
    })
  })

  test.each<[ConfigErrorReason, Readonly<Record<string, string>>, readonly string[]]>([
    ['unknown_argument', {}, ['--help']],
    ['unknown_argument', {}, ['--lan', '--lan']],
    ['unknown_argument', {}, ['--lan', '192.168.1.5']],
    ['invalid_lan', {}, ['--lan=']],
    ['invalid_lan', {}, ['--lan=ward-server']],
    ['invalid_lan', {}, ['--lan=192.168.1.5:8080']],
    ['invalid_lan', {}, ['--lan=192.168.1.5=']],
    ['lan_with_host', { HOST: '192.168.1.5' }, ['--lan']],
    ['invalid_port', { LAN_HELP_PORT: 'none' }, ['--lan']],
    ['same_port', { PORT: '8081' }, ['--lan']],
    ['tls_incomplete', { TLS_CERT: 'a.pem' }, ['--lan']],
    ['invalid_public_url', { PUBLIC_URL: 'edc.example.org' }, []],
    ['invalid_public_url', { PUBLIC_URL: 'https://edc.example.org/app' }, []],
  ])('%s: %o %o', (reason, env, args) => {
    expect(refusal(env, args).reason).toBe(reason)
  })
})

test('a refusal does not repeat what was set', () => {
  expect(refusal({ DATABASE_URL: 'postgres//owner:s3cret@h/d' }).message).not.toContain('s3cret')
})

test('the address of the app in e-mails has no slash at its end', () => {
  expect(readConfig({ PUBLIC_URL: 'https://edc.example.org/' }).publicUrl).toBe('https://edc.example.org')
})

test('proxies are addresses and ranges', () => {
  expect(readConfig({ TRUST_PROXY: 'loopback, 10.1.0.0/16,fd00::1' }).trustProxy).toEqual([
    'loopback',
    '10.1.0.0/16',
    'fd00::1',
  ])
})

describe('messages to patients', () => {
  const FROM = '证录 <study@example.org>'

  test('go to the operator’s mail server, encrypted from the start or once it is asked for', () => {
    const read = (url: string) => readConfig({ ZHENGLU_SMTP_URL: url, ZHENGLU_SMTP_FROM: FROM }).messages.email
    expect(read('smtp://mail.example.org')).toEqual({
      host: 'mail.example.org',
      port: 587,
      secure: false,
      auth: null,
      from: FROM,
    })
    expect(read('smtps://us%40er:p%2Fw@[::1]')).toEqual({
      host: '::1',
      port: 465,
      secure: true,
      auth: { user: 'us@er', pass: 'p/w' },
      from: FROM,
    })
    expect(read('smtp://127.0.0.1:2525/')).toMatchObject({ host: '127.0.0.1', port: 2525 })
  })

  test('go to the operator’s gateway, in the clear only on this machine', () => {
    const read = (url: string) => readConfig({ ZHENGLU_SMS_URL: url, ZHENGLU_SMS_TOKEN: 't0ken' }).messages.note
    expect(read('https://sms.example.org/send?study=1')).toEqual({
      url: 'https://sms.example.org/send?study=1',
      token: 't0ken',
    })
    expect(read('http://localhost:9000/send')).toMatchObject({ url: 'http://localhost:9000/send' })
  })

  test('never repeat a secret where a setting is wrong', () => {
    expect(refusal({ ZHENGLU_SMTP_URL: 'smtp://user:s3cret@host/x', ZHENGLU_SMTP_FROM: FROM }).message).not.toContain(
      's3cret',
    )
    expect(refusal({ ZHENGLU_SMS_URL: 'ftp://h', ZHENGLU_SMS_TOKEN: 's3cret' }).message).not.toContain('s3cret')
  })
})
