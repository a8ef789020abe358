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

/** The name of a field, of a row's state or of a whole table row, as lines of a log give it. */
export interface Named {
  readonly table: string | null
  readonly prop: string | null
}

type PageIds = Pick<EntryTarget, 'folderId' | 'pageId'>

/**
 * The plans that bring a page from one release to a later one, in order. Null where they are not known here: a version
 * cannot be had now, a version comes from an older server, or the first is not a release before the second.
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
    // Each version is older than the one before it, so the loop ends.
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
 * A page's unsent work, translated to the version that the page's data are of, as the server will take it in. By their
 * old codes alone, values would land in whatever fields have those codes now. Where the versions are not on this
 * device, the work stays as it was entered.
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

/** What a place is called after some plans; null where a plan removed it. */
export function nameAfter(plans: readonly PagePlan[], { table, prop }: Named): Named | null {
  const code = codeOf(prop)
  const now = placeAfter(plans, { table, rid: null, code: code ?? ROW_STEP })
  return now === null ? null : { table: now.table, prop: code === null ? prop : now.code }
}

/** What a place was called before some plans; null where a plan added it. */
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

/** The code of a field; null where a whole row is meant. */
function codeOf(prop: string | null): string | null {
  return prop === null || prop.startsWith('_') ? null : prop
}

/** The page as a version defines it. Null where the version has no such page, or none that can be read. */
function modelOf({ folders }: VersionRow, { folderId, pageId }: PageIds): PageModel | null {
  const page = folders.find(({ id }) => id === folderId)?.pages.find(({ id }) => id === pageId)
  const parsed = page === undefined ? null : parsePage(page.option)
  return parsed?.ok === true ? parsed.page : null
}
