import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isWebBuilt } from '#scripts/lib/webBuild.ts'

let folder: string

/** Writes a file and dates it and its folder, in minutes before now. */
async function file(name: string, minutesAgo: number): Promise<void> {
  const target = path.join(folder, name)
  const time = new Date(Date.now() - minutesAgo * 60_000)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, '')
  await utimes(target, time, time)
  await utimes(path.dirname(target), time, time)
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zl-build-'))
  await file('src/ui/Box.tsx', 60)
  await file('src/main.tsx', 60)
  await file('core/ids.ts', 60)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a fresh clone is not built', () => {
  expect(isWebBuilt(folder)).toBe(false)
})

test('a completed build that is newer than its sources is kept', async () => {
  await file('dist/index.html', 30)
  await file('.tsbuild/web.stamp', 30)
  expect(isWebBuilt(folder)).toBe(true)
})

test('a build that was broken off is not taken for one', async () => {
  await file('dist/index.html', 30)
  expect(isWebBuilt(folder)).toBe(false)
})

test('a source edited, added or removed since makes the build old', async () => {
  await file('dist/index.html', 30)
  await file('.tsbuild/web.stamp', 30)
  await rm(path.join(folder, 'src/ui/Box.tsx'))
  expect(isWebBuilt(folder)).toBe(false)
})
