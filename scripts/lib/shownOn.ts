/** How many lines of a screen are shown at the end of a run, and how much of each. */
const LINES = 40
const LENGTH = 160

/**
 * The words on a screen, from what Playwright keeps of it when a test fails: the main part of the page, line by line as
 * a screen reader goes through it; empty where the text has no such part.
 *
 * @param context the text of Playwright's `error-context.md`
 */
export function shownOn(context: string): readonly string[] {
  const [, snapshot = ''] = /# Page snapshot\s+```yaml\n([\s\S]*?)```/.exec(context) ?? []
  const lines = snapshot.split('\n')
  const main = lines.findIndex((line) => /^\s*- main\b/.test(line))
  const words = lines
    .slice(Math.max(0, main))
    .map((line) => line.replaceAll(/ \[(?:ref|cursor)=[^\]]*\]/g, '').trimEnd())
    // A line without words is only a frame.
    .filter((line) => /"|: \S/.test(line))
  const shown = words.slice(0, LINES).map((line) => `| ${line.slice(0, LENGTH)}`)
  return words.length > LINES ? [...shown, `| … ${words.length - LINES} more lines`] : shown
}
