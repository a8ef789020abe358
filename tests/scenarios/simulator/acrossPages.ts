import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { CALCULATED } from './casebook.ts'
import { textOf } from './evidence.ts'
import type { AuditRow, Evidence, StoredEntry, StoredOperation } from './evidence.ts'
import type { Ward } from './run.ts'

/**
 * What rules across pages leave in the end: what they give from the saved data of all pages, and nothing of what people
 * entered.
 */

/** No rule of the study looks at the day. */
const ANY_MOMENT = { today: '2026-11-22', now: '2026-11-22 12:00:00' }

interface PageRow {
  readonly versionId: string
  readonly folderId: string
  readonly folderCode: string
  readonly pageId: string
  readonly pageCode: string
  readonly option: string
}

/**
 * Every entry that may change holds what the rules of its version give from what the server holds of the patient's
 * other pages. What was frozen or locked in between is left out: nobody has written it since.
 */
export async function staleAcrossPages(
  { entries }: Evidence,
  { server, study, history }: Ward,
): Promise<readonly string[]> {
  if (!history.crosses) return []
  const rows = await server.rows<PageRow>(
    `SELECT f.version_id AS "versionId", f.folder_id AS "folderId", f.code AS "folderCode", p.page_id AS "pageId", p.code AS "pageCode", p.option
     FROM crf_version v JOIN crf_folder f ON f.version_id = v.id JOIN crf_page p ON p.version_id = v.id AND p.folder_id = f.folder_id
     WHERE v.project_id = $1`,
    [study.projectId],
  )
  const versions = new Map(
    [...Map.groupBy(rows, ({ versionId }) => versionId)].map(([versionId, pages]) => [versionId, new Version(pages)]),
  )
  // Each pass of a patient is a casebook of its own.
  const casebooks = Map.groupBy(entries.values(), ({ patientId, pass }) => `${patientId} ${pass}`)
  return [...entries.values()].flatMap((entry) => {
    if (entry.deleted || entry.control !== 'open' || study.everClosed.has(entry.id)) return []
    const version = versions.get(entry.versionId)
    const compiled = version?.page(entry) ?? null
    if (version === undefined || compiled === null) return [`(c) no page is there for entry ${entry.id}`]
    const otherPages = version.otherPages(compiled, casebooks.get(`${entry.patientId} ${entry.pass}`) ?? [])
    return differences(entry, compiled, otherPages).map(
      (what) =>
        `(c) ${what} on a page ${compiled.place?.page ?? ''}, entry ${entry.id}, beside ${JSON.stringify([...otherPages])}`,
    )
  })
}

function differences(entry: StoredEntry, compiled: CompiledPage, otherPages: OtherPages): readonly string[] {
  const { data, hidden } = evaluateEntry(
    compiled,
    { values: entry.values, missing: missingOf(entry) },
    ANY_MOMENT,
    otherPages,
  )
  const values = [...compiled.cells].flatMap(([code, { calculate }]) => {
    const [stands, due] = [textOf(entry.values[code]), textOf(data.values[code])]
    return calculate === null || stands === due ? [] : [`${code} is ${stands} where rules give ${due}`]
  })
  const [hides, due] = [entry.hidden.toSorted(), hidden.toSorted()].map((all) => all.join(', '))
  return hides === due ? values : [...values, `hidden is ${hides} where rules hide ${due}`]
}

function missingOf({ missing }: StoredEntry): EntryData['missing'] {
  return missing as EntryData['missing']
}

/** The pages of a version, by ids. */
class Version {
  readonly #rows: readonly PageRow[]
  readonly #compiled: CompiledVersion

  constructor(rows: readonly PageRow[]) {
    this.#rows = rows
    this.#compiled = new CompiledVersion(
      Array.from(
        Map.groupBy(rows, ({ folderCode }) => folderCode),
        ([folderCode, pages]) => ({ folderCode, pages }),
      ),
    )
  }

  page({ folderId, pageId }: StoredEntry): CompiledPage | null {
    const row = this.#rows.find((one) => one.folderId === folderId && one.pageId === pageId)
    const result = row === undefined ? null : this.#compiled.page({ folder: row.folderCode, page: row.pageCode })
    return result?.ok === true ? result.compiled : null
  }

  /** What the patient's pages hold that the rules of this one read: the first entry of each. */
  otherPages(compiled: CompiledPage, ofPatient: readonly StoredEntry[]): OtherPages {
    return new Map(
      compiled.otherPages.flatMap((place) => {
        const row = this.#rows.find(
          ({ folderCode, pageCode }) => folderCode === place.folder && pageCode === place.page,
        )
        const entry = ofPatient.find(
          (one) =>
            one.folderId === row?.folderId &&
            one.pageId === row.pageId &&
            one.folderRepeat === FIRST_REPEAT &&
            one.pageRepeat === FIRST_REPEAT,
        )
        if (entry === undefined || entry.deleted) return []
        return [[placeKey(place), { values: entry.values, missing: missingOf(entry) }]]
      }),
    )
  }
}

/**
 * A page changes what it calculates under its own name, and what it does to others names it as the cause; what people
 * entered on those stays as it is.
 */
export function wronglyRecalculated({ audit, operations }: Evidence): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  const causes = new Map(
    audit.flatMap((row) => (row.action === 'entry.recalculate' ? [[bookingOf(row), textOf(row.new)] as const] : [])),
  )
  return audit.flatMap((row) =>
    wrongIn(row, byKey.get(row.opKey ?? ''), causes.get(bookingOf(row))).map(
      (what) => `(c) ${what}: ${JSON.stringify(row)}`,
    ),
  )
}

function wrongIn(row: AuditRow, operation: StoredOperation | undefined, cause: string | undefined): readonly string[] {
  const otherPages =
    operation !== undefined &&
    row.entryId !== null &&
    !operation.call.startsWith('patient.') &&
    row.entryId !== operation.entityId
  const isCalculated = row.table === null && CALCULATED.has(row.prop ?? '')
  switch (row.action) {
    case 'item.calculate':
      if (!isCalculated) return ['what a person entered was calculated']
      return otherPages && cause !== textOf({ entry: operation.entityId })
        ? ['was calculated anew without its cause']
        : []
    case 'item.update':
      if (isCalculated) return ['what rules calculate was booked as entered']
      return otherPages ? ['was changed by the work on another page'] : []
    case 'row.insert':
    case 'row.move':
    case 'row.delete':
    case 'row.restore':
      return otherPages ? ['was changed by the work on another page'] : []
    default:
      return []
  }
}

/** What one booking does to one entry. */
function bookingOf({ seq, entryId }: AuditRow): string {
  return `${seq} ${entryId ?? ''}`
}
