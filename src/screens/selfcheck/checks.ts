import { NEARLY_FULL, storageUse } from '#offline/db/usage.ts'
import { DRIFT_WARNING_MS } from '#src/ui/words/driftText.ts'
import { byteSize } from '#src/ui/words/format.ts'

import { LEAST, browserOf, isAtLeast } from './browser.ts'
import { askServer } from './server.ts'
import type { ServerFacts } from './server.ts'
import type { CheckId, Finding, Words } from './finding.ts'
import { writeAndRead } from './storage.ts'

/** How long to wait for a service worker that is being installed, in milliseconds. */
const WORKER_WAIT_MS = 6000
const SLOW_WRITE_MS = 250
const SLOW_TRIP_MS = 800
/**
 * Up to this difference, in milliseconds, the clocks count as equal, because the server gives its time in whole
 * seconds.
 */
const SAME_CLOCK_MS = 2000
const NARROW_PX = 600

/** Runs every test and reports each finding at once. Leaves nothing behind on the device. */
export async function runChecks(found: (id: CheckId, finding: Finding) => void): Promise<void> {
  const tell = async (id: CheckId, test: Promise<Finding> | Finding): Promise<void> => found(id, await test)
  const server = askServer()
  await Promise.all([
    tell('browser', checkBrowser(navigator.userAgent)),
    tell('secure', checkSecure()),
    tell('worker', checkWorker()),
    tell('storage', checkStorage()),
    tell('crypto', checkCrypto()),
    tell('room', checkRoom()),
    tell('network', server.then(networkFinding)),
    tell('clock', server.then(clockFinding)),
    tell('region', checkRegion()),
    tell('screen', checkScreen()),
  ])
}

/** @param agent `navigator.userAgent` */
export function checkBrowser(agent: string): Finding {
  const { name, engine, version } = browserOf(agent)
  const help = (t: Words) => t('checks.browser.help')
  if (engine === 'unknown') return { mark: 'warn', said: (t) => t('checks.browser.unknown'), help }
  if (engine === 'inApp') {
    return { mark: 'bad', said: (t) => t('checks.browser.inApp', { name }), help: (t) => t('checks.browser.helpInApp') }
  }
  const least = LEAST[engine]
  return isAtLeast(version, least)
    ? { mark: 'good', said: (t) => t('checks.browser.good', { name, version }) }
    : { mark: 'bad', said: (t) => t('checks.browser.old', { name, version, least }), help }
}

function checkSecure(): Finding {
  return window.isSecureContext
    ? { mark: 'good', said: (t) => t('checks.secure.good') }
    : { mark: 'bad', said: (t) => t('checks.secure.bad'), help: (t) => t('checks.secure.help') }
}

async function checkWorker(): Promise<Finding> {
  const help = (t: Words) => t('checks.worker.help')
  const { serviceWorker } = navigator as Partial<Navigator>
  if (serviceWorker === undefined) return { mark: 'bad', said: (t) => t('checks.worker.missing'), help }
  const active = await Promise.race([
    serviceWorker.ready.then(({ active: worker }) => worker !== null),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), WORKER_WAIT_MS)),
  ])
  return active
    ? { mark: 'good', said: (t) => t('checks.worker.good') }
    : { mark: 'warn', said: (t) => t('checks.worker.starting'), help }
}

async function checkStorage(): Promise<Finding> {
  const help = (t: Words) => t('checks.storage.help')
  const written = await writeAndRead()
  if (!written.ok) return { mark: 'bad', said: (t) => t('checks.storage.bad', { name: written.error }), help }
  const { ms, strict } = written.value
  if (ms > SLOW_WRITE_MS) return { mark: 'warn', said: (t) => t('checks.storage.slow', { ms }), help }
  const durability = (t: Words) => t(strict ? 'checks.storage.strict' : 'checks.storage.relaxed')
  return { mark: strict ? 'good' : 'warn', said: (t) => t('checks.storage.good', { ms, durability: durability(t) }) }
}

