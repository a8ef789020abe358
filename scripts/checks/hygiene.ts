import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** A file has one subject: around here it usually wants to become two. */
const LINES_WARN = 300
const LINES_FAIL = 450

/** Work left undone. Put together from pieces, so that this file does not accuse itself. */
const UNFINISHED = new RegExp(`\\b(TO${'DO'}|FIX${'ME'})\\b|\\.(sk${'ip'}|on${'ly'})\\(`, 'g')

/** Length of files, tests excluded: findings to fix, and warnings. */
export function checkLength(files: readonly SourceFile[]): { failures: Finding[]; warnings: Finding[] } {
  const measured = files
    .filter(({ path }) => !/^(tests|e2e)\//.test(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  const report = ({ path, lines }: { path: string; lines: number }): Finding => ({
    path,
    line: lines,
    message: `has ${lines} lines (about ${LINES_WARN} is where a file wants to become two, ${LINES_FAIL} is the limit)`,
  })
  return {
    failures: measured.filter(({ lines }) => lines > LINES_FAIL).map(report),
    warnings: measured.filter(({ lines }) => lines > LINES_WARN && lines <= LINES_FAIL).map(report),
  }
}

/** Marks of unfinished work, and tests that are left out or keep others out. */
export function checkUnfinished(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(UNFINISHED)].map(({ 0: word, index }) => ({
      path,
      line: lineAt(text, index),
      message: `"${word}" is not left in the code`,
    })),
  )
}
