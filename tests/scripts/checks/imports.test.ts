import { expect, test } from 'vitest'
import { checkImports } from '#scripts/checks/imports.ts'
import type { SourceFile } from '#scripts/checks/sources.ts'

/** The objections to a project that consists of these files. */
function objections(files: Record<string, string>): string[] {
  const sources: SourceFile[] = Object.entries(files).map(([path, text]) => ({ path, text }))
  return checkImports(sources).map(({ path, line, message }) => `${path}:${line} ${message}`)
}

test('the house as it is meant to be raises no objection', () => {
  const house = {
    'core/form/engine/engine.ts': "import { parse } from '#core/rules/parse.ts'\nexport const engine = parse",
    'core/rules/parse.ts': "import { parse as cel } from '@marcbachmann/cel-js'\nexport const parse = cel",
    'core/shell.ts': "export const KILL_SWITCH = 'x'",
    'offline/outbox.ts':
      "import Dexie from 'dexie'\nimport { engine } from '#core/form/engine/engine.ts'\nexport const o = [Dexie, engine]",
    'workers/sync.worker.ts':
      "import { o } from '#offline/outbox.ts'\nexport const api = o\nexport type Api = typeof api",
    'sw/sw.ts':
      "import { precache } from 'workbox-precaching'\nimport { KILL_SWITCH } from '#core/shell.ts'\nprecache(KILL_SWITCH)",
    'src/data/hooks/sync.ts':
      "import Start from '#workers/sync.worker.ts?worker'\nimport type { Api } from '#workers/sync.worker.ts'\nexport const s: Api = new Start()",
    'src/screens/login/Login.tsx':
      "import { s } from '#src/data/hooks/sync.ts'\nimport { Box } from '#src/ui/Box.tsx'\nexport const L = <Box s={s} />",
    'src/ui/Box.tsx': "import { Box as B } from '@mantine/core'\nexport const Box = B",
    'server/app.ts':
      "import { readFile } from 'node:fs'\nimport { engine } from '#core/form/engine/engine.ts'\nexport const a = [readFile, engine]",
    'tests/server/app.test.ts':
      "import { a } from '#server/app.ts'\nimport { o } from '#offline/outbox.ts'\nexport const t = [a, o]",
  }
  expect(objections(house)).toEqual([])
})

test.each([
  ['core imports the server', 'core/a.ts', "import { b } from '#server/b.ts'", 'core must not import server'],
  [
    'core imports a type of the device',
    'core/a.ts',
    "import type { B } from '#offline/b.ts'",
    'core must not import offline',
  ],
  [
    'core names a type of the device in place',
    'core/a.ts',
    "export type A = import('#offline/b.ts').B",
    'core must not import offline',
  ],
  ['core uses Node', 'core/a.ts', "import fs from 'node:fs'", 'core must not import node:fs'],
  ['core uses React', 'core/a.ts', "import { memo } from 'react'", 'core must not import react'],
  ['the device loads the app lazily', 'offline/a.ts', "void import('#src/b.ts')", 'offline must not import src'],
  [
    'the app passes on what the server has',
    'src/a.ts',
    "const c = 1\nexport { c }\nexport { b } from '#server/b.ts'",
    'src must not import server',
  ],
  [
    'the app pulls a worker into the page',
    'src/a.ts',
    "import { api } from '#workers/b.ts'",
    'src must not import workers',
  ],
  ['the app uses the database driver', 'src/a.ts', "import pg from 'pg'", 'src must not import pg'],
  ['the server uses the device', 'server/a.ts', "import { b } from '#offline/b.ts'", 'server must not import offline'],
  [
    'the server uses React',
    'server/a.ts',
    "import { x } from 'react-dom/server'",
    'server must not import react-dom/server',
  ],
  ['the service worker keeps data', 'sw/a.ts', "import Dexie from 'dexie'", 'sw must not import dexie'],
  ['the product uses its tests', 'core/a.ts', "import { b } from '#tests/b.ts'", 'core must not import tests'],
  ['another folder by a relative path', 'server/areas/a.ts', "import { b } from '../../core/b.ts'", 'write #core/b.ts'],
  [
    'one screen uses another',
    'src/screens/login/a.tsx',
    "import { b } from '#src/screens/home/b.tsx'",
    'screen login must not import screen home',
  ],
  [
    'one screen uses another relatively',
    'src/screens/login/a.tsx',
    "import { b } from '../home/b.tsx'",
    'screen login must not import screen home',
  ],
  ['a visual piece knows data', 'src/ui/a.tsx', "import { b } from '#src/data/b.ts'", 'src/ui knows no data'],
])('%s: refused', (_what, path, text, objection) => {
  expect(objections({ [path]: text })).toEqual([expect.stringContaining(objection)])
})

test('the service worker takes constants from core, not modules that bring others along', () => {
  const files = {
    'sw/sw.ts': "import { C } from '#core/c.ts'\nC()",
    'core/c.ts': "import { v7 } from 'uuid'\nexport const C = v7",
  }
  expect(objections(files)).toEqual([expect.stringContaining('sw may import only constants from core')])
})

test('a circle of imports is named once, with everybody in it', () => {
  const files = {
    'core/a.ts': "import { b } from './b.ts'\nexport const a = b",
    'core/b.ts': "import { c } from '#core/c.ts'\nexport const b = c",
    'core/c.ts': "import type { A } from '#core/a.ts'\nexport const c: A = 1",
    'core/d.ts': "import { a } from '#core/a.ts'\nexport const d = a",
  }
  expect(objections(files)).toEqual(['core/a.ts:1 is part of an import cycle: core/a.ts, core/b.ts, core/c.ts'])
})

test('a file that only passes on what others make is a barrel', () => {
  const files = {
    'core/index.ts': "export * from './a.ts'\nexport { b } from './b.ts'",
    'core/a.ts': '',
    'core/b.ts': '',
  }
  expect(objections(files)).toEqual([expect.stringContaining('core/index.ts:1 is a barrel file')])
})

test('the line is right after Chinese text', () => {
  const text = "// 受试者的数据从不丢失\n/* 随访\n   访视 */\nimport fs from 'node:fs'"
  expect(objections({ 'core/a.ts': text })).toEqual([expect.stringContaining('core/a.ts:4 ')])
})
