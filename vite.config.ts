import { existsSync } from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { withFirstPaint } from '#scripts/lib/firstPaint.ts'
import { startPictureTags } from '#scripts/lib/startPictures.ts'

/** Where the server listens while the app is developed. */
const DEV_SERVER = 'http://127.0.0.1:8080'

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const closures = new Map<string, Set<string>>()

/** Whether a script of the app imports a module, by itself or through others, without waiting for it. */
function reaches(script: string, id: string, modules: Modules): boolean {
  let closure = closures.get(script)
  if (closure === undefined) {
    const file = path.join(import.meta.dirname, script)
    // One that was moved would be reached by nothing, and what belongs together would come in pieces.
    if (!existsSync(file)) throw new Error(`${script} is not there`)
    closure = new Set([file])
    // A set that grows while it is walked is walked to its end.
    for (const known of closure)
      for (const imported of modules.getModuleInfo(known)?.importedIds ?? []) closure.add(imported)
    closures.set(script, closure)
  }
  return closure.has(id)
}

/** Parts of a package that are reached by its index alone: a sign-in derives no ids. */
const DERIVED_IDS = /uuid[\\/]dist[\\/](?:v35|v5|sha1|parse)\.js$/

export default defineConfig({
  plugins: [
    react(),
    { name: 'start-pictures', transformIndexHtml: startPictureTags },
    { name: 'first-paint', transformIndexHtml: { order: 'post', handler: withFirstPaint } },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      registerType: 'prompt',
      // src/app/update/updates.ts registers the worker: it decides when an update may take over.
      injectRegister: false,
      manifest: {
        id: '/',
        name: '证录',
        short_name: '证录',
        description: '可离线使用的临床研究电子数据采集平台',
        lang: 'zh-CN',
        dir: 'ltr',
        categories: ['medical', 'productivity'],
        start_url: '/',
        scope: '/',
        display: 'standalone',
        // A tablet is held as the bed allows.
        orientation: 'any',
        background_color: '#f4f6f9',
        theme_color: '#005ca8',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
        ],
      },
      injectManifest: {
        // The manifest is added by the plugin itself; source maps are for whoever opens the tools, not for the tablet.
        globPatterns: ['**/*.{js,css,html,svg,png,woff2}'],
        // iPadOS keeps the one that it needs.
        globIgnores: ['splash/**'],
        maximumFileSizeToCacheInBytes: 3 * 1024 * 1024,
      },
    }),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes seldom is cached apart from what changes with every release.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom)[\\/]/ },
            // Sign-in needs these two wholes: as one file each they are smaller and come sooner than as forty shared
            // pieces.
            { name: 'start', tags: ['$initial'] },
            {
              debugName: 'session',
              name: (id, modules) =>
                reaches('src/session/tabSession.ts', id, modules) && !DERIVED_IDS.test(id) ? 'session' : null,
            },
            {
              // Comes while a password is typed: one way to the server and back, not one after another.
              debugName: 'client',
              name: (id, modules) => (reaches('src/session/calls/client.ts', id, modules) ? 'client' : null),
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: DEV_SERVER, changeOrigin: false } } },
})
