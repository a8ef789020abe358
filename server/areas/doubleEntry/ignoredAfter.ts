import { addressKey } from '#core/form/definition/address.ts'
import type { Gap } from '#core/review/gaps.ts'
import { comparePasses } from '#core/review/gaps.ts'
import { nowAt } from '#core/study/migration/migrateChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import { dataOn, fingerprint, pageOfPair, pairsOf } from '#server/areas/doubleEntry/compare.ts'
import { entriesOfPasses, ignoredGaps, moveIgnoredGaps } from '#server/areas/doubleEntry/store.ts'
import type { IgnoredGap, MovedGap, PassEntry } from '#server/areas/doubleEntry/store.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import { compiledPage, findPage } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Accepted differences when a release migrates a page. A difference that only has another code or form afterwards
 * stays accepted.
 */

/**
 * Lets accepted differences of a patient follow their pages to a version. It has to be called before the migrated
 * data of the passes are written. A difference whose values have changed since it was accepted stays open, and so
 * does one that the new definition does not see as the same.
 *
 * @param only the one entry that is migrated; null for all of the patient
 */
export async function carryIgnoredGaps(
  transaction: Queryable,
  projectId: string,
  place: Pick<EntryPlace, 'centerId' | 'patientId' | 'versionId'>,
  only: string | null,
): Promise<readonly NewAuditRow[]> {
  const ignored = await ignoredGaps(transaction, place.patientId)
  if (ignored.length === 0) return []
  const entries = await entriesOfPasses(transaction, place.patientId, false)
  const moved: MovedGap[] = []
  const audit: NewAuditRow[] = []
  for (const { firstId, first, second, gone } of pairsOf(place.patientId, entries)) {
    if (only !== null && firstId !== only && second?.id !== only) continue
    const own = ignored.filter((one) => one.entryId === firstId)
    if (own.length === 0) continue
    for (const { from, to } of await followIgnored(transaction, projectId, {
      first,
      second,
      gone,
      own,
      versionId: place.versionId,
    })) {
      moved.push({ entryId: firstId, gapKey: from.key, to: to.key, fingerprint: fingerprint(to) })
      audit.push({
        ...place,
        action: 'gap.migrate',
        entryId: firstId,
        pass: null,
        table: to.row?.table.code ?? null,
        rid: to.row?.first ?? to.row?.second ?? null,
        prop: to.field.code,
        old: from.key,
        new: to.key,
        reasonCode: 'migration',
      })
    }
  }
  await moveIgnoredGaps(transaction, place.patientId, moved)
  return audit
}

interface Pair {
  readonly first: PassEntry | null
  readonly second: PassEntry | null
  readonly gone: PassEntry | null
  readonly own: readonly IgnoredGap[]
  readonly versionId: string
}

/** Accepted differences that now have another key or other contents, before and after. */
async function followIgnored(
  transaction: Queryable,
  projectId: string,
  { first, second, gone, own, versionId }: Pair,
): Promise<readonly { readonly from: Gap; readonly to: Gap }[]> {
  const known = first ?? second
  const before = await pageOfPair(transaction, projectId, [first, second, gone])
  const after =
    known === null
      ? null
      : await findPage(transaction, projectId, { versionId, folderId: known.folderId, pageId: known.pageId })
  // Where one of the passes stands under the version already, its differences were carried with it.
  if (before === null || after === null || before.versionNo >= after.versionNo) return []
  const gapsOn = async (page: DefinedPage): Promise<readonly Gap[]> => {
    const [one, other] = [
      await dataOn(transaction, projectId, first, page),
      await dataOn(transaction, projectId, second, page),
    ]
    return comparePasses((await compiledPage(transaction, page)).page, one, other).gaps
  }
  const steps = await pageSteps(transaction, projectId, before.versionId, after.versionId, after)
  const now = new Map((await gapsOn(after)).map((gap) => [gap.key, gap]))
  return (await gapsOn(before)).flatMap((from) => {
    if (!own.some((one) => one.gapKey === from.key && one.fingerprint === fingerprint(from))) return []
    const to = now.get(keyAfter(from, steps))
    return to === undefined || (to.key === from.key && fingerprint(to) === fingerprint(from)) ? [] : [{ from, to }]
  })
}

/** The key of a difference after some releases. */
function keyAfter({ field, row }: Gap, steps: readonly PageStep[]): string {
  const isRow = row !== null && field.code === row.table.code
  const start: ItemPlace =
    row === null || isRow
      ? { table: null, rid: null, code: field.code }
      : { table: row.table.code, rid: row.first ?? row.second, code: field.code }
  const { table, rid, code } = steps.reduce((place, { plan }) => nowAt(plan, place), start)
  if (row !== null && isRow) return addressKey({ table: code, rid: row.first ?? row.second, code: '_row' })
  return row === null ? code : addressKey({ table, rid, code })
}
