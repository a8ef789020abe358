/** Who may import whom, as data. scripts/checks/imports.ts applies them. */

export type Layer = Readonly<{
  /** Other top-level folders that this one may import. */
  may: readonly string[]
  /** Packages it may import: only those listed, or all but those listed. `node:` stands for Node's built-in modules. */
  packages: Readonly<{ only: readonly string[] }> | Readonly<{ never: readonly string[] }>
}>

const SERVER_PACKAGES = ['fastify', '@fastify', 'fastify-plugin', 'fastify-type-provider-zod', 'pg', 'kysely', '@node-rs/argon2']
const PAGE_PACKAGES = ['react', 'react-dom', 'react-router-dom', 'react-i18next', '@mantine', '@tabler', '@tanstack']
const DEVICE_PACKAGES = ['dexie', 'comlink', 'ky', 'workbox-core', 'workbox-precaching', 'workbox-routing', 'workbox-window']
const TEST_PACKAGES = ['vitest', '@playwright/test', '@testing-library', 'fake-indexeddb', 'fast-check', 'jsdom', 'vite']

/** The product's layers. Tests, benchmarks and scripts may import anything of ours; none of these may import them. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  // Runs on tablet and server alike: a package gets in here only if it is pure computation.
  core: { may: [], packages: { only: ['zod', 'uuid', '@marcbachmann/cel-js', 're2js', 'dayjs', 'fflate', 'saxes'] } },
  offline: { may: ['core'], packages: { never: ['node:', ...SERVER_PACKAGES, ...PAGE_PACKAGES, ...TEST_PACKAGES] } },
  workers: { may: ['offline', 'core'], packages: { never: ['node:', ...SERVER_PACKAGES, ...PAGE_PACKAGES, ...TEST_PACKAGES] } },
  sw: { may: ['core'], packages: { only: ['workbox-core', 'workbox-precaching', 'workbox-routing'] } },
  src: { may: ['offline', 'core'], packages: { never: ['node:', ...SERVER_PACKAGES, ...TEST_PACKAGES] } },
  server: { may: ['core'], packages: { never: [...PAGE_PACKAGES, ...DEVICE_PACKAGES, ...TEST_PACKAGES] } },
}

/** What the pieces of `src/ui` must not know: data, and those who have it. */
export const UI_NEVER = ['src/data/', 'src/session/', 'src/app/', 'src/screens/', 'src/form/', 'offline/']
