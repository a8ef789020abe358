import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** A file has one subject: a longer one usually should become two. Lines are counted as the formatter breaks them. */
const LINES_WARN = 400
const LINES_FAIL = 600

/** The formatter breaks code at this column (.oxfmtrc.json) and leaves comments as they are. */
const WIDTH = 120
const WIDE_COMMENT = new RegExp(`^(?=.{${WIDTH + 1}})\\s*(?://|\\*|/\\*\\*).*$`, 'gm')

/** Marks of unfinished work. The pattern is built from pieces, so that this file does not match itself. */
const UNFINISHED = new RegExp(`\\b(TO${'DO'}|FIX${'ME'})\\b|\\.(sk${'ip'}|on${'ly'})\\(`, 'g')

/**
 * Tests that are left out, everywhere or on some machines, and assertions that hold whatever the product does. Where a
 * machine lacks something, the test's table has no case for it, beside the cases that are always there.
 */
const LEFT_OUT: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /\.(?:skip|only|fixme)\.\w+(?=[(`])|\.(?:skipIf|runIf|todo|fixme)(?=\()|(?<![\w.$])skip(?=\()|\bskip:/g,
    'leaves a test out',
  ],
  [
    /(?<![\w.#])expect\(\s*(?:true|false|null|undefined|\d+|'[^'\n]*'|"[^"\n]*")\s*[,)]/g,
    'claims nothing of the product',
  ],
]

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

/** Comment lines longer than the width of the code. */
export function checkComments(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(WIDE_COMMENT)].map(({ 0: comment, index }) => ({
      path,
      line: lineAt(text, index),
      message: `a comment of ${comment.length} columns (${WIDTH} are what code has)`,
    })),
  )
}

/** Marks of unfinished work, and tests that are left out or exclude others. */
export function checkUnfinished(files: readonly SourceFile[]): Finding[] {
  const findMatches = ({ path, text }: SourceFile, pattern: RegExp, message: string): Finding[] =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
      path,
      line: lineAt(text, index),
      message: `"${word}" ${message}`,
    }))
  return files.flatMap((file) => [
    ...findMatches(file, UNFINISHED, 'is not left in the code'),
    ...(/^(tests|e2e)\//.test(file.path)
      ? LEFT_OUT.flatMap(([pattern, message]) => findMatches(file, pattern, message))
      : []),
  ])
}

/** From the tenth parameter on nobody can see which value a number stands for. */
const COUNTED = /\$[1-9]\d\b/g

/** SQL with many parameters that were numbered by hand. */
export function checkParameters(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith('server/') && path.endsWith('.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(COUNTED)].map(({ 0: parameter, index }) => ({
        path,
        line: lineAt(text, index),
        message: `"${parameter}" is counted by hand: server/database/prepare.ts numbers parameters as they are written`,
      })),
    )
}

/** A cast that the compiler has to trust, whatever the two types are. Also built from pieces. */
const BLIND_CAST = new RegExp(`\\bas\\s+unknown\\s+${'as'}\\b`, 'g')

/** Files that need such a cast because a library's type is wrong, with the reason. None is added without a reason. */
const FORCED_CASTS: Readonly<Record<string, string>> = {}

/**
 * Blind casts in the product. They are not needed: sealed data have their type by their kind
 * (offline/vault/sealedKinds.ts), an operation by its call (core/api/sync/operation.ts), and input from outside by its
 * schema.
 *
 * @param forced by path, why a file may have them; an entry that is no longer needed must be removed
 */
export function checkCasts(files: readonly SourceFile[], forced = FORCED_CASTS): Finding[] {
  const found = files
    .filter(({ path }) => !/^(tests|e2e|bench)\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(BLIND_CAST)].map(({ 0: cast, index }) => ({
        path,
        line: lineAt(text, index),
        message: `"${cast}" hides what the types do not say: give the value its type where it is made or read`,
      })),
    )
  const casting = new Set(found.map(({ path }) => path))
  return [
    ...found.filter(({ path }) => forced[path] === undefined),
    ...Object.keys(forced)
      .filter((path) => !casting.has(path))
      .map((path) => ({
        path,
        line: 1,
        message: 'needs its place among FORCED_CASTS (scripts/checks/hygiene.ts) no more',
      })),
  ]
}
