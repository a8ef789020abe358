import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SECOND_RING } from '#scripts/lib/rings.ts'
import { featuresTakenOut } from '#tests/long/support/featuresTakenOut.ts'
import { mistakes } from '#tests/long/support/mistakes.ts'
import { plant } from './simulator/plantedBugs.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Whether they are found takes long (tests/long); that each can still be made is looked at with every change. */
describe('mistakes that histories or tests must find', () => {
  test('have names of their own', () => {
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length)
  })

  test.for(mistakes)('$name: the place is still there', async (bug) => {
    const source = await readFile(join(ROOT, bug.file), 'utf8')
    expect(plant(bug, source)).not.toBe(source)
  })
})

test.for(featuresTakenOut)(
  'without the feature that $name: the test that must notice is in the $ring ring',
  ({ ring, test: file }) => {
    expect(existsSync(join(ROOT, file))).toBe(true)
    expect(SECOND_RING.includes(file)).toBe(ring === 'second')
  },
)
