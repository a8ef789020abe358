import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { languages, themes } from '#e2e/screens/seats.ts'
import type { Size } from '#e2e/screens/seats.ts'
import { allVisits, visit } from '#e2e/screens/visits.ts'
import type { Visit } from '#e2e/screens/visits.ts'
import { World } from '#e2e/screens/world.ts'
import { chromiumPath } from '#scripts/lib/browser.ts'
import { root } from '#scripts/lib/run.ts'

/**
 * `npm run shots [-- --only=<name>,… --state=… --language=… --theme=… --size=… --text=200 --mouse --again]`: a picture
 * of every screen in every state, language, theme and size, in `shots/<state>/`. Pictures newer than the build are
 * kept, so that a stopped run continues where it ended. `--size` takes any sizes; `--text` is the size of text in
 * percent. With `--mouse` a mouse is at hand instead of a finger.
 */

const SIZES = ['820x1180', '1440x900']
const FOLDER = path.join(root, 'shots')
const BUILD = path.join(root, 'dist/index.html')

interface Shot {
  readonly visit: Visit
  readonly size: Size
  readonly language: (typeof languages)[number]
  readonly theme: (typeof themes)[number]
  readonly file: string
}

const chosen = new Map(
  process.argv.slice(2).map((arg) => [arg.replace(/=.*/, ''), arg.split('=')[1]?.split(',') ?? []] as const),
)
const wrong = [...chosen.keys()].filter(
  (name) => !['--only', '--state', '--language', '--theme', '--size', '--text', '--mouse', '--again'].includes(name),
)
const sizes = (chosen.get('--size') ?? SIZES).map(sizeOf)
const [text = '100'] = chosen.get('--text') ?? []
const hasMouse = chosen.has('--mouse')
if (wrong.length > 0 || sizes.some(({ width, height }) => !(width > 0 && height > 0)) || !(Number(text) > 0)) {
  console.error(
    `${wrong.length === 0 ? 'No such size' : `Unknown: ${wrong.join(' ')}`}\nUsage: npm run shots [-- --only=<name>,… --state=… --language=… --theme=… --size=820x1180,… --text=200 --mouse --again]`,
  )
  process.exit(2)
}
if (!existsSync(BUILD)) {
  console.error('There is no build to take pictures of: npm run build')
  process.exit(1)
}
process.exitCode = await takeAll()

async function takeAll(): Promise<number> {
  const started = performance.now()
  const built = (await stat(BUILD)).mtimeMs
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  })
  const world = await World.start(browser)
  // When the script is told to stop, the server and its database stop too.
  let isStopped = false
  process.once('SIGINT', () => {
    isStopped = true
  })
  let taken = 0
  const failed: string[] = []
  try {
    const visits = allVisits(world).filter(
      ({ screen, state }) => isChosen('--only', screen.name) && isChosen('--state', state),
    )
    for (const [at, one] of visits.entries()) {
      if (isStopped) break
      const wanted: Shot[] = []
      for (const shot of shotsOf(one))
        if (chosen.has('--again') || !(await isNewer(shot.file, built))) wanted.push(shot)
      const name = `${one.screen.name}, ${one.state}`
      try {
        await take(world, one, wanted)
      } catch (error) {
        failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        console.error(`✗ ${failed.at(-1) ?? ''}`)
      }
      taken += wanted.length
      console.log(`${at + 1}/${visits.length} ${name} (${wanted.length})`)
    }
  } finally {
    await world.stop()
    await browser.close()
  }
  for (const line of failed) console.error(`✗ ${line}`)
  console.log(
    `${taken} pictures in ${((performance.now() - started) / 60_000).toFixed(1)} minutes, in ${path.relative(root, FOLDER)}/`,
  )
  return failed.length === 0 && !isStopped ? 0 : 1
}

async function take(world: World, one: Visit, wanted: readonly Shot[]): Promise<void> {
  const [first] = wanted
  if (first === undefined) return
  await mkdir(path.dirname(first.file), { recursive: true })
  if (hasMouse) await (await world.seat(one.way.who)).takeMouse()
  await visit(world, one, first.size, async ({ stage: { seat, page }, resize }) => {
    let size = first.size
    for (const shot of wanted) {
      if (shot.size !== size) {
        size = shot.size
        await resize(size)
      }
      await seat.prefer({ language: shot.language, theme: shot.theme })
      // As a reader sets it in the browser.
      if (text !== '100') await page.addStyleTag({ content: `:root { font-size: ${text}% }` })
      await page.screenshot({ path: shot.file, animations: 'disabled' })
    }
  })
}

function shotsOf(one: Visit): readonly Shot[] {
  const { screen, state } = one
  return sizes
    .filter(({ width }) => width < (screen.below ?? Number.POSITIVE_INFINITY))
    .flatMap((size) =>
      languages
        .filter((language) => isChosen('--language', language))
        .flatMap((language) =>
          themes
            .filter((theme) => isChosen('--theme', theme))
            .map((theme) => {
              const large = text === '100' ? '' : `-${text}%`
              const pointed = hasMouse ? '-mouse' : ''
              const name = `${screen.name}-${language}-${theme}-${size.width}x${size.height}${large}${pointed}.png`
              return { visit: one, size, language, theme, file: path.join(FOLDER, state, name) }
            }),
        ),
    )
}

/** @param name "820x1180" */
function sizeOf(name: string): Size {
  const [width = 0, height = 0] = name.split('x').map(Number)
  return { width, height }
}

function isChosen(option: string, name: string): boolean {
  return chosen.get(option)?.includes(name) ?? true
}

async function isNewer(file: string, than: number): Promise<boolean> {
  return existsSync(file) && (await stat(file)).mtimeMs > than
}
