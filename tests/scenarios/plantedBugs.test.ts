import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { plant, plantedBugs } from './simulator/plantedBugs.ts'

/** Whether they are found takes long (tests/long/plantedBugs.test.ts); that each can still be made is looked at with every change. */
describe('mistakes that the histories must find', () => {
  test('have names of their own', () => {
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length)
  })

  test.for(plantedBugs)('$name: the place is still there', async (bug) => {
    const source = await readFile(join(import.meta.dirname, '..', '..', bug.file), 'utf8')
    expect(plant(bug, source)).not.toBe(source)
  })
})
