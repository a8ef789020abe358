import { spawn } from 'node:child_process'
import { createServer } from 'vite'

/**
 * `npm run dev [-- arguments of the server]`: the app, which shows edits at once, in front of the server, which
 * restarts after an edit. Use the address that Vite prints. There is no service worker: test offline starts with `npm
 * start`.
 */
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'scripts/lib/devServer.ts', ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
const app = await createServer()
await app.listen()
app.printUrls()

let stopping = false
function stop(): void {
  if (stopping) return
  stopping = true
  server.kill('SIGTERM')
  void app.close()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
server.on('exit', (code) => {
  void app.close().then(() => process.exit(stopping ? 0 : (code ?? 1)))
})
