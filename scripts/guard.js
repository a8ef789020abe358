/**
 * Version guard: `node scripts/guard.js <script> [arguments]` runs a script of this project under Node 24 or later.
 *
 * It is plain JavaScript with built-in modules only, because an older Node cannot load TypeScript at all. npm puts the
 * Node that the project brings (optionalDependencies `node-<platform>-<arch>`) first in the PATH of npm scripts;
 * started by hand under an older one, this file hands over to it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const REQUIRED_MAJOR = 24
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/**
 * Ends this process with a message for the person at the terminal.
 *
 * @param {string} message
 * @returns {never}
 */
function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** The Node binary that `npm ci` brought for this platform, or undefined where npm has none (macOS). */
function ownNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const candidates = [
    path.join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', name),
    path.join(root, 'node_modules', '.bin', name),
  ]
  return candidates.find((candidate) => existsSync(candidate))
}

/**
 * Runs this guard again under `binary`, and ends as it ends. Signals are passed on, so that a supervisor can stop the
 * server.
 *
 * @param {string} binary
 */
function handOver(binary) {
  const child = spawn(binary, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group: the child has it already, and twice would mean "now".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', (error) => refuse(`Cannot start ${binary}: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]))
}

const [script, ...rest] = process.argv.slice(2)
if (script === undefined) refuse('Usage: node scripts/guard.js <script> [arguments]')
if (!existsSync(path.join(root, 'node_modules')))
  refuse('The packages of this project are not installed: run `npm ci` first.')

if (Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR) {
  const file = path.resolve(root, script)
  process.argv = [process.execPath, file, ...rest]
  // Not in a folder that other users of the machine may write to; where this user may not, everything is compiled as
  // before.
  nodeModule.enableCompileCache(path.join(root, 'node_modules/.cache/compiled'))
  await import(pathToFileURL(file).href)
} else {
  const binary = ownNode()
  if (binary === undefined) {
    refuse(
      `This project needs Node ${REQUIRED_MAJOR} or later; this is ${process.version}, and npm brings none for ` +
        `${process.platform} ${process.arch}. Install it from https://nodejs.org and try again.`,
    )
  }
  handOver(binary)
}
