import type { VersionRow } from '#core/api/sync/rows.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { placeAfter, placeBefore } from '#core/study/migration/migrateChange.ts'
import type { PagePlan } from '#core/study/migration/migrationPlan.ts'
import { planPage } from '#core/study/migration/migrationPlan.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Place } from '#core/sync/merge.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'

/** What a field, a row's state or a table's row as a whole is called: as lines of a log name it. */
export interface Named {
  readonly table: string | null
  readonly prop: string | null
}

type PageIds = Pick<EntryTarget, 'folderId' | 'pageId'>

/**
 * The plans of a page from one release to a later one, in their order, for the places of its fields: what becomes of
 * choices is not in them. Null where that is not known here: a version cannot be had now, comes from an older server,
 * or the first is no release before the second.
 */
export async function pagePlans(
  context: DataContext,
  projectId: string,
  fromId: string,
  toId: string,
  place: PageIds,
): Promise<readonly PagePlan[] | null> {
  const plans: PagePlan[] = []
  for (let id = toId; id !== fromId;) {
    const after = await readVersionById(context, projectId, id)
    const broughtFrom = after.ok ? after.value.broughtFrom : undefined
    const before = broughtFrom === undefined ? null : await readVersionById(context, projectId, broughtFrom.versionId)
    // Each is older than the one before it, so there is an end.
    if (
      !after.ok ||
      broughtFrom === undefined ||
      before?.ok !== true ||
      before.value.versionNo >= after.value.versionNo
    )
      return null
    const [was, is] = [modelOf(before.value, place), modelOf(after.value, place)]
    const fields = broughtFrom.fields.filter(({ pageId }) => pageId === place.pageId)
    if (was !== null && is !== null) plans.unshift(planPage(was, is, { fields, choices: [] }))
    id = broughtFrom.versionId
  }
  return plans
}

/** What a place is called after some plans; null where it is gone. */
export function nameAfter(plans: readonly PagePlan[], { table, prop }: Named): Named | null {
  const code = codeOf(prop)
  const now = placeAfter(plans, { table, rid: null, code: code ?? ROW_STEP })
  return now === null ? null : { table: now.table, prop: code === null ? prop : now.code }
}

/** What a place was called before some plans; null where it came with one of them. */
export function nameBefore(plans: readonly PagePlan[], { table, prop }: Named): Named | null {
  const code = codeOf(prop)
  const place =
    code !== null ? { table, rid: null, code } : table !== null ? { table: null, rid: null, code: table } : null
  const before = plans.reduceRight<Place | null>(
    (then, plan) => (then === null ? null : placeBefore(plan, then)),
    place,
  )
  if (before === null) return null
  return code === null ? { table: before.code, prop } : { table: before.table, prop: before.code }
}

/** The code of a field; null where a row is meant. */
function codeOf(prop: string | null): string | null {
  return prop === null || prop.startsWith('_') ? null : prop
}

/** The page as a version defines it; null where it has none there, or none that can be read. */
function modelOf({ folders }: VersionRow, { folderId, pageId }: PageIds): PageModel | null {
  const page = folders.find(({ id }) => id === folderId)?.pages.find(({ id }) => id === pageId)
  const parsed = page === undefined ? null : parsePage(page.option)
  return parsed?.ok === true ? parsed.page : null
}
