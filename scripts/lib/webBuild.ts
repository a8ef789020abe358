import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root, runTool } from '#scripts/lib/run.ts'

/** What the built app is made from. */
const SOURCES = [
  'src',
  'core',
  'offline',
  'workers',
  'sw',
  'public',
  'index.html',
  'vite.config.ts',
  'scripts/lib/firstPaint.ts',
  'scripts/lib/startPictures.ts',
  'package-lock.json',
]

/** Marks a completed build; its time is when that build began, so that an edit made meanwhile counts as newer. */
const STAMP = path.join('.tsbuild', 'web.stamp')

/** Builds the app into `dist/`. */
export async function buildWeb(folder: string = root): Promise<boolean> {
  const began = new Date()
  const { ok } = await runTool('vite', ['build', '--logLevel', 'warn'])
  if (!ok) return false
  const stamp = path.join(folder, STAMP)
  await mkdir(path.dirname(stamp), { recursive: true })
  await writeFile(stamp, '')
  await utimes(stamp, began, began)
  return true
}

/** Whether `dist/` holds a completed build that is newer than all its sources (deleted files included). */
export function isWebBuilt(folder: string = root): boolean {
  const stamp = path.join(folder, STAMP)
  if (!existsSync(path.join(folder, 'dist', 'index.html')) || !existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  return SOURCES.every((source) => newest(path.join(folder, source)) <= built)
}

/**
 * Latest modification below `target`, in milliseconds. A folder's own time shows that a file in it was added or
 * removed.
 */
function newest(target: string): number {
  if (!existsSync(target)) return 0
  const info = statSync(target)
  if (!info.isDirectory()) return info.mtimeMs
  return readdirSync(target).reduce((latest, name) => Math.max(latest, newest(path.join(target, name))), info.mtimeMs)
}
