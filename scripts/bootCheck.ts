import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#scripts/lib/ports.ts'
import { root, seconds } from '#scripts/lib/run.ts'

/**
 * Proves that `npm start` starts a server: on a free port with a data folder of its own, it answers /readyz, and ends
 * by itself with code 0 when it is told to stop. Used by .ci/run, as root and as another user.
 */
const READY_LIMIT_MS = 150_000
const STOP_LIMIT_MS = 30_000

const port = await freePort()
const dataDir = await mkdtemp(path.join(tmpdir(), 'zl-boot-'))
const started = performance.now()
// A process group of its own, so that nothing of it is left running.
const server = spawn('npm', ['start'], {
  cwd: root,
  env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir },
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
})
const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
  server.once('close', (code, signal) => resolve(code ?? signal))
  server.once('error', (error) => {
    console.error(error.message)
    resolve(1)
  })
})
process.once('exit', killGroup)

const problem = (await untilReady()) ?? (await untilStopped())
await rm(dataDir, { recursive: true, force: true })
if (problem !== undefined) {
  console.error(`boot: ${problem}`)
  process.exit(1)
}
console.log(
  `boot: npm start came up and stopped cleanly (${seconds(performance.now() - started)}, uid ${process.getuid?.() ?? '?'})`,
)

async function untilReady(): Promise<string | undefined> {
  const deadline = Date.now() + READY_LIMIT_MS
  let gone = false
  void ended.then(() => (gone = true))
  while (Date.now() < deadline) {
    if (gone) return 'the server ended before it was ready'
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) })
      if (answer.ok) return undefined
    } catch (error) {
      // Nobody listens yet. Any error but a failed connection is a fault of this script.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    }
    await sleep(200)
  }
  return `the server was not ready within ${seconds(READY_LIMIT_MS)}`
}

async function untilStopped(): Promise<string | undefined> {
  server.kill('SIGTERM')
  const how = await Promise.race([ended, sleep(STOP_LIMIT_MS, 'late' as const, { ref: false })])
  if (how === 'late') return `the server did not stop within ${seconds(STOP_LIMIT_MS)}`
  const open = await fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  )
  return open ? 'the server went on after npm start had ended' : undefined
}

function killGroup(): void {
  if (server.pid === undefined) return
  try {
    process.kill(-server.pid, 'SIGKILL')
  } catch (error) {
    // ESRCH: the whole group has ended by itself, as it should.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
