/** Who may import whom, as data. scripts/checks/imports.ts applies them. */

export type Layer = Readonly<{
  /** Other top-level folders that this one may import. */
  may: readonly string[]
  /** Packages it may import: only those listed, or all but those listed. `node:` stands for Node's built-in modules. */
  packages: Readonly<{ only: readonly string[] }> | Readonly<{ never: readonly string[] }>
}>

const SERVER_PACKAGES = [
  'fastify',
  '@fastify',
  'fastify-plugin',
  'fastify-type-provider-zod',
  'pg',
  'kysely',
  '@node-rs/argon2',
]
const PAGE_PACKAGES = [
  'react',
  'react-dom',
  'react-router-dom',
  'react-i18next',
  '@mantine',
  '@tabler',
  '@tanstack',
  '@atlaskit',
]
const DEVICE_PACKAGES = [
  'dexie',
  'comlink',
  'ky',
  'workbox-core',
  'workbox-precaching',
  'workbox-routing',
  'workbox-window',
]
const TEST_PACKAGES = [
  'vitest',
  '@playwright/test',
  '@testing-library',
  'fake-indexeddb',
  'fast-check',
  'jsdom',
  'vite',
]

/** The product's layers. Tests, benchmarks and scripts may import anything of ours; none of these may import them. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  // Runs on tablet and server alike: a package gets in here only if it is pure computation.
  core: { may: [], packages: { only: ['zod', 'uuid', '@marcbachmann/cel-js', 're2js', 'dayjs', 'fflate', 'saxes'] } },
  offline: { may: ['core'], packages: { never: ['node:', ...SERVER_PACKAGES, ...PAGE_PACKAGES, ...TEST_PACKAGES] } },
  workers: {
    may: ['offline', 'core'],
    packages: { never: ['node:', ...SERVER_PACKAGES, ...PAGE_PACKAGES, ...TEST_PACKAGES] },
  },
  sw: { may: ['core'], packages: { only: ['workbox-core', 'workbox-precaching', 'workbox-routing'] } },
  src: { may: ['offline', 'core'], packages: { never: ['node:', ...SERVER_PACKAGES, ...TEST_PACKAGES] } },
  server: { may: ['core'], packages: { never: [...PAGE_PACKAGES, ...DEVICE_PACKAGES, ...TEST_PACKAGES] } },
}

/** What the components in `src/ui` must not import: data, and code that has data. */
export const UI_NEVER = ['src/data/', 'src/session/', 'src/app/', 'src/frame/', 'src/screens/', 'src/form/', 'offline/']

/**
 * The rooms within each part of the project, lowest first: a room imports only from rooms before it. `.` stands for
 * files outside of all rooms. Keep this order, and put a new room at its place in it.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [
    '.',
    'values',
    'rules',
    'wire',
    'sync',
    'form',
    'files',
    'review',
    'access',
    'study',
    'dataset',
    'report',
    'statistics',
    'analysis',
    'api',
    'exchange',
    'design',
  ],
  offline: ['.', 'db', 'vault', 'outbox', 'net', 'files', 'sync', 'draft'],
  src: ['data', 'log', 'parts', 'session', 'saving', 'ui', 'paths', 'i18n', 'form', 'frame', 'screens', 'app', '.'],
  'server/areas': [
    'auth',
    'notice',
    'patient',
    'entry',
    'search',
    'doubleEntry',
    'project',
    'projectDict',
    'dict',
    'template',
    'version',
    'uat',
    'task',
    'account',
    'member',
    'message',
    'noticeWays',
    'visit',
    'query',
    'attachment',
    'work',
    'review',
    'audit',
    'dataset',
    'statistics',
    'database',
    'log',
    'sync',
    'report',
    'reportMail',
  ],
}

/**
 * Imports against that order, with the reason. None is added without a reason, and one that is no longer needed must be
 * removed.
 */
export const UPWARD: Readonly<Record<string, string>> = {
  'core/api/calls/template.ts > core/design/library/libraryPage.ts': 'a call carries what the designer keeps of a page',
  'core/api/calls/version.ts > core/design/difference/changeSummary.ts': 'likewise what a version changed',
  'core/wire/designStep.ts > core/design/difference/versionDifference.ts':
    'the kinds of what was done are those of a difference',
  'offline/db/room.ts > offline/files/drop.ts': 'a full disk lets go of copies of files',
  'offline/db/wipe.ts > offline/files/onlyHere.ts': 'a device is emptied of all but what is only there',
  'offline/db/wipe.ts > offline/sync/cache.ts': 'likewise',
  'offline/files/named.ts > offline/sync/context.ts': 'what a cycle of sync hands to each step',
  'offline/files/send.ts > offline/sync/context.ts': 'likewise',
  'offline/outbox/outbox.ts > offline/files/upkeep.ts': 'a save puts its photographs on their way in the same write',
  'server/areas/entry/open.ts > server/areas/doubleEntry/ignoredAfter.ts':
    'accepted differences follow the page that is brought to a release',
  'server/areas/entry/target.ts > server/areas/visit/store.ts': 'a page may lie in an unscheduled visit',
  'server/areas/patient/list.ts > server/areas/entry/reading/onPage.ts': 'patients are listed by what stands on a page',
  'server/areas/patient/list.ts > server/areas/search/find.ts': 'patients are listed by what a kept search finds',
  'src/data/lists/readHome.ts > src/session/api.ts': 'the type of the client that asks',
  'src/data/rows/context.ts > src/session/api.ts': 'likewise',
  'src/data/rows/context.ts > src/session/types.ts': 'the type of who asks',
  'src/data/server.ts > src/session/api.ts': 'the type of the client that asks',
  'src/data/server.ts > src/session/useSession.ts': 'online calls are made by who is signed in',
  'src/frame/layouts/AppFrame.tsx > src/app/ahead/PreparedScreens.tsx':
    'screens that are drawn ahead lie in the frame’s outlet',
}

/**
 * A folder with more code files than this cannot be read at a glance. Text files are not counted: each has one subject.
 */
export const MOST_FILES_IN_A_ROOM = 20
export const FOLDERS_OF_TEXTS: readonly string[] = ['src/i18n/zh', 'src/i18n/en']
