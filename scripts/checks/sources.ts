import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A source file of ours: its path from the project's root with forward slashes, and its text. */
export type SourceFile = Readonly<{ path: string; text: string }>

/** Something that a check objects to. `line` counts from 1. */
export type Finding = Readonly<{ path: string; line: number; message: string }>

/** The top-level folders that hold our code. */
export const FOLDERS = [
  'core',
  'offline',
  'workers',
  'sw',
  'src',
  'server',
  'tests',
  'e2e',
  'bench',
  'scripts',
] as const

const CODE = /\.(ts|tsx|js)$/

/** Reads all code of the project: the folders above and the configuration files beside them. */
export async function readSources(root: string): Promise<SourceFile[]> {
  const beside = (await readdir(root)).filter((name) => CODE.test(name))
  const within = await Promise.all(FOLDERS.map((folder) => list(root, folder)))
  const paths = [...beside, ...within.flat()].toSorted()
  return Promise.all(paths.map(async (file) => ({ path: file, text: await readFile(path.join(root, file), 'utf8') })))
}

async function list(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // Not every folder exists from the first day.
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile() && CODE.test(entry.name) && !entry.parentPath.includes(`${path.sep}node_modules`))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

/** The line, counted from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
