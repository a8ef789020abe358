import type { Column } from '#core/form/definition/column.ts'
import type { QueryRow } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { shown } from '#tests/server/areas/query/support.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { change, save } from '#tests/server/support/world.ts'

/** Releases whose checks ask, and what becomes of queries with them. */

export const WHY = { code: 'new_source', text: '病历更正' } as const

/** A column of the vital signs as the first version has it. */
export function columnOf(prop: string): Column {
  const found = vitalsColumns.find((one) => one.prop === prop)
  if (found === undefined) throw new Error(`no column ${prop}`)
  return found
}

/** The vital signs of the next version: each column as it was, or what is given for its code. */
export function columns(
  changed: Readonly<Record<string, Column | null>>,
  more: readonly Column[] = [],
): readonly Column[] {
  const kept = vitalsColumns.flatMap((column): readonly Column[] => {
    const now = changed[column.prop]
    return now === undefined ? [column] : now === null ? [] : [now]
  })
  return [...kept, ...more]
}

/** A column with a check that asks. */
export function asking(of: Column, when: string, id: string, zh = '请核对'): Column {
  return { ...of, zl: { ...of.zl, checks: [{ id, when, severity: 'query', message: { zh, en: 'Please check' } }] } }
}

/** The vital signs with a check that asks about a weight of more than 100. */
export const heavy = (): readonly Column[] =>
  columns({ weight: asking(columnOf('weight'), 'page.weight > 100.0', 'heavy', '体重过大') })

export interface Released {
  readonly no?: number
  readonly mappings?: MigrationMappings
  readonly withoutEvents?: boolean
  readonly event?: readonly Column[]
}

/** Releases a version; the subjects still wait for their turns. Gives its id. */
export async function release(
  world: World,
  to: readonly Column[],
  { mappings = NO_MAPPINGS, no = 2, ...more }: Released = {},
): Promise<string> {
  const id = await testedVersion(world, { no, columns: to, ...more })
  await releaseTested(world, id, mappings)
  return id
}

/** Releases a version and brings all subjects to it. Gives its id. */
export async function migrate(world: World, to: readonly Column[], more: Released = {}): Promise<string> {
  const id = await release(world, to, more)
  await runMigrations(world.services)
  return id
}

export function renamed(world: World, ...names: readonly (readonly [string | null, string, string])[]) {
  const pageId = world.study.vitalsId
  return { fields: names.map(([table, from, to]) => ({ pageId, table, from, to })), choices: [] }
}

/** All subjects have their turns once more, as if a server had forgotten that they had them. */
export async function turnAgain({ services, database }: World): Promise<void> {
  await database.ownerPool.query('UPDATE patient SET migrated_to = NULL')
  await database.ownerPool.query('DELETE FROM migration_patient')
  await database.ownerPool.query(`UPDATE migration_task SET state = 'running', ended_at = NULL`)
  await database.ownerPool.query(`UPDATE job SET state = 'open' WHERE kind = 'migration'`)
  await runMigrations(services)
}

export async function submit(
  world: World,
  target: EntryTarget,
  values: Readonly<Record<string, JsonValue>>,
  who: Person = world.people.lin,
) {
  return save(world, who, change(target, values), { as: 'entry.submit' })
}

export async function queriesOf(world: World, who: Person = world.people.manager): Promise<readonly QueryRow[]> {
  return (await shown(world, who)).map(({ query }) => query)
}

/** The state of each query and what happened to it last, by number. */
export async function ends(world: World) {
  return (await queriesOf(world)).map(({ state, thread }) => `${state} ${thread.at(-1)?.act ?? ''}`)
}

/** What the trail says of an action, oldest first. */
export async function trail({ database }: World, action: string) {
  const { rows } = await database.ownerPool.query<{
    prop: string | null
    old: JsonValue
    to: JsonValue
    reason: string | null
    text: string | null
  }>(
    `SELECT a.prop, v.old_value AS old, v.new_value AS "to", a.reason_code AS reason, v.reason_text AS text
     FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = $1 ORDER BY a.seq, a.ord`,
    [action],
  )
  return rows
}
