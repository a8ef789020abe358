import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_STORIES, SECOND_RING, otherStories } from '#scripts/lib/rings.ts'
import { root } from '#scripts/lib/run.ts'

test('every file that a ring names is there, or its tests would be in none', () => {
  expect([...SECOND_RING, ...FIRST_STORIES].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('every story is in one ring', () => {
  expect(FIRST_STORIES.filter((file) => otherStories().includes(file))).toEqual([])
  expect(otherStories().length).toBeGreaterThan(20)
})
