import { newId } from '#core/ids.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import type { World } from '#tests/server/support/world.ts'
import { VITALS, addVersion, call } from '#tests/server/support/world.ts'

/** A new version of the world's casebook, taken to its release as its administrator does. */

/** The columns of the vital signs as the first version has them. */
export const vitalsColumns = (JSON.parse(VITALS) as { readonly column: readonly Column[] }).column

/** What a release calls otherwise on the page of vital signs: in which table, if any, from which code to which. */
export type Renamed = readonly (readonly [table: string | null, from: string, to: string])[]

/** The vital signs with fields under other codes, everything else as it was. */
export function renameColumns(renamed: Renamed): readonly Column[] {
  const rename = (column: Column, table: string | null): Column => {
    const to = renamed.find(([of, from]) => of === table && from === column.prop)?.[2] ?? column.prop
    const own = column.children?.column
    const children = own === undefined ? {} : { children: { column: own.map((one) => rename(one, column.prop)) } }
    return { ...column, prop: to, ...children }
  }
  return vitalsColumns.map((column) => rename(column, null))
}

/** Smoking is written Y and N, and how much is asked of everybody. */
export function smokingByLetter(columns: readonly Column[]): readonly Column[] {
  return columns.map((column): Column => {
    if (column.prop === 'packs') return { ...column, zl: {} }
    if (column.prop !== 'smokes') return column
    return {
      ...column,
      dicData: [
        { label: '是', value: 'Y' },
        { label: '否', value: 'N' },
      ],
    }
  })
}

/** Tests and releases a version of the vital signs in which fields have other codes. Gives its id. */
export async function releaseRenamed(
  world: World,
  columns: readonly Column[],
  renamed: Renamed,
  no = 2,
): Promise<string> {
  const pageId = world.study.vitalsId
  const id = await testedVersion(world, { no, columns })
  await releaseTested(world, id, {
    fields: renamed.map(([table, from, to]) => ({ pageId, table, from, to })),
    choices: [],
  })
  return id
}

/**
 * A version that is tested and signed, waiting for its release. Without `event` it has no page of events. Gives its id.
 */
export async function testedVersion(
  world: World,
  version: {
    readonly no: number
    readonly columns: readonly Column[]
    readonly event?: readonly Column[]
    readonly withoutEvents?: boolean
  },
): Promise<string> {
  const id = newId()
  const { pool } = world.services
  await addVersion(pool, world.study, world.people.admin, {
    id,
    no: version.no,
    vitals: JSON.stringify({ column: version.columns }),
    ...(version.event === undefined ? {} : { event: JSON.stringify({ column: version.event }) }),
  })
  if (version.withoutEvents === true)
    await pool.query('DELETE FROM crf_page WHERE version_id = $1 AND page_id = $2', [id, world.study.eventId])
  await pool.query(`UPDATE crf_version SET profile = 'test' WHERE id = $1`, [id])
  await pool.query('UPDATE member SET crf_approve = 1 WHERE user_id = $1', [world.people.lin.userId])
  await pool.query(
    `INSERT INTO crf_approval (id, version_id, user_id, result, content, suggest, signed_at) VALUES ($1, $2, $3, 1, 'all', 'none', now())`,
    [newId(), id, world.people.lin.userId],
  )
  return id
}

/** Releases a version that was tested. Gives the id of the task that brings patients to it; null without one. */
export async function releaseTested(world: World, crfId: string, mappings?: MigrationMappings): Promise<string | null> {
  const { taskId } = await call(world, world.people.admin, 'version.release', {
    query: { crfId },
    body: mappings === undefined ? {} : { mappings },
  })
  return taskId
}
