import { execFile } from 'node:child_process'
import type { Stats } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from '#server/database/binaries.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import { withPrivileges } from '#server/database/privileges.ts'
import type { Privileges } from '#server/database/privileges.ts'
import { makeSecrets, readSecrets } from '#server/database/secrets.ts'
import type { ClusterSecrets } from '#server/database/secrets.ts'

const run = promisify(execFile)

/** The places of our own PostgreSQL's files. */
export interface ClusterFolders {
  /** Holds all the others; only its owner may enter. */
  readonly root: string
  /** The data of PostgreSQL, named after the major version that wrote it. */
  readonly cluster: string
  /** The unix socket. */
  readonly run: string
  readonly secretsFile: string
}

export const SUPERUSER = 'postgres'

/** Longest path of a unix socket on every system that we run on, without its closing NUL. */
const MAX_SOCKET_PATH = 103
const SOCKET_NAME = '/.s.PGSQL.5432'

export function clusterFolders(dataDir: string, major: string): ClusterFolders {
  const root = join(dataDir, 'database')
  return {
    root,
    cluster: join(root, `pg${major}`),
    run: join(root, 'run'),
    secretsFile: join(dataDir, 'database.json'),
  }
}

/** Makes the folders, private, and gives them to the user that PostgreSQL runs as. */
export async function prepareFolders(dataDir: string, folders: ClusterFolders, privileges: Privileges): Promise<void> {
  await mkdir(folders.root, { recursive: true, mode: 0o700 })
  await mkdir(folders.run, { recursive: true, mode: 0o700 })
  // Another user has to pass through the data folder to reach its own folder. That user still cannot list or read what
  // lies there.
  if (privileges.kind === 'user') await chmod(dataDir, 0o711)
  for (const folder of [folders.run, folders.cluster, folders.root]) await giveTo(privileges, folder)
}

/**
 * Makes the cluster at the first start. It gets its name when it is complete. So a crash in the middle only leaves a
 * folder that the next start clears.
 *
 * @throws LauncherError `secrets_missing` when there is a cluster without its passwords, `not_started` when initdb
 *   fails
 */
export async function ensureCluster(
  folders: ClusterFolders,
  binaries: PostgresBinaries,
  privileges: Privileges,
): Promise<ClusterSecrets> {
  const secrets = await readSecrets(folders.secretsFile).catch((cause: unknown) => {
    throw new LauncherError('secrets_missing', `${folders.secretsFile} cannot be read: restore it`, { cause })
  })
  if ((await lstatOrNull(folders.cluster)) !== null) {
    if (secrets !== null) return secrets
    throw new LauncherError(
      'secrets_missing',
      `${folders.secretsFile} is gone: restore it from where ${folders.cluster} came from`,
    )
  }
  const fresh = secrets ?? (await makeSecrets(folders.secretsFile))
  const draft = `${folders.cluster}.new`
  await rm(draft, { recursive: true, force: true })
  await initialise(draft, fresh, folders, binaries, privileges)
  await rename(draft, folders.cluster)
  return fresh
}

/**
 * A private folder whose path is short enough for a unix socket: in the data folder if that fits, else a temporary one.
 */
export async function socketFolder(
  folders: ClusterFolders,
  privileges: Privileges,
): Promise<{ readonly path: string; readonly temporary: boolean }> {
  if (Buffer.byteLength(folders.run + SOCKET_NAME) <= MAX_SOCKET_PATH) return { path: folders.run, temporary: false }
  const path = await mkdtemp(join(tmpdir(), 'zhenglu-'))
  if (Buffer.byteLength(path + SOCKET_NAME) > MAX_SOCKET_PATH) {
    throw new LauncherError(
      'not_started',
      `${path} is too long for a unix socket: set TMPDIR or DATA_DIR to a shorter path`,
    )
  }
  await giveTo(privileges, path)
  return { path, temporary: true }
}

async function initialise(
  draft: string,
  secrets: ClusterSecrets,
  folders: ClusterFolders,
  binaries: PostgresBinaries,
  privileges: Privileges,
): Promise<void> {
  const passwordFile = join(folders.run, 'initial-password')
  await writeFile(passwordFile, secrets.superuser, { mode: 0o600 })
  await giveTo(privileges, passwordFile)
  const nameless = privileges.kind === 'plain' && !hasName()
  // initdb asks for its user's name. In a user namespace that user is called nobody, and its files are still ours.
  const { file, args } = withPrivileges(nameless ? { kind: 'namespace' } : privileges, {
    file: binaries.initdb,
    args: [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The built-in locale sorts by code point on every machine and for ever. So an upgrade of the system cannot break
      // an index.
      '--no-locale',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
  })
  try {
    await run(file, [...args], { env: postgresEnvironment(), cwd: folders.root })
  } catch (cause) {
    if (nameless) {
      throw new LauncherError(
        'nameless',
        `PostgreSQL cannot make a database for user ${process.getuid?.() ?? ''}, who has no line in /etc/passwd, and user namespaces are not allowed here: ` +
          'add a line for that user, start the server as a user who has one, or set DATABASE_URL',
        { cause },
      )
    }
    throw new LauncherError('not_started', `initdb could not make a database in ${draft}: ${lastLines(cause)}`, {
      cause,
    })
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** Whether the user that we run as has a name. In containers it need not have one. */
function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    // The platform reports in this way that there is no such line.
    return false
  }
}

/** Only what PostgreSQL needs: the server's own environment holds passwords. */
export function postgresEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function lastLines(failure: unknown): string {
  const output = typeof failure === 'object' && failure !== null && 'stderr' in failure ? failure.stderr : ''
  return String(output).trim().split('\n').slice(-3).join(' ')
}

/**
 * Gives a file or folder to the user that PostgreSQL runs as. Only root can do this. Root also takes back what it
 * gave at an earlier start.
 */
async function giveTo(privileges: Privileges, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  await chownTree(path, privileges.kind === 'user' ? privileges : { uid: 0, gid: process.getgid?.() ?? 0 })
}

/**
 * A folder changes its owner after all that lies in it. So a folder with the right owner needs no look inside, and an
 * interrupted walk is resumed.
 */
async function chownTree(path: string, owner: { readonly uid: number; readonly gid: number }): Promise<void> {
  const facts = await lstatOrNull(path)
  if (facts === null || facts.uid === owner.uid || facts.isSymbolicLink()) return
  if (facts.isDirectory()) {
    for (const name of await readdir(path)) await chownTree(join(path, name), owner)
  }
  await chown(path, owner.uid, owner.gid)
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
