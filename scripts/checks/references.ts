import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/**
 * Documents whose paths must exist. A decision record describes what was so when it was decided: there only the links
 * are checked.
 */
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'tests/**/*.md']
const DECISIONS = 'docs/adr/'

/** The target of a link inside the repository. */
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g
/** A file of ours by its path from the root. Patterns and names with a placeholder do not count. */
const FILE =
  /(?<![\w./@#-])((?:core|offline|workers|sw|src|server|tests|e2e|bench|scripts|docs|public)\/[\w./-]*\.(?:ts|tsx|css|sql|md|json|js))(?![\w*{-])/g

export interface Document {
  readonly path: string
  readonly text: string
}

/** The documents of the repository, by their paths from its root. */
export async function readDocuments(root: string): Promise<readonly Document[]> {
  const documents: Document[] = []
  for await (const name of glob(DOCUMENTS, { cwd: root }))
    documents.push({ path: name, text: await readFile(path.join(root, name), 'utf8') })
  return documents.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Links and paths in documents that lead nowhere.
 *
 * @param isThere whether the repository has that path
 */
export function checkReferences(documents: readonly Document[], isThere: (target: string) => boolean): Finding[] {
  return documents.flatMap(({ path: document, text }) => {
    const links = [...text.matchAll(LINK)].map(({ 1: to = '', index }) => ({
      to: path.posix.join(path.posix.dirname(document), to),
      index,
    }))
    const files = document.startsWith(DECISIONS)
      ? []
      : [...text.matchAll(FILE)].map(({ 1: to = '', index }) => ({ to, index }))
    return [...links, ...files]
      .filter(({ to }) => !isThere(to))
      .map(({ to, index }) => ({ path: document, line: lineAt(text, index), message: `"${to}" is not there` }))
  })
}

/**
 * A section number of a document that readers of this repository do not have. "architecture" and "specification" are
 * written in lower case, and are in docs/.
 */
const ELSEWHERE = /\b[A-Z]{4,}(?:-[A-Z]+)? §/g

/** Sections of documents that are not in the repository. */
export function checkElsewhere(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path: file, text }) =>
    [...text.matchAll(ELSEWHERE)].map(({ 0: words, index }) => ({
      path: file,
      line: lineAt(text, index),
      message: `"${words}" is a document that is not in the repository`,
    })),
  )
}

/** Whether there is a file or folder at a path from the root. */
export function isThereIn(root: string): (target: string) => boolean {
  return (target) => existsSync(path.join(root, target))
}