async function checkCrypto(): Promise<Finding> {
  const bad: Finding = { mark: 'bad', said: (t) => t('checks.crypto.bad'), help: (t) => t('checks.crypto.help') }
  const { subtle } = crypto as Partial<Crypto>
  if (subtle === undefined) return bad
  try {
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const algorithm = { name: 'AES-GCM', iv: crypto.getRandomValues(new Uint8Array(12)) }
    const text = crypto.getRandomValues(new Uint8Array(64))
    const opened = new Uint8Array(await subtle.decrypt(algorithm, key, await subtle.encrypt(algorithm, key, text)))
    return text.every((byte, at) => byte === opened[at]) ? { mark: 'good', said: (t) => t('checks.crypto.good') } : bad
  } catch {
    // Whatever went wrong: this device cannot encrypt.
    return bad
  }
}

async function checkRoom(): Promise<Finding> {
  const use = await storageUse()
  if (use === null) return { mark: 'skipped', said: (t) => t('checks.room.unknown') }
  const { usedBytes, quotaBytes, persisted } = use
  const figures = { used: byteSize(usedBytes), quota: byteSize(quotaBytes) }
  if (quotaBytes > 0 && usedBytes / quotaBytes >= NEARLY_FULL) {
    return { mark: 'warn', said: (t) => t('checks.room.full', figures), help: (t) => t('checks.room.helpFull') }
  }
  return persisted
    ? { mark: 'good', said: (t) => t('checks.room.kept', figures) }
    : { mark: 'warn', said: (t) => t('checks.room.notKept', figures), help: (t) => t('checks.room.help') }
}

/** What the round trips show about the network. */
export function networkFinding(server: ServerFacts | null): Finding {
  const help = (t: Words) => t('checks.network.help')
  if (server === null) return { mark: 'warn', said: (t) => t('checks.network.offline'), help }
  const { tripMs: ms } = server
  return ms < SLOW_TRIP_MS
    ? { mark: 'good', said: (t) => t('checks.network.good', { ms }) }
    : { mark: 'warn', said: (t) => t('checks.network.slow', { ms }), help }
}

/** How far this device's clock is from the server's. */
export function clockFinding(server: ServerFacts | null): Finding {
  const driftMs = server?.driftMs ?? null
  if (driftMs === null) return { mark: 'skipped', said: (t) => t('checks.clock.offline') }
  const away = Math.abs(driftMs)
  if (away <= SAME_CLOCK_MS) return { mark: 'good', said: (t) => t('checks.clock.same') }
  const amount = (t: Words): string => {
    const seconds = away / 1000
    if (seconds < 60) return t('checks.clock.seconds', { count: Math.round(seconds) })
    if (seconds < 7200) return t('checks.clock.minutes', { count: Math.round(seconds / 60) })
    if (seconds < 172_800) return t('checks.clock.hours', { count: Math.round(seconds / 3600) })
    return t('checks.clock.days', { count: Math.round(seconds / 86_400) })
  }
  const describeDrift = (t: Words) => t(driftMs > 0 ? 'checks.clock.fast' : 'checks.clock.slow', { amount: amount(t) })
  return away > DRIFT_WARNING_MS
    ? { mark: 'warn', said: describeDrift, help: (t) => t('checks.clock.help') }
    : { mark: 'good', said: describeDrift }
}

function checkRegion(): Finding {
  const minutes = -new Date().getTimezoneOffset()
  const two = (figure: number): string => String(Math.trunc(Math.abs(figure))).padStart(2, '0')
  const facts = {
    language: navigator.language,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    offset: `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`,
  }
  return { mark: 'info', said: (t) => t('checks.region.said', facts) }
}

function checkScreen(): Finding {
  const { innerWidth: width, innerHeight: height, devicePixelRatio: ratio } = window
  const hasTouch = navigator.maxTouchPoints > 0
  const size = (t: Words) =>
    t('checks.screen.said', {
      width,
      height,
      ratio: Math.round(ratio * 100) / 100,
      touch: t(hasTouch ? 'checks.screen.touch' : 'checks.screen.noTouch'),
    })
  if (width >= NARROW_PX) return { mark: 'info', said: size }
  return {
    mark: 'warn',
    said: (t) => `${size(t)} · ${t('checks.screen.narrow')}`,
    help: (t) => t('checks.screen.help'),
  }
}
