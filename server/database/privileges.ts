import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { LauncherError } from '#server/database/launcherError.ts'

const run = promisify(execFile)

/**
 * The user that PostgreSQL runs as; PostgreSQL refuses root:
 * - `plain`: the same user as ours, which is not root.
 * - `namespace`: in a user namespace in which root appears as nobody. Its files stay root's, and nothing has to be
 *   set up.
 * - `user`: another user of the machine, who owns the folder of the database.
 */
export type Privileges =
  | { readonly kind: 'plain' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }

/**
 * How the database learns that the server has ended: by a signal of the kernel, or from a watchdog that holds a pipe.
 */
export type DeathNotice = 'signal' | 'watchdog'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
}

/** The overflow user of Linux, "nobody" everywhere. */
const NOBODY = '65534'

const NAMESPACE: readonly string[] = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]

/**
 * Chooses how to run `program` without being root; `program` must answer `--version`.
 *
 * @throws LauncherError `no_privileges` when nothing works
 */
export async function choosePrivileges(program: string): Promise<Privileges> {
  const [best] = await workingPrivileges(program)
  if (best !== undefined) return best
  throw new LauncherError(
    'no_privileges',
    'PostgreSQL does not run as root, and here are neither user namespaces nor another user that can read this installation: ' +
      'start the server as an ordinary user, or set DATABASE_URL',
  )
}

/** All ways that work on this machine, the best first. */
export async function workingPrivileges(program: string): Promise<readonly Privileges[]> {
  if (process.getuid?.() !== 0) return [{ kind: 'plain' }]
  const candidates: readonly Privileges[] = [{ kind: 'namespace' }, ...(await accountsToBecome())]
  const working = await Promise.all(candidates.map((candidate) => works(candidate, program)))
  return candidates.filter((_, index) => working[index])
}

/** Wraps a command so that it runs with these privileges. */
export function withPrivileges(privileges: Privileges, command: Command): Command {
  const words = [...prefix(privileges), command.file, ...command.args]
  const [file = command.file, ...args] = words
  return { file, args }
}

/**
 * Wraps a command so that it also gets SIGINT, PostgreSQL's clean and quick stop, when this process ends. The signal
 * is requested last, because a change of the user clears it. The wrapper then checks its parent, in case the parent
 * died before the request.
 */
export function endingWithUs(privileges: Privileges, command: Command): Command {
  const guard = 'test "$PPID" = "$1" || exit 1; shift; exec "$@"'
  return withPrivileges(privileges, {
    file: 'setpriv',
    args: ['--pdeathsig', 'INT', '--', 'sh', '-c', guard, 'sh', String(process.pid), command.file, ...command.args],
  })
}

/** Which notice this machine offers. */
export async function chooseDeathNotice(): Promise<DeathNotice> {
  return process.platform === 'linux' && (await succeeds('setpriv', ['--pdeathsig', 'INT', '--', 'true']))
    ? 'signal'
    : 'watchdog'
}

function prefix(privileges: Privileges): readonly string[] {
  switch (privileges.kind) {
    case 'plain':
      return []
    case 'namespace':
      return [...NAMESPACE, '--']
    case 'user':
      return ['setpriv', '--reuid', String(privileges.uid), '--regid', String(privileges.gid), '--clear-groups', '--']
  }
}

async function works(privileges: Privileges, program: string): Promise<boolean> {
  // This also proves that the other user can reach the program: a checkout below /root cannot be read by anybody else.
  const { file, args } = withPrivileges(privileges, {
    file: 'sh',
    args: ['-c', 'test "$(id -u)" != 0 && "$1" --version', 'sh', program],
  })
  return succeeds(file, args)
}

async function succeeds(file: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(file, [...args], { timeout: 10_000 })
    return true
  } catch {
    // This is a probe. A program that is missing, forbidden or broken only means that another way is taken.
    return false
  }
}

async function accountsToBecome(): Promise<readonly Privileges[]> {
  if (process.platform !== 'linux') return []
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = lines.find(([known]) => known === name) ?? []
    return uid === undefined || gid === undefined ? [] : [{ kind: 'user' as const, uid: Number(uid), gid: Number(gid) }]
  })
}
