import { commitSystem } from '#server/database/commit.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import { ensureDemoAccounts } from '#server/demo/accounts.ts'
import { DemoHand, Interrupted } from '#server/demo/hand.ts'
import { makeDrugStudy } from '#server/demo/maker.ts'
import { fillRegistry, setUpRegistry } from '#server/demo/registry/maker.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/**
 * When the demo studies are made: their accounts before the server is ready, and the rest afterwards. An interrupted
 * run is continued at the next start.
 */

/** The log's line once the demo is complete. */
const WHOLE = 'the demo study is whole'

/** Makes the demo's accounts, so that their passwords can be printed when the server reports that it is ready. */
export async function prepareDemo(services: Services): Promise<void> {
  if (!(await isMade(services))) await ensureDemoAccounts(services)
}

/**
 * Makes the studies while the server is already answering. `stop` ends it after the present step; the next start
 * continues from there.
 *
 * A project is visible from its first step on, and its subjects appear while somebody looks, as they do from any
 * tablet. If it were hidden until it is complete, it would need a state that every list, pull and report must know.
 */
export function startDemo(services: Services): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const making = ensureDemo(services, stopped.signal).catch((error: unknown) => {
    // The server works without the demo. After a failure the next start tries again.
    if (!(error instanceof Interrupted)) services.log.error({ error }, 'the demo study could not be made')
  })
  return {
    stop: async () => {
      stopped.abort()
      await making
    },
  }
}

/**
 * Makes all parts of the demo that do not exist yet.
 *
 * @throws Interrupted when it was told to end
 */
export async function ensureDemo(services: Services, stopped?: AbortSignal): Promise<void> {
  if (await isMade(services)) {
    services.log.info(WHOLE)
    return
  }
  const people = await ensureDemoAccounts(services)
  if (people === null) {
    services.log.warn('no demo: one of its account names is taken')
    return
  }
  const hand = new DemoHand(services, people, stopped)
  // Projects are listed with the newest first: the drug study stands before the registry. Both are filled side by side.
  const registry = await setUpRegistry(hand)
  const studies = await Promise.allSettled([fillRegistry(hand, registry), makeDrugStudy(hand)])
  // Only once nobody writes any more.
  for (const study of studies) if (study.status === 'rejected') throw study.reason
  await withTransaction(services.pool, async (transaction) => {
    await transaction.query(`INSERT INTO setting (key, value) VALUES ('demo', 'true') ON CONFLICT (key) DO NOTHING`)
    await commitSystem(transaction, serverStamp(services), [{ action: 'demo.create' }])
  })
  services.log.info(WHOLE)
}

async function isMade(services: Services): Promise<boolean> {
  return withConnection(services.pool, async (connection) => {
    const { rowCount } = await connection.query(`SELECT FROM setting WHERE key = 'demo'`)
    return rowCount === 1
  })
}
