import { startChromium } from './chromium.ts'
import { loadLighthouse } from './lighthouse.ts'
import type { Report, Tab } from './lighthouse.ts'

/** A screen and the way to it. */
export interface Screen {
  readonly name: string
  readonly address: string
  /** What is done at this address before, without Lighthouse watching. */
  readonly prepare?: (tab: Tab) => Promise<void>
  /** What a person does on the way there: sign in, unlock. */
  readonly enter?: (tab: Tab) => Promise<void>
}

const CATEGORIES = ['accessibility', 'best-practices'] as const
/** The time in which a screen finishes loading and drawing after it was reached. */
const SETTLE_MS = 5000
/** A tablet in portrait. */
const TABLET = { mobile: true, width: 820, height: 1180, deviceScaleFactor: 2, disabled: false } as const

/**
 * Lighthouse's scores of accessibility and best practices: each screen is loaded anew in one tab that keeps its
 * storage, so that a user who has signed in on one screen is known on the next.
 *
 * @returns whether each score is 100
 */
export async function scores(screens: readonly Screen[]): Promise<boolean> {
  const chromium = await startChromium()
  try {
    console.log(`\n${CATEGORIES.join(' and ')} (100 each)`)
    const tab = await chromium.tab()
    const verdicts: boolean[] = []
    for (const screen of screens) verdicts.push(report(screen.name, await visit(tab, screen)))
    return verdicts.every(Boolean)
  } finally {
    await chromium.close()
  }
}

async function visit(tab: Tab, { name, address, prepare, enter }: Screen): Promise<Report> {
  if (prepare !== undefined) {
    await tab.goto(address)
    await prepare(tab)
  }
  const go = async (): Promise<void> => {
    await tab.goto(address)
    await enter?.(tab)
  }
  const { navigation } = await loadLighthouse()
  const result = await navigation(tab, go, {
    flags: { logLevel: 'silent', output: 'json' },
    config: {
      extends: 'lighthouse:default',
      settings: {
        onlyCategories: [...CATEGORIES],
        disableStorageReset: true,
        throttlingMethod: 'provided',
        formFactor: 'mobile',
        screenEmulation: TABLET,
        pauseAfterLoadMs: SETTLE_MS,
      },
    },
  })
  if (result === undefined || result.lhr.runtimeError !== undefined) {
    throw new Error(`${name} was not looked at: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
  }
  return result.lhr
}

function report(name: string, lhr: Report): boolean {
  const points = CATEGORIES.map((id) => Math.round((lhr.categories[id]?.score ?? 0) * 100))
  const ok = points.every((one) => one === 100)
  console.log(
    `  ${name.padEnd(18)} ${points.map((one) => String(one).padStart(3)).join('  ')}  ${ok ? 'ok' : 'SHORT'}  ${new URL(lhr.finalDisplayedUrl).pathname}`,
  )
  for (const id of CATEGORIES) {
    for (const { id: audit, weight } of lhr.categories[id]?.auditRefs ?? []) {
      const { score, title, details } = lhr.audits[audit] ?? {}
      if (weight === 0 || score === undefined || score === null || score === 1) continue
      console.log(`    ${audit}: ${title ?? ''}`)
      if (details?.type === 'table')
        for (const item of details.items ?? []) console.log(`      ${JSON.stringify(item).slice(0, 400)}`)
    }
  }
  return ok
}
