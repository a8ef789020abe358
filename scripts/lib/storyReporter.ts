import type { FullResult, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { seconds } from '#scripts/lib/run.ts'

/**
 * A line for each story as it ends, and what broke in it at once: of a run that is ended from outside, nothing else is
 * left than what it has printed by then.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright reads it so
export default class StoryReporter implements Reporter {
  #count = 0
  #total = 0

  onBegin(_config: unknown, suite: Suite): void {
    this.#total = suite.allTests().length
  }

  onTestEnd(test: TestCase, { status, duration, errors, attachments }: TestResult): void {
    this.#count += 1
    const sign = status === 'passed' ? '✓' : status === 'skipped' ? '-' : '✘'
    const { file, line } = test.location
    const place = `${file.split('/').slice(-2).join('/')}:${line}`
    console.log(`  ${sign} ${this.#count}/${this.#total} ${place} ${test.title} (${seconds(duration)})`)
    if (test.ok()) return
    for (const error of errors) sayError(error)
    for (const { name, path } of attachments) if (path !== undefined) console.log(`    ${name}: ${path}`)
  }

  /** What broke outside a test: a file that does not load, a hook of the whole run. */
  onError(error: TestError): void {
    sayError(error)
  }

  onEnd({ status, duration }: FullResult): void {
    console.log(`\n  ${this.#count} of ${this.#total} stories ended, ${status} (${seconds(duration)})`)
  }

  printsToStdio(): boolean {
    return true
  }
}

function sayError({ message = '', stack = '', snippet = '' }: TestError): void {
  const text = [stack === '' ? message : stack, snippet].filter((part) => part !== '').join('\n')
  console.log(text.replaceAll(/^/gm, '    '))
}
