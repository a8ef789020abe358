import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { operatorCommand } from '#scripts/lib/operatorCommand.ts'
import { verifyAll } from '#server/areas/audit/verifyAll.ts'
import { openData } from '#server/backup/open.ts'
import { readConfig } from '#server/config.ts'

/**
 * `npm run audit:verify [-- --heads FILE] [--json]`: recomputes every audit chain, those of all projects and the
 * system's. Exit code 0: all chains hold; 2: one does not. With `--heads` it looks for the heads of an earlier run in
 * the chains and, if all hold, writes the present heads (docs/operations.md).
 */
process.exitCode = await operatorCommand(async () => {
  const { values } = parseArgs({ options: { heads: { type: 'string' }, json: { type: 'boolean', default: false } } })
  const data = await openData(readConfig(process.env))
  try {
    const found = await verifyAll(data.owner, { headsFile: values.heads === undefined ? null : resolve(values.heads) })
    return {
      text: values.json ? JSON.stringify({ holds: found.holds, chains: found.chains }) : found.lines.join('\n'),
      code: found.holds ? 0 : 2,
    }
  } finally {
    await data.close()
  }
})
