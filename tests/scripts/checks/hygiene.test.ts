import { expect, test } from 'vitest'
import { checkLength, checkUnfinished } from '#scripts/checks/hygiene.ts'

const long = (lines: number) => 'const a = 1\n'.repeat(lines)

test('a file is warned about over 300 lines and refused over 450; tests may be longer', () => {
  const { failures, warnings } = checkLength([
    { path: 'core/short.ts', text: long(300) },
    { path: 'core/longer.ts', text: long(301) },
    { path: 'core/limit.ts', text: long(450) },
    { path: 'core/long.ts', text: long(451) },
    { path: 'tests/core/long.test.ts', text: long(900) },
  ])
  expect(failures.map(({ path }) => path)).toEqual(['core/long.ts'])
  expect(warnings.map(({ path }) => path)).toEqual(['core/longer.ts', 'core/limit.ts'])
})

test('marks of unfinished work and tests left out are found with their line', () => {
  // Put together from pieces, as the check reads this file too.
  const text = ['const a = 1', `// TO${'DO'}: later`, `test.sk${'ip'}('x', f)`, `test.on${'ly'}('y', f)`, 'list.skipped(1)'].join('\n')
  expect(checkUnfinished([{ path: 'core/a.ts', text }]).map(({ line }) => line)).toEqual([2, 3, 4])
})
