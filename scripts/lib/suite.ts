import { existsSync, readFileSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root, runTool, seconds } from '#scripts/lib/run.ts'
import type { Outcome, RunOptions } from '#scripts/lib/run.ts'
import { shownOn } from '#scripts/lib/shownOn.ts'

/** The result of one step of a test run. A step without tests counts as one. */
export type StepResult = Counts & Readonly<{ name: string; millis: number }>

type Counts = Readonly<{
  passed: number
  failed: number
  skipped: number
  /** What failed, by file and title. Empty for a step without tests. */
  broken: readonly Broken[]
  /** The files that took longest, longest first. */
  slowest: readonly Slow[]
}>

type Slow = Readonly<{ file: string; millis: number }>

/** A test that failed, and the beginning of its message: who reads a run on another machine sees only its end. */
type Broken = Readonly<{ test: string; said: readonly string[] }>

/** How many of the slowest files are named at the end, so that an author who makes a ring longer sees it. */
const SLOWEST = 10

/** In place of Playwright's own list, which tells what broke only at its end. */
const STORY_REPORTER = path.join(root, 'scripts/lib/storyReporter.ts')

/** How many lines of a failed test's message are shown at the end. */
const SAID_LINES = 10

/** A step that either passes or fails. */
export async function step(name: string, work: () => Promise<Pick<Outcome, 'ok'>>): Promise<StepResult> {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const { ok } = await work()
  return {
    name,
    passed: ok ? 1 : 0,
    failed: ok ? 0 : 1,
    skipped: 0,
    broken: [],
    slowest: [],
    millis: performance.now() - started,
  }
}

/** A choice of test files: only those, or all but those, by their paths from the root. */
export interface Choice {
  readonly only?: readonly string[]
  readonly without?: readonly string[]
}

