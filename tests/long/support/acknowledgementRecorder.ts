import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#core/ids.ts'
import type { WritePlan } from '#tests/long/support/killHarness.ts'

/**
 * Writes without pause, several at a time, and logs the key of each write that the server acknowledged. Runs until it
 * is killed. Arguments: file of the plan (read again after each failure, for a new server may have a new port), log
 * file.
 */
const [planFile = '', logFile = ''] = process.argv.slice(2)
const WRITERS = 4

async function write(plan: WritePlan, key: string): Promise<boolean> {
  const fill = (text: string): string => text.replaceAll('{{key}}', key)
  const headers = Object.fromEntries(Object.entries(plan.headers).map(([name, value]) => [name, fill(value)]))
  const response = await fetch(fill(plan.url), {
    method: plan.method,
    headers,
    body: fill(plan.body),
    signal: AbortSignal.timeout(10_000),
  })
  const answer: unknown = await response.json()
  return response.ok && typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
}

async function writeForEver(): Promise<never> {
  let plan: WritePlan | null = null
  for (;;) {
    try {
      plan ??= JSON.parse(await readFile(planFile, 'utf8')) as WritePlan
      const key = newId()
      if (await write(plan, key)) {
        appendFileSync(logFile, `${key}\n`)
        continue
      }
    } catch {
      // A killed server breaks connections and a starting one refuses them: neither acknowledged anything.
    }
    plan = null
    await sleep(20)
  }
}

await Promise.all(Array.from({ length: WRITERS }, writeForEver))
