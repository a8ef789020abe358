import { expect, test } from 'vitest'
import { checkCasts, checkComments, checkLength, checkParameters, checkUnfinished } from '#scripts/checks/hygiene.ts'

const long = (lines: number) => 'const a = 1\n'.repeat(lines)

test('a file is warned about over 400 lines and refused over 600; tests may be longer', () => {
  const { failures, warnings } = checkLength([
    { path: 'core/short.ts', text: long(400) },
    { path: 'core/longer.ts', text: long(401) },
    { path: 'core/limit.ts', text: long(600) },
    { path: 'core/long.ts', text: long(601) },
    { path: 'tests/core/long.test.ts', text: long(900) },
  ])
  expect(failures.map(({ path }) => path)).toEqual(['core/long.ts'])
  expect(warnings.map(({ path }) => path)).toEqual(['core/longer.ts', 'core/limit.ts'])
})

test('marks of unfinished work and tests left out are found with their line', () => {
  // Put together from pieces, as the check reads this file too.
  const text = [
    'const a = 1',
    `// TO${'DO'}: later`,
    `test.sk${'ip'}('x', f)`,
    `test.on${'ly'}('y', f)`,
    'list.skipped(1)',
  ].join('\n')
  expect(checkUnfinished([{ path: 'core/a.ts', text }]).map(({ line }) => line)).toEqual([2, 3, 4])
})

test('a comment that goes past the width of code is found, and no text that is as long', () => {
  const wide = 'x'.repeat(120)
  const text = [`// ${wide}`, `const a = '${wide}'`, ` * ${wide}`, `  /** ${wide} */`, `// ${'x'.repeat(117)}`].join(
    '\n',
  )
  expect(checkComments([{ path: 'core/a.ts', text }]).map(({ line }) => line)).toEqual([1, 3, 4])
})

test('no test is left out on any machine, and none claims what holds anyway', () => {
  // Put together from pieces, too.
  const left = [
    `test.run${'If'}(here)('x', f)`,
    `it.sk${'ipIf'}(there)('x', f)`,
    `test.to${'do'}('x')`,
    `describe.sk${'ip'}.each(all)('x', f)`,
    `test.fix${'me'}('x', f)`,
    `test('x', { sk${'ip'}: !here }, f)`,
    `test('x', ({ sk${'ip'}: leave }) => leave())`,
    `sk${'ip'}('not here')`,
    `ex${'pect'}(true).toBe(true)`,
    `ex${'pect'}('a').toBe('a')`,
    `ex${'pect'}( 1, 'one').toBe(1)`,
  ]
  const right = [
    'await schedule.runIfDue()',
    'work.todo.map(String)',
    "call(who, 'entry.todo', { query })",
    'test.each(here ? [1] : [])(f)',
    'expect(trueOnes).toBe(true)',
    "parser.#expect('(')",
    'const skipped = 1',
  ]
  const linesOf = (path: string, lines: readonly string[]) =>
    checkUnfinished([{ path, text: lines.join('\n') }]).map(({ line }) => line)
  expect(linesOf('tests/core/a.test.ts', left)).toEqual(left.map((_, at) => at + 1))
  expect(linesOf('e2e/a.spec.ts', left)).toEqual(left.map((_, at) => at + 1))
  expect(linesOf('tests/core/a.test.ts', right)).toEqual([])
  // Outside of tests these are words like others.
  expect(linesOf('core/a.ts', left)).toEqual([])
})

test('a parameter of SQL that is counted by hand beyond nine is found on the server alone', () => {
  const text = "const nine = '$9'\nconst ten = '$10'\nconst later = `${'$45'}::text[]`"
  expect(checkParameters([{ path: 'server/a.ts', text }]).map(({ line }) => line)).toEqual([2, 3])
  expect(checkParameters([{ path: 'core/a.ts', text }])).toEqual([])
})

test('a cast past all types is found in the product, but for a file that a library forces to it', () => {
  const text = ['const a = b as A', `const c = d as unknown ${'as'} C`, `const e = (`, '  f as unknown', `) ${'as'} E`]
  const broken = `const g = h as unknown\n  ${'as'} G`
  const files = [
    { path: 'core/a.ts', text: text.join('\n') },
    { path: 'server/b.ts', text: broken },
    { path: 'tests/core/a.test.ts', text: text.join('\n') },
  ]
  const found = (forced?: Readonly<Record<string, string>>) =>
    checkCasts(files, forced).map(({ path, line }) => `${path}:${line}`)
  expect(found({})).toEqual(['core/a.ts:2', 'server/b.ts:1'])
  expect(found({ 'server/b.ts': 'a library' })).toEqual(['core/a.ts:2'])
  // Whoever is forced no more has to go from the list.
  expect(found({ 'core/c.ts': 'a library' })).toEqual(['core/a.ts:2', 'server/b.ts:1', 'core/c.ts:1'])
})
