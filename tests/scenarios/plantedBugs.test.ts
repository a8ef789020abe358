import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { undoneFindings } from '#tests/long/support/undoneFindings.ts'
import { plant, plantedBugs } from './simulator/plantedBugs.ts'

const mistakes = [...plantedBugs, ...undoneFindings]

/** Whether they are found takes long (tests/long); that each can still be made is looked at with every change. */
describe('mistakes that histories or tests must find', () => {
  test('have names of their own', () => {
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length)
  })

  test.for(mistakes)('$name: the place is still there', async (bug) => {
    const source = await readFile(join(import.meta.dirname, '..', '..', bug.file), 'utf8')
    expect(plant(bug, source)).not.toBe(source)
  })
})