/** Vitest over the given projects of vitest.config.ts. */
export async function vitest(
  name: string,
  projects: readonly string[],
  { only = [], without = [] }: Choice = {},
  options: RunOptions = {},
): Promise<StepResult> {
  const report = reportPath(name)
  return countStep(name, report, readVitest, () =>
    runTool(
      'vitest',
      [
        'run',
        ...only,
        ...projects.map((project) => `--project=${project}`),
        ...without.map((file) => `--exclude=${file}`),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      options,
    ),
  )
}

/** Playwright over e2e/, or over some of its files, with additional environment variables. */
export async function playwright(
  name: string,
  files: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  const report = reportPath(name)
  return countStep(name, report, readPlaywright, () =>
    runTool('@playwright/test', ['test', ...files, `--reporter=${STORY_REPORTER},json`], {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    }),
  )
}

/**
 * Prints a line per step with its failures and, last of all, `N passed, N failed`; sets the exit code. `SUMMARY` names
 * a file to which the same lines are appended, for a caller that runs several commands.
 */
export async function summarise(results: readonly StepResult[]): Promise<void> {
  const lines = results.flatMap(({ name, passed, failed, skipped, broken, millis }) => {
    const parts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])]
    return [
      `  ${failed === 0 ? '✓' : '✗'} ${name}: ${parts.join(', ')} (${seconds(millis)})`,
      ...broken.flatMap(({ test, said }) => [`      ${test}`, ...said.map((line) => `        ${line}`)]),
    ]
  })
  const slow = results.flatMap(({ name, slowest }) =>
    slowest.length === 0
      ? []
      : [`  slowest of ${name}:`, ...slowest.map(({ file, millis }) => `    ${seconds(millis)}  ${file}`)],
  )
  console.log(['\nSummary', ...lines, ...slow].join('\n'))
  const { SUMMARY: file } = process.env
  if (file !== undefined) await appendFile(file, `${lines.join('\n')}\n`)
  const total = (pick: (result: StepResult) => number) => results.reduce((sum, result) => sum + pick(result), 0)
  const failed = total((result) => result.failed)
  console.log(`  ${seconds(total((result) => result.millis))} in all`)
  console.log(`${total((result) => result.passed)} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Beside the output of Playwright, which empties only its own folder below. */
function reportPath(name: string): string {
  return path.join(root, 'test-results', `${name.replaceAll(/\W+/g, '-')}.json`)
}

async function countStep(
  name: string,
  report: string,
  read: (text: string) => Counts,
  work: () => Promise<Outcome>,
): Promise<StepResult> {
  console.log(`\n── ${name}`)
  await rm(report, { force: true })
  const { ok, millis } = await work()
  const text = await readFile(report, 'utf8').catch(() => undefined)
  const counts = text === undefined ? { passed: 0, failed: 0, skipped: 0, broken: [], slowest: [] } : read(text)
  // A run can fail with no failed test: a file that does not load, an unhandled error, no tests at all, a crash.
  return { name, ...counts, failed: ok ? counts.failed : Math.max(1, counts.failed), millis }
}

type VitestAssertion = Readonly<{ fullName: string; status: string; failureMessages: readonly string[] }>

interface VitestReport extends Readonly<
  Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>
> {
  readonly testResults: readonly Readonly<{
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: readonly VitestAssertion[]
  }>[]
}

function readVitest(text: string): Counts {
  const report = JSON.parse(text) as VitestReport
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    slowest: slowestOf(
      report.testResults.map(({ name, startTime, endTime }) => ({
        file: path.relative(root, name),
        millis: endTime - startTime,
      })),
    ),
    broken: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = path.relative(root, name)
      const failed = assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => ({ test: `${file}: ${test.fullName}`, said: beginningOf(test.failureMessages) }))
      // A file that does not load has no tests.
      return status === 'failed' && failed.length === 0 ? [{ test: file, said: beginningOf([message]) }] : failed
    }),
  }
}

function slowestOf(files: readonly Slow[]): readonly Slow[] {
  return files.toSorted((a, b) => b.millis - a.millis).slice(0, SLOWEST)
}

type PlaywrightResult = Readonly<{
  duration: number
  error?: Readonly<{ message?: string }>
  attachments?: readonly Readonly<{ name: string; path?: string }>[]
}>
type PlaywrightSpec = Readonly<{
  title: string
  file: string
  line: number
  ok: boolean
  tests: readonly Readonly<{ results: readonly PlaywrightResult[] }>[]
}>

interface PlaywrightSuite {
  readonly specs: readonly PlaywrightSpec[]
  readonly suites?: readonly PlaywrightSuite[]
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
  readonly suites: readonly PlaywrightSuite[]
}

function readPlaywright(text: string): Counts {
  const { stats, suites } = JSON.parse(text) as PlaywrightReport
  const firstError = ({ tests }: PlaywrightSpec) =>
    beginningOf(tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? [])))
  const brokenIn = (suite: PlaywrightSuite): Broken[] => [
    ...suite.specs
      .filter(({ ok }) => !ok)
      .map((spec) => ({
        test: `e2e/${spec.file}:${spec.line}: ${spec.title}`,
        said: [...firstError(spec), ...screenOf(spec)],
      })),
    ...(suite.suites ?? []).flatMap(brokenIn),
  ]
  const specsIn = (suite: PlaywrightSuite): PlaywrightSpec[] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsIn),
  ]
  const files = [...Map.groupBy(suites.flatMap(specsIn), ({ file }) => `e2e/${file}`)].map(([file, specs]) => ({
    file,
    millis: durationOf(specs),
  }))
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    broken: suites.flatMap(brokenIn),
    slowest: slowestOf(files),
  }
}

/** What was on the screen when a story failed: on another machine nothing else tells. */
function screenOf({ tests }: PlaywrightSpec): readonly string[] {
  const attached = tests.flatMap(({ results }) => results.flatMap(({ attachments = [] }) => attachments))
  const file = attached.find(({ name }) => name === 'error-context')?.path
  return file === undefined || !existsSync(file) ? [] : shownOn(readFileSync(file, 'utf8'))
}

function durationOf(specs: readonly PlaywrightSpec[]): number {
  return specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0)
}

/** The first lines with text, without colours. */
function beginningOf(messages: readonly string[]): readonly string[] {
  const lines = messages.flatMap((message) => stripVTControlCharacters(message).split('\n'))
  return lines.filter((line) => line.trim() !== '').slice(0, SAID_LINES)
}
