import { noteMoment } from '#offline/db/meta.ts'

import type { SyncContext } from './context.ts'

/**
 * Measures the tablet's clock against the server's. The difference is shown and sent with operations; it never decides
 * an order.
 */
export async function noteServerTime(
  { storage, now }: Pick<SyncContext, 'storage' | 'now'>,
  serverTime: string,
): Promise<void> {
  const server = Date.parse(serverTime)
  if (Number.isNaN(server)) return
  const at = now()
  // A measurement that could not be stored is made again at the next contact.
  await storage.run(({ work }) => noteMoment(work, { driftMs: at - server, lastContact: new Date(at).toISOString() }))
}
