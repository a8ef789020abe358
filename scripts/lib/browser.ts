import { existsSync, readdirSync } from 'node:fs'
import { installDebianPackages } from '#scripts/lib/apt.ts'
import { run } from '#scripts/lib/run.ts'

const FONT_FOLDER = '/usr/share/fonts'

/**
 * The flags of every browser that we start: for root, without a graphics card, and without traffic or dialogs of its
 * own.
 */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The environment of every browser that we start: where the machine sets no language, Chromium would call a file with a
 * Chinese name "download".
 */
export const CHROMIUM_ENVIRONMENT: Readonly<Record<string, string | undefined>> = { ...process.env, LANG: 'C.UTF-8' }

/**
 * The Chromium of the end-to-end tests: `CHROMIUM`, or the headless shell of Debian's package. The full browser also
 * draws its own toolbars, which costs a test on two cores four tenths of its time.
 */
export function chromiumPath(): string {
  return process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
}

/** The Firefox in which the story of a ward also runs: `FIREFOX`, or the place of Debian's package. */
export function firefoxPath(): string {
  return process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'
}

/** The driver of WebKit, the engine of an iPad, where Debian's packages put it, and the browser that it drives. */
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
export const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`
/** A virtual screen: that browser does not run without one. */
export const VIRTUAL_SCREEN = '/usr/bin/Xvfb'

/**
 * Makes sure that a Chromium and a font for Chinese text are there, and installs Debian's packages where they are
 * missing and that is allowed.
 *
 * @param others whether Firefox and WebKit are needed as well
 * @returns undefined when everything is there, otherwise what the person at the terminal has to do.
 */
export async function prepareBrowser(others = false): Promise<string | undefined> {
  const before = await missing(others)
  if (before.length === 0) return undefined
  if (process.platform === 'linux') await installDebianPackages(before)
  const after = await missing(others)
  if (after.length === 0) return undefined
  return (
    `The end-to-end tests need ${after.join(' and ')}, and installing packages is not possible here.\n` +
    `On Debian or Ubuntu, as root:  apt-get install ${after.join(' ')}\n` +
    'Elsewhere: install Chromium and a font for Chinese text, and set CHROMIUM to the path of its executable (FIREFOX likewise); WebKit runs on Linux alone.'
  )
}

/** The Debian packages to install for what is missing. */
async function missing(others: boolean): Promise<string[]> {
  const packages: string[] = []
  if (others) {
    if (!existsSync(firefoxPath())) packages.push('firefox-esr')
    if (!existsSync(WEBKIT_DRIVER) || !existsSync(MINI_BROWSER)) packages.push('webkit2gtk-driver')
    if (!existsSync(VIRTUAL_SCREEN)) packages.push('xvfb')
  }
  if (!existsSync(chromiumPath())) packages.push('chromium-headless-shell')
  if (process.platform === 'linux' && !(await hasChineseFont())) packages.push('fonts-noto-cjk')
  return packages
}

async function hasChineseFont(): Promise<boolean> {
  const listed = await run('fc-list', [':lang=zh', 'family'], { capture: true })
  if (listed.ok) return listed.output.trim() !== ''
  // Without fontconfig's tools only the font files themselves can show it.
  if (!existsSync(FONT_FOLDER)) return false
  return readdirSync(FONT_FOLDER, { recursive: true }).some((name) => /cjk|wqy|source-?han/i.test(String(name)))
}
