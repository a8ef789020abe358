import type { AuditLine } from '#core/api/calls/sync.ts'
import type { JsonValue } from '#core/json.ts'
import { placeAfter } from '#core/study/migration/migrateChange.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import { placeAtFirst } from '#server/areas/entry/versions/migrate.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageIds } from '#server/areas/entry/versions/versionEngine.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The field that an audit row is about. The row has the code of the version of its time; by now another field may
 * have that code.
 */

/**
 * The version in whose words an audit row `a` names its place. A value that a release retired is stored with the new
 * version, but named in the words of the version before. An audit row about files names no version: it uses the
 * version that the entry had at that time.
 */
export const FIELD_VERSION = `CASE
  WHEN a.action = 'item.retire' AND a.reason_code = 'migration' THEN (SELECT m.from_version_id FROM version_migration m WHERE m.version_id = a.version_id)
  WHEN a.version_id IS NOT NULL THEN a.version_id
  ELSE (
    SELECT b.version_id FROM audit b
    WHERE b.entry_id = a.entry_id AND b.action IN ('entry.create', 'entry.migrate') AND (b.seq, b.ord) < (a.seq, a.ord)
    ORDER BY b.seq DESC, b.ord DESC LIMIT 1)
  END`

/** The version before the release that migrated the value of an audit row `a`; null for all other rows. */
export const FORMER_VERSION = `CASE
  WHEN a.action IN ('item.migrate', 'item.unconverted') THEN (SELECT m.from_version_id FROM version_migration m WHERE m.version_id = a.version_id)
  END`

type Named = Pick<AuditLine, 'table' | 'rid' | 'prop'> & { readonly fieldVersionId: string | null }

/**
 * The place of an audit row's field on its page in the entry's present version; null where the field is gone,
 * undefined where the row names none.
 */
export async function nameNow(
  transaction: Queryable,
  projectId: string,
  { table, rid, prop, fieldVersionId }: Named,
  page: PageIds & { readonly versionId: string },
): Promise<AuditLine['now']> {
  const isOfWhole = prop === null || prop.startsWith('_')
  if (isOfWhole && table === null) return undefined
  const steps =
    fieldVersionId === null ? [] : await pageSteps(transaction, projectId, fieldVersionId, page.versionId, page)
  const now = placeAfter(plansOf(steps), { table, rid, code: isOfWhole ? ROW_STEP : prop })
  return now === null ? null : { table: now.table, prop: isOfWhole ? prop : now.code }
}

type Moved = Pick<AuditLine, 'action' | 'table' | 'rid' | 'prop' | 'versionId' | 'oldValue'> & {
  readonly formerVersionId: string | null
}

/**
 * The version and place in whose words the old value of a migrated row is; undefined where they are those of the row.
 */
export async function formerName(
  transaction: Queryable,
  projectId: string,
  line: Moved,
  page: PageIds,
): Promise<AuditLine['former']> {
  const { action, table, rid, prop, versionId, formerVersionId, oldValue } = line
  if (formerVersionId === null || versionId === null || prop === null) return undefined
  // Where several answers were converted, those that could be are in the new words in both values.
  if (action === 'item.unconverted' && Array.isArray(valueOf(oldValue))) return undefined
  const steps = await pageSteps(transaction, projectId, formerVersionId, versionId, page)
  const before = placeAtFirst(steps, { table, rid, code: prop })
  return steps.length === 0 || before === null
    ? undefined
    : { versionId: formerVersionId, table: before.table, prop: before.code }
}

function valueOf(said: AuditLine['oldValue']): JsonValue {
  const content = itemContent.safeParse(said)
  return content.success ? content.data.value : null
}

/** The name of a field in a version; null for rows of no known version. */
export interface PlaceIn {
  readonly versionId: string | null
  readonly table: string | null
  readonly code: string
}

/**
 * The names of an entry's field in every version in whose words the trail of the entry is, as far as each version has
 * it.
 */
export async function namesOfField(
  transaction: Queryable,
  projectId: string,
  entry: PageIds & { readonly id: string; readonly versionId: string },
  field: PlaceIn,
): Promise<readonly PlaceIn[]> {
  const asked = field.versionId ?? entry.versionId
  const { rows } = await transaction.query<{ versionId: string | null }>({
    name: 'audit_versions',
    text: `SELECT DISTINCT ${FIELD_VERSION} AS "versionId" FROM audit a WHERE a.entry_id = $1 AND (a.prop IS NOT NULL OR a.table_prop IS NOT NULL)`,
    values: [entry.id],
  })
  const places: PlaceIn[] = []
  for (const { versionId } of rows) {
    const at = versionId ?? entry.versionId
    const back = await pageSteps(transaction, projectId, at, asked, entry)
    const forth = await pageSteps(transaction, projectId, asked, at, entry)
    const before = placeAtFirst(back, { table: field.table, rid: null, code: field.code })
    const place = before === null ? null : placeAfter(plansOf(forth), before)
    if (place !== null) places.push({ versionId, table: place.table, code: place.code })
  }
  return places
}

function plansOf(steps: readonly PageStep[]) {
  return steps.map(({ plan }) => plan)
}
