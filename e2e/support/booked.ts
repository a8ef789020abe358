import { expect } from '@playwright/test'
import type { openServerDatabase } from '#tests/server/support/serverDatabase.ts'

type ServerDatabase = Awaited<ReturnType<typeof openServerDatabase>>

/**
 * What one tablet sent is booked once: as many operations as keys, each with its own place, author, device and both
 * times, no audit row doubled, and every head that a receipt names stands in the project's chain.
 */
export async function expectBookedOnce(database: ServerDatabase, projectId: string, account: string): Promise<void> {
  const operations = await database.query<Record<string, unknown>>(`
    SELECT o.*, u.account FROM operation o JOIN app_user u ON u.id = o.author WHERE o.device_id IS NOT NULL AND o.device_seq IS NOT NULL ORDER BY o.seq`)
  expect(operations.rows.length).toBeGreaterThanOrEqual(2)
  for (const row of operations.rows) {
    expect(row).toMatchObject({ account, outcome: 'applied' })
    expect(Date.parse(String(row['acted_at']))).toBeLessThanOrEqual(Date.parse(String(row['received_at'])))
    expect(row['head']).toMatch(/^[0-9a-f]{64}$/)
  }
  const places = operations.rows.map((row) => row['seq'])
  expect(new Set(places).size).toBe(places.length)
  const doubled = await database.query(`
    SELECT entry_id, prop, value_hash FROM audit WHERE action = 'item.update' GROUP BY op_key, entry_id, table_prop, rid, prop, value_hash
    HAVING count(*) > 1`)
  expect(doubled.rows).toEqual([])
  const heads = await database.query<{ head: string }>(`SELECT head FROM audit_link WHERE project_id = '${projectId}'`)
  const known = new Set(heads.rows.map(({ head }) => head))
  for (const row of operations.rows) expect(known.has(String(row['head']))).toBe(true)
}
