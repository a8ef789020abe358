import { buildWeb, isWebBuilt } from '#scripts/lib/webBuild.ts'

/**
 * `npm start [-- arguments]`: builds the app where that is due, then becomes the server. It is the same process, so
 * that a stop signal reaches the server, and a kill leaves no process behind.
 */
if (!isWebBuilt()) {
  console.log('Building the app …')
  if (!(await buildWeb())) process.exit(1)
}
const { main } = await import('#server/main.ts')
await main(process.argv.slice(2), process.env)
