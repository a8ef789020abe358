import { expect, test } from 'vitest'
import { checkRoomOrder, checkRoomSizes } from '#scripts/checks/rooms.ts'

function objections(...imports: readonly (readonly [from: string, target: string])[]): string[] {
  return checkRoomOrder(imports.map(([from, target]) => ({ from, target, line: 3 }))).map(
    ({ path, line, message }) => `${path}:${line} ${message}`,
  )
}

test('a room imports those below it, and its own', () => {
  expect(
    objections(
      ['core/form/engine/engine.ts', 'core/rules/rule.ts'],
      ['core/form/engine/engine.ts', 'core/form/definition/page.ts'],
      ['core/form/engine/engine.ts', 'core/json.ts'],
      ['src/screens/home/HomeScreen.tsx', 'src/frame/preferences.ts'],
      ['src/app/routes/screens.ts', 'src/screens/home/HomeScreen.tsx'],
      ['server/areas/entry/write.ts', 'server/areas/patient/store.ts'],
    ),
  ).toEqual([])
})

test.each([
  ['rules know no form', 'core/rules/rule.ts', 'core/form/definition/page.ts', 'core/rules lies below core/form'],
  [
    'a screen does not know the roof',
    'src/screens/home/HomeScreen.tsx',
    'src/app/App.tsx',
    'src/screens lies below src/app',
  ],
  ['what lies in no room is lowest', 'core/json.ts', 'core/rules/rule.ts', 'core/. lies below core/rules'],
  [
    'an area does not know those above it',
    'server/areas/patient/store.ts',
    'server/areas/sync/pull.ts',
    'server/areas/patient lies below server/areas/sync',
  ],
  ['a new room has a place first', 'core/weather/rain.ts', 'core/json.ts', 'core/weather has no place'],
])('%s', (_what, from, target, objection) => {
  expect(objections([from, target])).toEqual([expect.stringContaining(objection)])
})

test('parts of the house are kept apart by the layers, not by their rooms', () => {
  expect(
    objections(['src/data/device/device.ts', 'offline/sync/cycle.ts'], ['server/app.ts', 'server/areas/sync/pull.ts']),
  ).toEqual([])
})

test('an exception that nobody needs any more is named', () => {
  expect(objections(['server/areas/patient/list.ts', 'server/areas/patient/store.ts'])).toEqual([
    expect.stringContaining(
      'nobody needs the exception “server/areas/patient/list.ts > server/areas/entry/reading/onPage.ts”',
    ),
    expect.stringContaining('nobody needs the exception “server/areas/patient/list.ts > server/areas/search/find.ts”'),
  ])
})

test('a folder of the product holds at most 20 files of code; tests and texts may hold more', () => {
  const filled = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ path: `${folder}/file${at}.ts`, text: '' }))
  expect(
    checkRoomSizes([...filled('core/rules', 20), ...filled('tests/core/rules', 30), ...filled('src/i18n/zh', 33)]),
  ).toEqual([])
  expect(checkRoomSizes(filled('core/rules', 21)).map(({ path, message }) => `${path} ${message}`)).toEqual([
    expect.stringContaining('core/rules holds 21 files'),
  ])
})
