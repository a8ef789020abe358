import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import * as z from 'zod/mini'
import { verifyChain } from '#server/areas/audit/chain.ts'
import type { ChainProblem, ChainReport } from '#server/areas/audit/chain.ts'
import { writeDurably } from '#server/database/secrets.ts'
import { withConnection } from '#server/database/transaction.ts'

/**
 * Verifies every audit chain of a database, and checks that heads which were noted elsewhere are still in the chains.
 */

/** The result for a chain: its report, and whether it still holds a head that was noted earlier. */
export interface VerifiedChain extends Omit<ChainReport, 'problem'> {
  /** Null in the system's chain. */
  readonly projectId: string | null
  /** `noted`: the head that was noted earlier is no longer at its place. */
  readonly problem: ChainProblem | 'noted' | null
}

export interface Verified {
  readonly holds: boolean
  readonly chains: readonly VerifiedChain[]
  /** In words, for the person who asked. */
  readonly lines: readonly string[]
}

const SYSTEM = 'system'

/** Heads by project id, or `system`. */
const notedHeads = z.record(z.string(), z.object({ seq: z.int(), head: z.string() }))
type NotedHeads = z.infer<typeof notedHeads>

/**
 * Computes all chains anew, one after the other.
 *
 * @param options.headsFile heads from an earlier run, kept where nobody who can write the database can write: each
 *   must still be in its chain. Where all holds, the present heads are written into it. Null compares with nothing
 */
export async function verifyAll(pool: Pool, { headsFile }: { readonly headsFile: string | null }): Promise<Verified> {
  const noted = headsFile === null ? {} : await readNoted(headsFile)
  const { rows } = await withConnection(pool, (connection) =>
    connection.query<{ id: string }>('SELECT id FROM project ORDER BY id'),
  )
  const known = new Set(rows.map(({ id }) => id))
  const chains: VerifiedChain[] = []
  for (const projectId of [null, ...known]) {
    const report = await verifyChain(pool, projectId)
    const before = noted[projectId ?? SYSTEM]
    const kept = before === undefined || (await hasHead(pool, projectId, before))
    chains.push(
      report.holds && !kept
        ? { ...report, projectId, holds: false, problem: 'noted', firstBroken: before.seq }
        : { ...report, projectId },
    )
  }
  const gone = Object.keys(noted).filter((id) => id !== SYSTEM && !known.has(id))
  const holds = gone.length === 0 && chains.every((chain) => chain.holds)
  if (holds && headsFile !== null) await writeNoted(headsFile, chains)
  return {
    holds,
    chains,
    lines: [
      ...chains.map(lineOf),
      ...gone.map((id) => `project ${id}: GONE. It was noted by an earlier run.`),
      summary(chains, holds),
    ],
  }
}

async function hasHead(pool: Pool, projectId: string | null, { seq, head }: NotedHeads[string]): Promise<boolean> {
  if (seq === 0) return true
  const { rowCount } = await withConnection(pool, (connection) =>
    connection.query('SELECT FROM audit_link WHERE project_id IS NOT DISTINCT FROM $1 AND seq = $2 AND head = $3', [
      projectId,
      seq,
      head,
    ]),
  )
  return rowCount === 1
}

async function readNoted(file: string): Promise<NotedHeads> {
  try {
    return notedHeads.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    // The first run has no heads to compare with.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

async function writeNoted(file: string, chains: readonly VerifiedChain[]): Promise<void> {
  const heads = Object.fromEntries(chains.map(({ projectId, seq, head }) => [projectId ?? SYSTEM, { seq, head }]))
  await writeDurably(file, `${JSON.stringify(heads, null, 2)}\n`)
}

const WORDS: Readonly<Record<ChainProblem | 'noted', string>> = {
  link: 'a link, a row or a value was changed, added, moved or taken away',
  values: 'the values of a row are gone, and no redaction names it',
  head: 'the end is not the one that the database names',
  operation: 'an operation or its receipt names a link that is not there or is another',
  cut: 'changes or backups reach further than the chain',
  empty: 'nothing was booked, where something must have been',
  entry: 'the values of an entry are not those that were written with it',
  noted: 'the head that was noted by an earlier run is not at its place',
}

function lineOf({ projectId, holds, checked, redacted, seq, head, problem, firstBroken }: VerifiedChain): string {
  const chain = projectId === null ? 'system' : `project ${projectId}`
  if (holds)
    return `${chain}: holds, ${checked} rows${redacted === 0 ? '' : `, ${redacted} of them redacted`}, ${seq} links, head ${head}`
  return `${chain}: DOES NOT HOLD at ${firstBroken ?? seq}: ${problem === null ? '' : WORDS[problem]}. ${checked} rows before it are sound.`
}

function summary(chains: readonly VerifiedChain[], holds: boolean): string {
  const rows = chains.reduce((sum, { checked }) => sum + checked, 0)
  return holds
    ? `All ${chains.length} audit chains hold, ${rows} rows.`
    : 'The audit trail was tampered with, or is damaged: keep the database as it is and compare it with a backup.'
}
