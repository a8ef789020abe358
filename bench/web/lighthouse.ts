import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from '#scripts/lib/run.ts'

/**
 * Lighthouse and the driver of its browser. They are large and nothing else needs them, so they are a package of their
 * own, in the folder of this name: it has its own lock file, and is installed when the benchmark runs for the first
 * time. The parts that are used are typed here, so that the types hold where it is not installed.
 */

/** What the benchmark does in a tab of the browser. */
export interface Tab {
  goto(address: string): Promise<unknown>
  locator(selector: string): { fill(text: string): Promise<void>; click(): Promise<void> }
  waitForSelector(
    selector: string,
  ): Promise<{ evaluate<Found>(look: (element: Element) => Found): Promise<Found> } | null>
  waitForFunction(holds: () => boolean): Promise<unknown>
  close(): Promise<void>
}

interface Browser {
  newPage(): Promise<Tab>
  close(): Promise<void>
}

interface Audit {
  readonly title: string
  /** 0 to 1; null where there is nothing to judge. */
  readonly score: number | null
  /** The result of a measurement, in ms. */
  readonly numericValue?: number
  readonly details?: { readonly type: string; readonly items?: readonly unknown[] }
}

/** What Lighthouse reports of one visit. */
export interface Report {
  readonly finalDisplayedUrl: string
  readonly runtimeError?: { readonly code: string; readonly message: string }
  readonly audits: Readonly<Partial<Record<string, Audit>>>
  readonly categories: Readonly<
    Partial<
      Record<
        string,
        {
          readonly score: number | null
          readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
        }
      >
    >
  >
}

type Answer = Promise<{ readonly lhr: Report } | undefined>

interface Lighthouse {
  /** Loads an address with an empty cache. */
  readonly default: (address: string, flags: object, config: undefined, tab: Tab) => Answer
  /** Examines the page that the benchmark's own navigation leads to. */
  readonly navigation: (
    tab: Tab,
    go: () => Promise<void>,
    options: { readonly flags: object; readonly config: object },
  ) => Answer
}

interface Driver {
  readonly launch: (options: {
    readonly executablePath: string
    readonly userDataDir: string
    readonly args: readonly string[]
  }) => Promise<Browser>
}

const FOLDER = path.join(import.meta.dirname, 'lighthouse')

/** Installs both in their folder where they are missing or have another version than the folder names. */
export async function prepareLighthouse(): Promise<boolean> {
  const { dependencies } = manifest(path.join(FOLDER, 'package.json'))
  const isInstalled = Object.entries(dependencies ?? {}).every(([name, version]) => {
    const file = path.join(FOLDER, 'node_modules', name, 'package.json')
    return existsSync(file) && manifest(file).version === version
  })
  if (isInstalled) return true
  console.log('Lighthouse is installed for the benchmark, once')
  const { ok } = await run('npm', ['ci', '--prefix', FOLDER, '--no-fund', '--no-audit', '--loglevel=error'])
  return ok
}

export async function loadLighthouse(): Promise<Lighthouse> {
  return (await load('lighthouse')) as Lighthouse
}

export async function loadDriver(): Promise<Driver> {
  return (await load('puppeteer-core')) as Driver
}

/** Loads a package of the folder: its name alone would not be found from here. */
async function load(name: string): Promise<unknown> {
  const file = createRequire(path.join(FOLDER, 'package.json')).resolve(name)
  return import(pathToFileURL(file).href)
}

function manifest(file: string): {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
} {
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof manifest>
}
