import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { World } from '#tests/server/support/world.ts'
import { enrol, vitals } from '#tests/server/support/world.ts'

/** Double entry in the world's study: Lin has the first pass, Wu the second. */

export async function startDoubleEntry({ services, people }: World): Promise<void> {
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [people.wu.userId])
}

/** Starts double entry and enrols a patient for it. */
export async function enrolForDoubleEntry(world: World): Promise<string> {
  await startDoubleEntry(world)
  return enrol(world)
}

/** The vital signs page of a patient in one of the passes. */
export function inPass(world: Pick<World, 'study'>, patientId: string, pass: 1 | 2): EntryTarget {
  return { ...vitals(world, patientId), pass }
}
