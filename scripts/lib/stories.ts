import { readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '#scripts/lib/run.ts'

/** What `npm test` leads a browser through: a day of a ward from sign-in to what the server holds of it, one tablet and two shifts, and what the first page may weigh. */
export const FIRST_STORIES: readonly string[] = ['e2e/story.spec.ts', 'e2e/shift.spec.ts', 'e2e/budget.spec.ts']

/** All the others, by their files. */
export function otherStories(folder: string = root): readonly string[] {
  const all = readdirSync(path.join(folder, 'e2e')).filter((name) => name.endsWith('.spec.ts')).map((name) => `e2e/${name}`)
  return all.filter((file) => !FIRST_STORIES.includes(file))
}
