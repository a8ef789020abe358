import path from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'

const PAGE = path.join(import.meta.dirname, 'page')

/** Builds the page of the tablets, with the app's own parts in it, into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  await build({
    root: PAGE,
    configFile: false,
    logLevel: 'error',
    // Served below a path of the proxy's.
    base: './',
    worker: { format: 'es', plugins: () => [threadsFollowTheClock()] },
    build: { outDir, emptyOutDir: true, target: 'es2022', minify: false },
  })
}

/** Lets the clock of the app's threads be set wrong, before anything in them looks at it. */
function threadsFollowTheClock(): Plugin {
  return {
    name: 'threads-follow-the-clock',
    transform: (code, id) =>
      id.endsWith('/workers/sync.worker.ts')
        ? `import ${JSON.stringify(path.join(PAGE, 'threadClock.ts'))}\n${code}`
        : null,
  }
}
