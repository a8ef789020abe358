import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { addSelfCheckTexts } from '#src/i18n/selfcheck.ts'
import { browserOf, isAtLeast } from '#src/screens/selfcheck/browser.ts'
import { checkBrowser, clockFinding, networkFinding } from '#src/screens/selfcheck/checks.ts'
import { checkIds, summaryOf } from '#src/screens/selfcheck/finding.ts'
import type { CheckId, Finding, Findings, Verdict, Words } from '#src/screens/selfcheck/finding.ts'
import { reportText } from '#src/screens/selfcheck/report.ts'
import { speak } from '#tests/src/support/screen.tsx'

let words: Words
beforeAll(async () => {
  await speak('zh')
  addSelfCheckTexts()
  words = i18next.getFixedT('zh', 'selfcheck')
})

const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const agents = {
  chromeTablet: `Mozilla/5.0 (Linux; Android 14; SM-X200) ${KIT} Chrome/131.0.0.0 Safari/537.36`,
  oldChrome: `Mozilla/5.0 (Linux; Android 9) ${KIT} Chrome/96.0.4664.45 Safari/537.36`,
  edge: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
  huawei: `Mozilla/5.0 (Linux; Android 12; DBY-W09) ${KIT} Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Safari/537.36`,
  iPad: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  oldIPad:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Safari/605.1.15',
  chromeOnIPad:
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  weChat: `Mozilla/5.0 (Linux; Android 14) ${KIT} Chrome/126.0.0.0 Safari/537.36 MicroMessenger/8.0.50`,
} as const

describe('the browser', () => {
  it('is known by its engine: on an iPad every browser is Safari’s, and comes with the system', () => {
    expect(browserOf(agents.chromeTablet)).toEqual({ name: 'Chrome', engine: 'Chromium', version: '131' })
    expect(browserOf(agents.edge)).toMatchObject({ name: 'Edge', engine: 'Chromium', version: '130' })
    expect(browserOf(agents.huawei)).toMatchObject({ name: 'Huawei Browser', version: '114' })
    expect(browserOf(agents.iPad)).toEqual({ name: 'Safari', engine: 'Safari', version: '17.5' })
    expect(browserOf(agents.chromeOnIPad)).toMatchObject({ engine: 'Safari', version: '18.1' })
    expect(browserOf(agents.firefox)).toMatchObject({ engine: 'Firefox', version: '132' })
    expect(browserOf('curl/8')).toMatchObject({ engine: 'unknown' })
  })

  it('passes where it is new enough, is refused where it is too old or inside of another program', () => {
    for (const agent of [agents.chromeTablet, agents.edge, agents.iPad, agents.chromeOnIPad, agents.firefox]) {
      expect(checkBrowser(agent).mark).toBe('good')
    }
    for (const agent of [agents.oldChrome, agents.huawei, agents.oldIPad, agents.weChat])
      expect(checkBrowser(agent).mark).toBe('bad')
    expect(checkBrowser(agents.oldIPad).said(words)).toBe('Safari 16.6 版本过低，需要 17.4 以上')
    expect(checkBrowser(agents.weChat).help?.(words)).toContain('在浏览器中打开')
  })

  it('is compared by numbers: 17.10 is newer than 17.4', () => {
    expect(isAtLeast('17.10', '17.4')).toBe(true)
    expect(isAtLeast('17.3', '17.4')).toBe(false)
    expect(isAtLeast('18', '17.4')).toBe(true)
  })
})

describe('clock and network', () => {
  it('says how far the clock is off, and warns from two minutes on', () => {
    const clock = (driftMs: number) => clockFinding({ tripMs: 20, driftMs })
    expect(clock(-900).said(words)).toBe('与服务器一致')
    expect(clock(45_000)).toMatchObject({ mark: 'good' })
    expect(clock(45_000).said(words)).toBe('比服务器快 45 秒')
    expect(clock(-3 * 3_600_000)).toMatchObject({ mark: 'warn' })
    expect(clock(-3 * 3_600_000).said(words)).toBe('比服务器慢 3 小时')
    expect(clockFinding({ tripMs: 20, driftMs: null }).mark).toBe('skipped')
  })

  it('without a network says so: entry goes on, and the clock is not compared', () => {
    expect(networkFinding(null)).toMatchObject({ mark: 'warn' })
    expect(networkFinding(null).help?.(words)).toContain('录入照常保存在本机')
    expect(clockFinding(null).mark).toBe('skipped')
    expect(networkFinding({ tripMs: 1900, driftMs: 0 }).said(words)).toBe('较慢，往返 1900 毫秒')
  })
})

describe('the whole', () => {
  const found = (marks: Partial<Record<CheckId, Verdict>> = {}): Findings =>
    Object.fromEntries(
      checkIds.map((id): [CheckId, Finding] => [id, { mark: marks[id] ?? 'good', said: () => `about ${id}` }]),
    )

  it('is judged once every test has ended, by the worst of them', () => {
    expect(summaryOf({ ...found(), clock: undefined } as unknown as Findings)).toBeNull()
    expect(summaryOf(found({ region: 'info', clock: 'skipped' }))).toEqual({ mark: 'good', count: 0 })
    expect(summaryOf(found({ network: 'warn', clock: 'warn' }))).toEqual({ mark: 'warn', count: 2 })
    expect(summaryOf(found({ network: 'warn', storage: 'bad' }))).toEqual({ mark: 'bad', count: 1 })
  })

  it('is a text of all lines for whoever helps', () => {
    const text = reportText(found({ storage: 'bad' }), words)
    expect(text.split('\n').filter((line) => line.startsWith('['))).toHaveLength(checkIds.length)
    expect(text).toContain('[不通过] 本机存储: about storage')
  })
})
