import type { Agreement, GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { entryId } from '#core/derivedIds.ts'
import { asJson, canonicalJson } from '#core/json.ts'
import { pairEntries } from '#core/review/doubleEntry.ts'
import type { SecondPassState } from '#core/review/doubleEntry.ts'
import type { Comparison, Gap } from '#core/review/gaps.ts'
import { comparePasses } from '#core/review/gaps.ts'
import { migrateEntry } from '#core/study/migration/migrateEntry.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { Membership } from '#server/access.ts'
import { itemAuthors } from '#server/areas/doubleEntry/itemAuthors.ts'
import type { ItemAuthors } from '#server/areas/doubleEntry/itemAuthors.ts'
import { dataOf, entriesOfPasses, ignoredGaps, secondPassState } from '#server/areas/doubleEntry/store.ts'
import type { IgnoredGap, PassEntry } from '#server/areas/doubleEntry/store.ts'
import { isMasked, maskContent } from '#server/areas/entry/reading/mask.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import { compiledPage, findPage } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** The two passes of a patient, compared page by page. */

/** A page of both passes. */
export interface ComparedPage {
  readonly target: EntryTarget
  /** Entry of the first pass: the existing one, or the one that a merge makes. */
  readonly firstId: string
  readonly secondId: string
  readonly first: PassEntry | null
  readonly second: PassEntry | null
  /** Where the entry of the first pass was deleted: that entry, which comes back if the merge makes one. Else null. */
  readonly gone: PassEntry | null
  /** The data of each pass under the page's version, even where an entry still stands under an earlier one. */
  readonly data: { readonly first: EntryData; readonly second: EntryData }
  readonly page: DefinedPage
  readonly compiled: CompiledPage
  readonly comparison: Comparison
}

export interface ComparedPatient {
  readonly patientId: string
  readonly state: SecondPassState
  readonly pages: readonly ComparedPage[]
  /** Every page of the second pass, also pages that are not compared: deleted ones, and those that nobody began. */
  readonly secondPass: readonly PassEntry[]
  readonly ignored: readonly IgnoredGap[]
}

/**
 * Compares what both passes hold now. Compares nothing as long as nobody has begun the second pass. Pages that nobody
 * began in either pass are left out, and pages whose definition cannot be read.
 *
 * @param lock for writing: the entries stay as they are until the transaction ends
 */
export async function comparePatient(
  transaction: Queryable,
  projectId: string,
  patientId: string,
  lock = false,
): Promise<ComparedPatient> {
  const state = await secondPassState(transaction, patientId)
  if (state === 'none') return { patientId, state, pages: [], secondPass: [], ignored: [] }
  const entries = await entriesOfPasses(transaction, patientId, lock)
  const pages: ComparedPage[] = []
  for (const { target, firstId, first, second, gone } of pairsOf(patientId, entries)) {
    const page = await pageOfPair(transaction, projectId, [first, second, gone])
    if (page === null) continue
    const compiled = await compiledPage(transaction, page)
    const data = {
      first: await dataOn(transaction, projectId, first, page),
      second: await dataOn(transaction, projectId, second, page),
    }
    const comparison = comparePasses(compiled.page, data.first, data.second)
    const secondId = second?.id ?? entryId({ ...target, pass: 2 })
    pages.push({ target, firstId, secondId, first, second, gone, data, page, compiled, comparison })
  }
  return {
    patientId,
    state,
    pages,
    secondPass: entries.filter(({ pass }) => pass === 2),
    ignored: await ignoredGaps(transaction, patientId),
  }
}

/** The entries of both passes for one place; a deleted entry counts as none. */
type PassPair = Pick<ComparedPage, 'target' | 'firstId' | 'first' | 'second' | 'gone'>

/** The entries that somebody has begun in either pass, paired by place. */
export function pairsOf(patientId: string, entries: readonly PassEntry[]): readonly PassPair[] {
  const begunIn = (pass: 1 | 2): readonly PassEntry[] =>
    entries.filter((entry) => entry.pass === pass && entry.status !== 'init' && !entry.deleted)
  return pairEntries(begunIn(1), begunIn(2)).flatMap(({ first, second }): readonly PassPair[] => {
    const known = first ?? second
    if (known === null) return []
    const target = targetOf(patientId, known, first)
    const firstId = first?.id ?? entryId(target)
    const gone = first === null ? (entries.find(({ id, deleted }) => id === firstId && deleted) ?? null) : null
    return [{ target, firstId, first, second, gone }]
  })
}

/**
 * The page in the latest version under which one of the place's entries stands. It has a place for the data of all of
 * them.
 */
export async function pageOfPair(
  transaction: Queryable,
  projectId: string,
  entries: readonly (PassEntry | null)[],
): Promise<DefinedPage | null> {
  let latest: DefinedPage | null = null
  for (const entry of entries) {
    const page = entry === null ? null : await findPage(transaction, projectId, entry)
    if (page !== null && (latest === null || page.versionNo > latest.versionNo)) latest = page
  }
  return latest
}

/** The data of a pass, migrated to the version of a page. */
export async function dataOn(
  transaction: Queryable,
  projectId: string,
  entry: PassEntry | null,
  page: DefinedPage,
): Promise<EntryData> {
  if (entry === null) return dataOf(null)
  const steps = await pageSteps(transaction, projectId, entry.versionId, page.versionId, page)
  return steps.reduce((data, { plan }) => migrateEntry(plan, data).data, dataOf(entry))
}

/** The place of the merged page: an entry that only the second pass has gets the same place in the first. */
function targetOf(
  patientId: string,
  { folderId, folderRepeat, pageId, pageRepeat, parentEntryId }: PassEntry,
  first: PassEntry | null,
): EntryTarget {
  return {
    patientId,
    folderId,
    folderRepeat,
    pageId,
    pageRepeat,
    parentEntryId: first === null ? null : parentEntryId,
    pass: 1,
  }
}

/** The key of a gap, among all gaps of a patient. */
export function gapId(page: Pick<ComparedPage, 'firstId'>, gap: Pick<Gap, 'key'>): string {
  return `${page.firstId}.${gap.key}`
}

/** Made of the differing values: an ignored gap stays ignored as long as the values are the same. */
export function fingerprint({ first, second }: Gap): string {
  return sha256(canonicalJson(asJson([first, second])))
}

export function ignoredAs(patient: ComparedPatient, page: ComparedPage, gap: Gap): IgnoredGap | null {
  return (
    patient.ignored.find(
      (one) => one.entryId === page.firstId && one.gapKey === gap.key && one.fingerprint === fingerprint(gap),
    ) ?? null
  )
}

/** How far the passes of a patient agree, on pages that both have begun. */
export function agreementOf(pages: readonly ComparedPage[]): Agreement {
  const both = pages.filter(({ first, second }) => first !== null && second !== null)
  const compared = both.reduce((sum, { comparison }) => sum + comparison.compared.length, 0)
  return { compared, differing: both.reduce((sum, { comparison }) => sum + comparison.gaps.length, 0) }
}

/** Counts over everything that was compared. */
function comparedHash({ pages }: ComparedPatient): string {
  return sha256(
    canonicalJson(
      pages.map(({ firstId, secondId, first, second }) => [firstId, first?.rev ?? 0, secondId, second?.rev ?? 0]),
    ),
  )
}

/**
 * The comparison for a screen: with the author of each value, and without identifying values where the reader may not
 * see them.
 */
export async function gapCheckOf(
  transaction: Queryable,
  member: Membership,
  patient: ComparedPatient,
): Promise<GapCheck> {
  const { pages, patientId, state } = patient
  const authors = await itemAuthors(transaction, member.projectId, pages)
  const hides = await hiddenFrom(transaction, member, patient)
  const gaps = pages.flatMap((page) =>
    page.comparison.gaps.map((gap) => rowOf(patient, page, gap, authors, hides(page, gap))),
  )
  return { patientId, state, gaps, agreement: agreementOf(pages), compared: comparedHash(patient) }
}

const NOTHING: ReadonlySet<string> = new Set()

/** The gaps about identifying fields that the reader may not see. */
export async function hiddenFrom(
  transaction: Queryable,
  member: Membership,
  { pages }: ComparedPatient,
): Promise<(page: ComparedPage, gap: Gap) => boolean> {
  const masks = member.sensitive
    ? new Map<string, ReadonlySet<string>>()
    : await pageMasks(
        transaction,
        member.projectId,
        pages.map(({ page }) => page.pageId),
      )
  return ({ page }, { kind, row, field }) => {
    return isMasked(masks.get(page.pageId) ?? NOTHING, kind === 'row' ? null : (row?.table.code ?? null), field.code)
  }
}

function rowOf(patient: ComparedPatient, page: ComparedPage, gap: Gap, authors: ItemAuthors, hides: boolean): GapRow {
  const table = gap.row?.table.code ?? null
  const code = gap.field.code
  const maskIfHidden = (content: Gap['first']) => (hides ? maskContent(content) : content)
  const ignored = ignoredAs(patient, page, gap)
  return {
    id: gapId(page, gap),
    entryId: page.firstId,
    secondEntryId: page.secondId,
    folderName: page.page.folderName,
    folderNameEn: page.page.folderNameEn,
    pageName: page.page.name,
    pageNameEn: page.page.nameEn,
    pageId: page.page.pageId,
    table,
    rowNo: gap.row === null ? null : gap.row.at + 1,
    code,
    kind: gap.kind,
    first: maskIfHidden(gap.first),
    second: maskIfHidden(gap.second),
    masked: hides,
    firstBy: authorOf(authors, page, gap, 1),
    secondBy: authorOf(authors, page, gap, 2),
    ignored: ignored === null ? null : { reason: ignored.reason, byName: ignored.byName, at: ignored.at },
  }
}

function authorOf(authors: ItemAuthors, page: ComparedPage, gap: Gap, pass: 1 | 2): GapRow['firstBy'] {
  const found = authors.of(page, { ...gap, gap }, pass)
  return found === null ? null : { name: found.name, at: found.at }
}
