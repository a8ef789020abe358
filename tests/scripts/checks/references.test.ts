import { expect, test } from 'vitest'
import { checkElsewhere, checkReferences } from '#scripts/checks/references.ts'

const isThere = (target: string) => ['docs/adr/0001-ids.md', 'README.md', 'core/json.ts'].includes(target)
const of = (path: string, text: string) =>
  checkReferences([{ path, text }], isThere).map(({ line, message }) => `${line} ${message}`)

test('a document names only what is there', () => {
  expect(of('docs/architecture.md', 'See [ids](adr/0001-ids.md), [start](../README.md) and `core/json.ts`.')).toEqual(
    [],
  )
  expect(
    of('docs/architecture.md', 'See [ids](adr/0002-gone.md).\nAnd `core/gone.ts`, or core/also/gone.tsx.'),
  ).toEqual([
    '1 "docs/adr/0002-gone.md" is not there',
    '2 "core/gone.ts" is not there',
    '2 "core/also/gone.tsx" is not there',
  ])
})

test('an address elsewhere, a place in the same document and a pattern of names are no paths', () => {
  expect(
    of(
      'README.md',
      '[a](https://example.org/core/x.ts) [b](#run-it) `core/api/calls.*.ts` `src/i18n/zh/<namespace>.ts`',
    ),
  ).toEqual([])
})

test('a decision record may name a file that there was when it was made', () => {
  expect(of('docs/adr/0003-old.md', 'in `core/old.ts`, see [1](0001-ids.md)')).toEqual([])
  expect(of('docs/adr/0003-old.md', 'see [2](0002-gone.md)')).toEqual(['1 "docs/adr/0002-gone.md" is not there'])
})

test('a comment names no section of a document that a reader of the repository does not have', () => {
  const comment = (words: string) =>
    checkElsewhere([{ path: 'core/a.ts', text: `// ${words}\n` }]).map(({ line }) => line)
  expect(comment(`as D${'ESIGN'} §7 has it`)).toEqual([1])
  expect(comment('as specification §7 has it (ADR 12)')).toEqual([])
})
