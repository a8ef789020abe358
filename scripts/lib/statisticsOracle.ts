import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RSCRIPT } from '#scripts/lib/judges.ts'
import { root, run } from '#scripts/lib/run.ts'

const SCRIPT = path.join(root, 'tests/core/statistics/oracle.R')

/**
 * What R says of data sets, as lines of `tests/core/statistics/oracle.R`.
 *
 * @throws Error with what R printed, where it failed.
 */
export async function askStatisticsOracle(data: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zhenglu-r-'))
  const [asked, answered] = [path.join(folder, 'data.txt'), path.join(folder, 'results.txt')]
  try {
    await writeFile(asked, data)
    const outcome = await run(RSCRIPT, [SCRIPT, asked, answered], { capture: true })
    if (!outcome.ok) throw new Error(`R failed: ${outcome.output}`)
    return await readFile(answered, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
