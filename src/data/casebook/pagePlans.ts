import type { VersionRow } from '#core/api/sync/rows.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { migrateChange, placeAfter, placeBefore } from '#core/study/migration/migrateChange.ts'
import type { MigratedChange } from '#core/study/migration/migrateChange.ts'
import type { PagePlan } from '#core/study/migration/migrationPlan.ts'
import { planPage } from '#core/study/migration/migrationPlan.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { localRow } from '#src/data/rows/local.ts'
import type { Unsent } from '#src/data/rows/local.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'

/** What a field, a row's state or a table's row as a whole is called: as lines of a log name it. */
export interface Named {
  readonly table: string | null
  readonly prop: string | null
}

type PageIds = Pick<EntryTarget, 'folderId' | 'pageId'>

/**
 * The plans of a page from one release to a later one, in their order. Null where that is not known here: a version
 * cannot be had now, comes from an older server, or the first is no release before the second.
 */
export function pagePlans(
  context: DataContext,
  projectId: string,
  fromId: string,
  toId: string,
  place: PageIds,
): Promise<readonly PagePlan[] | null> {
  return plansBetween(fromId, toId, place, async (id) => {
    const read = await readVersionById(context, projectId, id)
    return read.ok ? read.value : null
  })
}

/** @param versionOf a version by its id; null where it cannot be had */
async function plansBetween(
  fromId: string,
  toId: string,
  place: PageIds,
  versionOf: (id: string) => Promise<VersionRow | null>,
): Promise<readonly PagePlan[] | null> {
  const plans: PagePlan[] = []
  for (let id = toId; id !== fromId;) {
    const after = await versionOf(id)
    const broughtFrom = after?.broughtFrom
    const before = broughtFrom === undefined ? null : await versionOf(broughtFrom.versionId)
    // Each is older than the one before it, so there is an end.
    if (after === null || broughtFrom === undefined || before === null || before.versionNo >= after.versionNo)
      return null
    const [was, is] = [modelOf(before, place), modelOf(after, place)]
    const fields = broughtFrom.fields.filter(({ pageId }) => pageId === place.pageId)
    const choices = (broughtFrom.choices ?? []).filter(({ pageId }) => pageId === place.pageId)
    if (was !== null && is !== null) plans.unshift(planPage(was, is, { fields, choices }))
    id = broughtFrom.versionId
  }
  return plans
}

/**
 * A page's unsent work as it would have been entered under the version that its data are of, as the server will take
 * it: by their codes alone, values would stand in whatever fields have those since. Where the versions are not on this
 * device it is as it was entered.
 */
export async function underVersion<One extends Pick<Unsent, 'op'>>(
  context: DataContext,
  projectId: string,
  versionId: string,
  unsent: readonly One[],
): Promise<readonly One[]> {
  return Promise.all(
    unsent.map(async (one) => {
      const { op } = one
      const { crfVersionId } = op
      if (
        crfVersionId === null ||
        crfVersionId === versionId ||
        (op.call !== 'entry.save' && op.call !== 'entry.submit')
      )
        return one
      const plans = await plansBetween(crfVersionId, versionId, op.body.target, (id) =>
        localRow(context, projectId, 'version', id),
      )
      if (plans === null || plans.length === 0) return one
      const { items, rows, journal } = plans.reduce<Omit<MigratedChange, 'retired'>>(
        (now, plan) => migrateChange(plan, now),
        op.body,
      )
      return { ...one, op: { ...op, body: { ...op.body, items, rows, journal } } }
    }),
  )
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
  const before = plans.reduceRight<ItemPlace | null>(
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
