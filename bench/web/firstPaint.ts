import { median } from '../figures.ts'
import { startChromium } from './chromium.ts'
import type { Chromium } from './chromium.ts'
import { loadLighthouse } from './lighthouse.ts'

/** On a busy machine a tab sometimes ends without having painted, which says nothing about the page. */
const TRIES = 2
/** Lighthouse's name for it. */
const PAINTED_NOTHING = 'NO_FCP'
const AUDITS = ['first-contentful-paint', 'largest-contentful-paint'] as const

interface Paints {
  readonly first: number
  readonly largest: number
}

/**
 * How the phone's network and processor are simulated: computed from a fast visit, or by slowing the visit itself down.
 */
type Slowing = 'simulate' | 'devtools'

/**
 * When the sign-in page has painted its largest part, compared with the bare page of the component library:
 * Lighthouse's preset of a phone with a slow network and processor, each run with an empty cache, the two alternating.
 * The simulated figure is the one that Lighthouse shows by default; with a server on the same machine it includes
 * whatever happens to arrive before the first frame. The other figure is what a person waits for.
 *
 * @returns whether the simulated median of sign-in is no later than that of the bare page
 */
export async function firstPaint(signIn: string, shell: string, runs: number): Promise<boolean> {
  const chromium = await startChromium()
  try {
    const within = await comparePaints(chromium, signIn, shell, runs, 'simulate')
    await comparePaints(chromium, signIn, shell, runs, 'devtools')
    return within
  } finally {
    await chromium.close()
  }
}

async function comparePaints(
  chromium: Chromium,
  signIn: string,
  shell: string,
  runs: number,
  slowing: Slowing,
): Promise<boolean> {
  const [ours, floor]: [Paints[], Paints[]] = [[], []]
  for (let at = 0; at < runs; at += 1) {
    ours.push(await paints(chromium, signIn, slowing))
    floor.push(await paints(chromium, shell, slowing))
  }
  return report(ours, floor, slowing)
}

async function paints(chromium: Chromium, address: string, slowing: Slowing): Promise<Paints> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const seen = await paintsOnce(chromium, address, slowing)
    if (seen !== null) return seen
    console.log(`  ${address} painted nothing (${tries} of ${TRIES})`)
  }
  throw new Error(`${address} painted nothing`)
}

/** Null when nothing was painted. */
async function paintsOnce(chromium: Chromium, address: string, throttlingMethod: Slowing): Promise<Paints | null> {
  const { default: lighthouse } = await loadLighthouse()
  const tab = await chromium.tab()
  try {
    const result = await lighthouse(
      address,
      { onlyAudits: [...AUDITS], throttlingMethod, logLevel: 'silent', output: 'json' },
      undefined,
      tab,
    )
    const { code, message } = result?.lhr.runtimeError ?? {}
    if (code === PAINTED_NOTHING) return null
    if (result === undefined || code !== undefined)
      throw new Error(`${address} was not measured: ${message ?? 'no result'}`)
    const [first, largest] = AUDITS.map((audit) => result.lhr.audits[audit]?.numericValue)
    return first === undefined || largest === undefined ? null : { first, largest }
  } finally {
    await tab.close()
  }
}

function report(ours: readonly Paints[], floor: readonly Paints[], slowing: Slowing): boolean {
  const of = (paint: keyof Paints, all: readonly Paints[]): number => median(all.map((one) => one[paint]))
  const within = of('largest', ours) <= of('largest', floor)
  const how = slowing === 'simulate' ? 'simulated' : 'slowed down'
  console.log(`\nfirst paint of sign-in, mobile preset, ${how} (medians of ${ours.length} runs taking turns)`)
  const line = (what: string, paint: keyof Paints, verdict: string): void =>
    console.log(
      `  ${what.padEnd(26)} ${of(paint, ours).toFixed(0).padStart(6)} ms  bare page ${of(paint, floor).toFixed(0).padStart(6)} ms  ${verdict}`,
    )
  line('first contentful paint', 'first', '')
  line('largest contentful paint', 'largest', within ? 'no later: ok' : 'LATER')
  const each = (all: readonly Paints[]): string => all.map(({ largest }) => largest.toFixed(0)).join(', ')
  console.log(`    largest, each run: ${each(ours)}; bare page ${each(floor)}`)
  return within
}
