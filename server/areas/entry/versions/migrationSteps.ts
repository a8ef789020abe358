import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import type { PagePlan } from '#core/study/migration/migrationPlan.ts'
import { planPage } from '#core/study/migration/migrationPlan.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { Released } from './released.ts'
import type { PageIds } from './versionEngine.ts'

/**
 * The steps from release to release, with plans that turn the data of one into the data of the next. They never
 * change.
 */

/** A step from one release to the next, with the mappings of fields and choices that a person gave for it. */
export interface Step {
  readonly fromId: string
  readonly fromNo: number
  readonly toId: string
  readonly toNo: number
  readonly mappings: MigrationMappings
}

/** The plan of one page in a step. */
export interface PageStep {
  readonly step: Step
  readonly plan: PagePlan
}

const MAX_KEPT = 500
const steps = new Released<readonly Step[]>(MAX_KEPT)
const plans = new Released<{ readonly plan: PagePlan | null }>(MAX_KEPT)

/** Clears the cache: when a server starts, its database may have been put back to before a release. */
export function forgetMigrations(): void {
  steps.clear()
  plans.clear()
}

/**
 * The plans of a page from one release to a later one, in their order. Empty where it is the same release, or where
 * the releases are older than plans. Then values stay as they are.
 */
export async function pageSteps(
  transaction: Queryable,
  projectId: string,
  fromId: string,
  toId: string,
  place: PageIds,
): Promise<readonly PageStep[]> {
  if (fromId === toId) return []
  const found: PageStep[] = []
  for (const step of await stepsBetween(transaction, projectId, fromId, toId)) {
    const plan = await planOf(transaction, step, place)
    if (plan !== null) found.push({ step, plan })
  }
  return found
}

/** The last plan of a page before a release; null where nothing was migrated to it. */
export async function lastStep(
  transaction: Queryable,
  projectId: string,
  toId: string,
  place: PageIds,
): Promise<PageStep | null> {
  const { rows } = await transaction.query<{ fromId: string }>({
    name: 'migration_last',
    text: 'SELECT from_version_id AS "fromId" FROM version_migration WHERE version_id = $1 AND project_id = $2 AND from_version_id IS NOT NULL',
    values: [toId, projectId],
  })
  const from = rows[0]
  return from === undefined
    ? null
    : ((await pageSteps(transaction, projectId, from.fromId, toId, place)).at(-1) ?? null)
}

/** Whether the release before another had a page. */
export async function wasThereBefore(
  transaction: Queryable,
  versionId: string,
  { folderId, pageId }: PageIds,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'migration_was_there',
    text: `
      SELECT FROM version_migration m JOIN crf_page p ON p.version_id = m.from_version_id
      WHERE m.version_id = $1 AND p.folder_id = $2 AND p.page_id = $3`,
    values: [versionId, folderId, pageId],
  })
  return rowCount === 1
}

async function stepsBetween(
  transaction: Queryable,
  projectId: string,
  fromId: string,
  toId: string,
): Promise<readonly Step[]> {
  const key = `${fromId}/${toId}`
  const known = steps.get(key)
  if (known !== undefined) return known
  const { rows } = await transaction.query<Step>({
    name: 'migration_steps',
    text: `
      SELECT f.id AS "fromId", f.version_no AS "fromNo", t.id AS "toId", t.version_no AS "toNo", m.mappings
      FROM version_migration m JOIN crf_version t ON t.id = m.version_id JOIN crf_version f ON f.id = m.from_version_id
      WHERE m.project_id = $1
        AND t.version_no > (SELECT version_no FROM crf_version WHERE id = $2) AND t.version_no <= (SELECT version_no FROM crf_version WHERE id = $3)
      ORDER BY t.version_no`,
    values: [projectId, fromId, toId],
  })
  steps.keep(key, rows)
  return rows
}

async function planOf(
  transaction: Queryable,
  { fromId, toId, mappings }: Step,
  { folderId, pageId }: PageIds,
): Promise<PagePlan | null> {
  const key = `${toId}/${folderId}/${pageId}`
  const known = plans.get(key)
  if (known !== undefined) return known.plan
  const [before, after] = [
    await modelOf(transaction, fromId, folderId, pageId),
    await modelOf(transaction, toId, folderId, pageId),
  ]
  const ofPage = <One extends { readonly pageId: string }>(list: readonly One[]) =>
    list.filter((one) => one.pageId === pageId)
  const plan =
    before === null || after === null
      ? null
      : planPage(before, after, { fields: ofPage(mappings.fields), choices: ofPage(mappings.choices) })
  plans.keep(key, { plan })
  return plan
}

/** The page as a release defines it; null where the release has no such page, or none that can be read. */
async function modelOf(
  transaction: Queryable,
  versionId: string,
  folderId: string,
  pageId: string,
): Promise<PageModel | null> {
  const { rows } = await transaction.query<{ option: string }>({
    name: 'migration_option',
    text: 'SELECT option FROM crf_page WHERE version_id = $1 AND folder_id = $2 AND page_id = $3',
    values: [versionId, folderId, pageId],
  })
  const parsed = rows[0] === undefined ? null : parsePage(rows[0].option)
  return parsed?.ok === true ? parsed.page : null
}
