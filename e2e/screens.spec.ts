import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from '#scripts/lib/run.ts'
import { axeFaults } from './screens/axe.ts'
import { findLayoutFaults } from './screens/faults.ts'
import { redirects, screens } from './screens/screens.ts'
import { TABLET, languages, themes } from './screens/seats.ts'
import type { Size } from './screens/seats.ts'
import type { Shown, Visit } from './screens/visits.ts'
import { visit, visitsOf } from './screens/visits.ts'
import { World, people } from './screens/world.ts'

/**
 * Every screen in every state: readable to everybody in three themes and two languages, and whole at every width that a tablet or a desk has. Of the rules
 * of accessibility only contrast depends on the theme: the others are looked at in the default one. What is wrong is named with screen, state, language,
 * theme or width, and the element.
 */

const sizes: readonly Size[] = [
  { width: 768, height: 1024 },
  TABLET,
  { width: 1024, height: 768 },
  { width: 1180, height: 820 },
  { width: 1440, height: 900 },
]

let world: World

test.describe.configure({ mode: 'default', timeout: 600_000 })
// Pictures of a thousand looks would take longer than the looks.
test.use({ trace: 'off' })

test.beforeAll(async ({ browser }) => {
  world = await World.start(browser)
})
test.afterAll(() => world.stop())

test('every path of the app is a screen here, or leads on', () => {
  const paths = ['src/app/routes.tsx', 'src/app/InsideRoutes.tsx'].flatMap((file) => pathsIn(readFileSync(path.join(root, file), 'utf8')))
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

async function lookFromAllSides(one: Visit): Promise<readonly string[]> {
  const { screen, state } = one
  const faults: string[] = []
  const note = (where: string, found: readonly string[]): void => {
    faults.push(...found.map((fault) => `${screen.name}, ${state}, ${where}: ${fault}`))
  }
  try {
    await visit(world, one, TABLET, async (shown) => {
      if (screen.isLong !== true) await lookAtThemes(shown, note)
      for (const size of sizes) if (size.width < (screen.below ?? Number.POSITIVE_INFINITY)) await lookAtWidth(shown, size, note)
    })
  } catch (error) {
    note('could not be looked at', [error instanceof Error ? error.message : String(error)])
  }
  return faults
}

type Note = (where: string, found: readonly string[]) => void

async function lookAtThemes({ stage: { seat, page } }: Shown, note: Note): Promise<void> {
  for (const language of languages) {
    for (const theme of themes) {
      await seat.prefer({ language, theme })
      note(`${language}, ${theme}`, await axeFaults(page, theme === 'theme-starwrap' ? 'all' : 'contrast'))
    }
  }
}

async function lookAtWidth({ stage: { seat, page }, resize }: Shown, size: Size, note: Note): Promise<void> {
  await resize(size)
  for (const language of languages) {
    await seat.prefer({ language, theme: 'theme-starwrap' })
    note(`${language}, ${size.width} px`, await findLayoutFaults(page))
  }
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
