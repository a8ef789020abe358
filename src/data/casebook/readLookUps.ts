import type { VersionRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { LookUp } from '#core/form/definition/lookUp.ts'
import { NO_LOOK_UPS, lookUpKey, lookUpRecords, lookUpsOf } from '#core/form/definition/lookUps.ts'
import type { LookUpTable, LookUps } from '#core/form/definition/lookUps.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { Field } from '#core/form/definition/page.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import { jsonEqual } from '#core/json.ts'
import type { DataContext } from '#src/data/rows/context.ts'

import { knownTargets } from './casebookVisits.ts'
import { compiledPage } from './compiledPages.ts'
import { LastRead } from './lastRead.ts'
import type { Patient } from './patientParts.ts'
import { savedPage } from './savedPages.ts'

/**
 * What the fields of a page may take from the patient's other pages in the same pass: saved data with this device's
 * unsent work.
 */

/** @throws a storage error */
export async function readLookUps(
  context: DataContext,
  patient: Patient,
  { version, compiled }: { readonly version: VersionRow; readonly compiled: CompiledPage },
): Promise<LookUps> {
  const wanted = lookUpsOf(compiled.page.fields)
  if (wanted.length === 0) return NO_LOOK_UPS
  const found = await Promise.all(
    wanted.map(async (lookUp) => [lookUpKey(lookUp), await tableOf(context, patient, version, lookUp)] as const),
  )
  return new Map(found.flatMap(([key, table]) => (table === null ? [] : [[key, table]])))
}

async function tableOf(
  context: DataContext,
  patient: Patient,
  version: VersionRow,
  lookUp: LookUp,
): Promise<LookUpTable | null> {
  const folders = version.folders.toSorted((a, b) => a.sort - b.sort)
  const place = folders
    .flatMap((folder) => folder.pages.map((page) => ({ folder, page })))
    .find(({ page }) => page.id === lookUp.page || page.pageCode === lookUp.page)
  const model =
    place === undefined
      ? null
      : compiledPage(version, { folder: place.folder.folderCode, page: place.page.pageCode })?.page
  if (place === undefined || model === null || model === undefined) return null
  // What looks like a field of the page may be a table of it. Its rows are then the records.
  const table =
    lookUp.table ?? (lookUp.column !== null && isTableCode(model.fields, lookUp.column) ? lookUp.column : null)
  const fields = (table === null ? model.fields : (model.byCode.get(table)?.children ?? [])).filter(
    (field) => holdsData(field) && !isTable(field),
  )
  const order = new Map(folders.map(({ id }, at) => [id, at]))
  const targets = knownTargets(patient)
    .filter(({ pageId }) => pageId === place.page.id)
    .toSorted(
      (a, b) =>
        (order.get(a.folderId) ?? 0) - (order.get(b.folderId) ?? 0) ||
        (`${a.folderRepeat}/${a.pageRepeat}` < `${b.folderRepeat}/${b.pageRepeat}` ? -1 : 1),
    )
  const pages = await Promise.all(
    targets.map(async (target) => ({ id: entryId(target), saved: await savedPage(context, patient, entryId(target)) })),
  )
  const hidden = new Set(fields.flatMap(({ identifier, code }) => (identifier ? [code] : [])))
  const records = pages.flatMap(({ id, saved: { data, masked } }) =>
    lookUpRecords(table, [{ id, data }]).map(({ key, values }) => ({
      key,
      // A value that is masked for this reader cannot be taken.
      values: Object.fromEntries(
        Object.entries(values).filter(([code, value]) => !(masked && hidden.has(code) && value === MASK)),
      ),
    })),
  )
  return { fields, records }
}

function isTableCode(fields: readonly Field[], code: string): boolean {
  return fields.some((field) => field.code === code && isTable(field))
}

/** What an open page looks up elsewhere, as it was last read. */
export function makeLastLookUps(): LastRead<LookUpTable> {
  return new LastRead(
    NO_LOOK_UPS,
    (one, other) => one.fields.length === other.fields.length && jsonEqual(valuesIn(one), valuesIn(other)),
  )
}

function valuesIn({ records }: LookUpTable) {
  return records.map(({ key, values }) => [key, values])
}
