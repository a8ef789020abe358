import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from '#scripts/lib/run.ts'
import { axeFaults } from './screens/axe.ts'
import { findLayoutFaults } from './screens/faults.ts'
import { redirects, screens } from './screens/screens.ts'
import type { Screen } from './screens/screens.ts'
import { SLOW_MS, TABLET, languages, themes } from './screens/seats.ts'
import { SHIFT_BUDGET, takeShifts } from './screens/shifts.ts'
import type { Look, Size } from './screens/seats.ts'
import type { Shown, Visit } from './screens/visits.ts'
import { visit, visitsOf } from './screens/visits.ts'
import { World, people } from './screens/world.ts'

/**
 * Every screen in every state: readable to everybody in three themes and two languages, and whole at every width that a
 * tablet or a desk has. What is wrong is named with screen, state, language, theme or width, and the element. What is
 * looked at where:
 *
 * - the rules of accessibility (./screens/axe.ts) on a tablet in portrait: all of them in Chinese, and contrast, which
 *   alone depends on the theme, in each theme. `npm run screens` asks all of them in every language and theme
 *   (EVERY_LOOK);
 * - the layout (./screens/faults.ts) in both languages on a tablet and at a desk; `npm run screens` looks at three more
 *   widths of the window;
 * - what jumps while the screen opens, once (./screens/shifts.ts); only that, with every answer of the server so late,
 *   where SLOW_MS is given;
 * - with the longest real names only the layout: their words change neither colours nor roles.
 *
 * Each person stays at one device, signed in once; language, theme and width are changed in place, each as seldom as
 * the list allows.
 */

/** `npm run screens`: nothing is left out. */
const EVERY_LOOK = process.env['EVERY_LOOK'] === '1'

/** In the order of looking: the first is the one in which screens are opened. */
const sizes: readonly Size[] = [
  TABLET,
  ...(EVERY_LOOK
    ? [
        { width: 768, height: 1024 },
        { width: 1024, height: 768 },
        { width: 1180, height: 820 },
      ]
    : []),
  { width: 1440, height: 900 },
]

let world: World

// Nobody waits for another: workers may share them, each with a world of its own.
test.describe.configure({ mode: 'parallel', timeout: 600_000 })
// Pictures of a thousand looks would take longer than the looks.
test.use({ trace: 'off' })

test.beforeAll(async ({ browser }) => {
  world = await World.start(browser)
})
test.afterAll(() => world.stop())

test('every path of the app is a screen here, or leads on', () => {
  const paths = [
    'src/app/routes/routes.tsx',
    'src/app/routes/InsideRoutes.tsx',
    'src/app/routes/projectRoutes.tsx',
  ].flatMap((file) => pathsIn(readFileSync(path.join(root, file), 'utf8')))
  const known = [...redirects, ...screens.flatMap(({ routes }) => routes)]
  expect(paths.filter((one) => !known.includes(one))).toEqual([])
  expect(known.filter((one) => !paths.includes(one))).toEqual([])
  expect(new Set(screens.map(({ name }) => name)).size).toBe(screens.length)
})

for (const who of people) {
  test(`what ${who} sees is readable, and nothing of it is cut off or covered`, async () => {
    for (const one of visitsOf(world, who)) {
      const faults = await lookFromAllSides(one)
      expect.soft(faults, `${one.screen.name}, ${one.state}`).toEqual([])
    }
    await world.leave(who)
  })
}

test('on a device that keeps nothing, the offer to download pushes no list down', async () => {
  const seat = await world.seat('starter')
  for (const screen of ['workspace', 'patients', 'visit']) {
    await seat.load(`/p/${world.places.empty.projectId}/v/${world.places.empty.versionId}/${screen}`)
    await seat.page.getByRole('button', { name: '下载到本设备，离线可用' }).waitFor()
    await seat.still()
    const { sum, places } = await takeShifts(seat.page)
    expect(sum, `${screen}: ${places.join('; ')}`).toBeLessThanOrEqual(SHIFT_BUDGET)
  }
  await world.leave('starter')
})

async function lookFromAllSides(one: Visit): Promise<readonly string[]> {
  const { screen, state } = one
  const faults: string[] = []
  const note = (where: string, found: readonly string[]): void => {
    faults.push(...found.map((fault) => `${screen.name}, ${state}, ${where}: ${fault}`))
  }
  try {
    await visit(world, one, TABLET, async (shown) => {
      note('on opening', jumpsOf(shown))
      if (SLOW_MS > 0) return
      if (screen.isLong !== true) await lookAtThemes(shown, note)
      await lookAtWidths(shown, screen, note)
    })
  } catch (error) {
    note('could not be looked at', [error instanceof Error ? error.message : String(error)])
  }
  return faults
}

/** Nothing that is already on the screen jumps while the rest of it comes. */
function jumpsOf({ shifts: { sum, places } }: Shown): readonly string[] {
  return sum <= SHIFT_BUDGET ? [] : [`jumps by ${sum.toFixed(3)}: ${places.join('; ')}`]
}

type Note = (where: string, found: readonly string[]) => void

interface RuledLook extends Required<Pick<Look, 'language' | 'theme'>> {
  readonly rules: 'all' | 'contrast'
}

/**
 * In which looks the rules of accessibility are asked, and which of them: from each to the next as little changes as
 * may be.
 */
const looks: readonly RuledLook[] = EVERY_LOOK
  ? languages.flatMap((language, at) =>
      thereAndBack(themes, at).map((theme): RuledLook => ({ language, theme, rules: 'all' })),
    )
  : [
      { language: 'zh', theme: 'theme-starwrap', rules: 'all' },
      { language: 'zh', theme: 'theme-bule', rules: 'contrast' },
      { language: 'en', theme: 'theme-vip', rules: 'contrast' },
    ]

async function lookAtThemes({ stage: { seat, page } }: Shown, note: Note): Promise<void> {
  for (const { language, theme, rules } of looks) {
    await seat.prefer({ language, theme })
    note(`${language}, ${theme}`, await axeFaults(page, rules))
  }
}

async function lookAtWidths(
  { stage: { seat, page }, resize }: Shown,
  { below = Number.POSITIVE_INFINITY }: Screen,
  note: Note,
): Promise<void> {
  for (const [at, size] of sizes.filter(({ width }) => width < below).entries()) {
    await resize(size)
    for (const language of thereAndBack(languages, at + 1)) {
      await seat.prefer({ language, theme: 'theme-starwrap' })
      note(`${language}, ${size.width} px`, await findLayoutFaults(page))
    }
  }
}

/** A list forwards, at the next turn backwards: a turn begins with what the last one has ended with. */
function thereAndBack<One>(list: readonly One[], turn: number): readonly One[] {
  return turn % 2 === 0 ? list : list.toReversed()
}

/** Addresses as the router has them: a path that does not begin with a slash lies below the one that it stands in. */
function pathsIn(source: string): readonly string[] {
  const found: string[] = []
  const open: string[] = []
  for (const line of source.split('\n')) {
    const own = /<Route path="(?<own>[^"]+)"/.exec(line)?.groups?.['own']
    const above = open.at(-1) ?? ''
    const whole = own === undefined ? above : own.startsWith('/') || own === '*' ? own : `${above}/${own}`
    if (own !== undefined) found.push(whole)
    if (/<Route\b/.test(line) && !line.trimEnd().endsWith('/>')) open.push(whole)
    if (line.includes('</Route>')) open.pop()
  }
  return [...new Set(found)]
}
