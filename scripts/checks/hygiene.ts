import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** A file has one subject: around here it usually wants to become two. Lines as the formatter breaks them. */
const LINES_WARN = 400
const LINES_FAIL = 600

/** The formatter breaks code at this column (.oxfmtrc.json) and leaves comments as they are. */
const WIDTH = 120
const WIDE_COMMENT = new RegExp(`^(?=.{${WIDTH + 1}})\\s*(?://|\\*|/\\*\\*).*$`, 'gm')

/** Work left undone. Put together from pieces, so that this file does not accuse itself. */
const UNFINISHED = new RegExp(`\\b(TO${'DO'}|FIX${'ME'})\\b|\\.(sk${'ip'}|on${'ly'})\\(`, 'g')

/**
 * Tests that are left out, here or on some machines, and claims that hold whatever the product does. What a machine
 * lacks is a case that its table has not, beside those that are always there.
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

/** Lines of comments that go past the width of the code. */
export function checkComments(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(WIDE_COMMENT)].map(({ 0: comment, index }) => ({
      path,
      line: lineAt(text, index),
      message: `a comment of ${comment.length} columns (${WIDTH} are what code has)`,
    })),
  )
}

/** Marks of unfinished work, and tests that are left out or keep others out. */
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

/** From the tenth parameter on nobody sees any more which value a number stands for. */
const COUNTED = /\$[1-9]\d\b/g

/** Parameters of SQL that were numbered by hand where there are many of them. */
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

/** A cast that the compiler has to take on trust, whatever the two types are. Put together from pieces likewise. */
const BLIND_CAST = new RegExp(`\\bas\\s+unknown\\s+${'as'}\\b`, 'g')

/** Files that cannot do without one, because the type of a library is wrong, and which. None is added without a why. */
const FORCED_CASTS: Readonly<Record<string, string>> = {}

/**
 * Blind casts in the product: what lies sealed has its type by its kind (offline/vault/sealedKinds.ts), an operation by
 * its call (core/api/sync/operation.ts), and what comes from outside by its schema.
 *
 * @param forced by path, why a file may have them; one that has none any more has to go
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
