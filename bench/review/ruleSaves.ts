import type { Column, PageOption } from '#core/form/definition/column.ts'

import { median, percentile } from '../figures.ts'
import { Client, freshSaves } from '../sync/serverSaves.ts'
import { onStage } from '../sync/stage.ts'
import type { Stage } from '../sync/stage.ts'
import { PAGE_OPTION, PAGES } from '../sync/study.ts'

/**
 * Submits of a page with twenty rules that raise queries, one of which does so in every fourth, beside submits of the
 * same page without: two servers, one after the other asked by one client.
 */

const MOST = 1.3
const RULES = 20
/** The fields that the rules are about: numbers up to 200. */
const CHECKED = ['f3', 'f23']

export async function ruleSaves(saves: number): Promise<boolean> {
  return onStage((plain) => onStage((ruled) => sideBySide(plain, ruled, saves), {}, withRules(PAGE_OPTION)))
}

async function sideBySide(plain: Stage, ruled: Stage, saves: number): Promise<boolean> {
  const count = Math.ceil(saves / PAGES) * PAGES
  const clients = [new Client(plain, '10.0.0.1'), new Client(ruled, '10.0.0.2')] as const
  const [first, second] = [await freshSaves(plain, 1, count), await freshSaves(ruled, 1, count)]
  const times: [number[], number[]] = [[], []]
  // A server that has run for a while has its plans, prepared statements and compiled pages.
  const warm = [await freshSaves(plain, 2, 5 * PAGES), await freshSaves(ruled, 2, 5 * PAGES)] as const
  for (const [at, bodies] of warm.entries())
    for (const body of bodies) await clients[at === 0 ? 0 : 1].save(body, 'entry.submit')
  for (const [at, body] of first.entries()) {
    times[0].push(await clients[0].save(body, 'entry.submit'))
    const other = second[at]
    if (other !== undefined) times[1].push(await clients[1].save(other, 'entry.submit'))
  }
  clients.forEach((client) => client.close())
  const { rows } = await ruled.database.query<{ raised: number }>('SELECT count(*)::integer AS raised FROM query')
  const ratio = median(times[1]) / median(times[0])
  console.log(
    `\nsubmits of a page: ${count} without rules ${tellTimes(times[0])}; with ${RULES} automatic rules ${tellTimes(times[1])}, ${rows[0]?.raised ?? 0} queries raised`,
  )
  console.log(`  with / without: ${ratio.toFixed(2)} (≤ ${MOST}): ${ratio <= MOST ? 'ok' : 'OVER'}`)
  return ratio <= MOST
}

function tellTimes(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms in the median, p95 ${percentile(times, 0.95).toFixed(1)} ms`
}

function withRules({ group = [], ...option }: PageOption): PageOption {
  return { ...option, group: group.map((one) => ({ ...one, column: (one.column ?? []).map(addRules) })) }
}

function addRules(column: Column): Column {
  const { prop } = column
  if (!CHECKED.includes(prop)) return column
  const checks = Array.from({ length: RULES / CHECKED.length }, (_, at) => ({
    id: `rule${at}`,
    // Of all rules, one is broken by every fourth value.
    when: `page.${prop} > ${prop === CHECKED[0] && at === 0 ? 150 : 1000 + at}`,
    severity: 'query' as const,
    message: { zh: '请核对' },
  }))
  return { ...column, zl: { ...column.zl, checks } }
}
