import { fail } from '#core/api/errors.ts'
import type { RuleRunCounts } from '#core/api/calls/design.ts'
import type { RuleProbe, RuleRunOutcome } from '#core/design/rules/runRule.ts'
import { tryOnEntry, addProbe } from '#core/design/rules/runRule.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Rule } from '#core/rules/rule.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { dataReadBy } from '#server/areas/entry/judgement/crossing.ts'
import { momentOf } from '#server/areas/entry/judgement/judge.ts'
import { fieldKey, identifyingFields, isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { VersionEngine, pagesOfVersion } from '#server/areas/entry/versions/versionEngine.ts'
import type { EntryIds, PageOfVersion } from '#server/areas/entry/versions/versionEngine.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { membershipOf } from '#server/areas/version/service.ts'
import * as store from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'

/**
 * Tries a rule from the editor on the saved data of its page: for patients that the reader may see, some entries at a
 * time.
 */

/**
 * How long one answer may take, in ms, and how many entries are read at once, so that no request keeps the database
 * or this process longer.
 */
const WORK_MS = 150
const AT_ONCE = 20
/** Totals are counted up to here. */
const MAX_COUNT = 10_000
const MAX_EXAMPLES = 20

const NOTHING = { entries: 0, fires: 0, silent: 0, unknown: 0, faults: 0 }

/**
 * @throws ApiFailure `invalid` where the text is no rule in the version in use, with the kind of its problem;
 *   `forbidden` without the right to rules, or where the rule reads what identifies patients and the reader may not
 */
export async function tryRuleOnEntries(
  context: Pick<CallContext<'version.ruleTry'>, 'services' | 'actor' | 'query' | 'body' | 'acted'>,
): Promise<RuleRunCounts> {
  const { services, actor, query, body, acted } = context
  return withTransaction(services.pool, async (transaction) => {
    const member = await membershipOf(transaction, actor, query.crfId)
    requirePermission(member, 'rule_edit')
    const version = await store.newestVersion(transaction, member.projectId, ['formal'])
    if (version === null) return { version: null, total: 0, totalIsLeast: false, ...NOTHING, examples: [], next: null }
    const bench = await benchOf(transaction, version, body)
    if (
      !member.sensitive &&
      readsIdentity(
        bench,
        await pageMasks(
          transaction,
          member.projectId,
          bench.rows.map(({ pageId }) => pageId),
        ),
      )
    )
      throw fail('forbidden')
    const counts = { ...NOTHING }
    const examples: RuleRunCounts['examples'] = []
    const began = performance.now()
    let after = body.after
    let next: string | null
    do {
      const rows = await someEntries(transaction, member, body.pageId, after)
      const last = rows.at(-1)
      next = last !== undefined && rows.length === AT_ONCE ? last.id : null
      after = next
      for (const row of rows) {
        const came = await outcomeOf(
          transaction,
          bench,
          body.kind,
          row,
          momentOf({ at: services.now(), offsetMinutes: acted.offsetMinutes }),
        )
        if (came === null) continue
        counts.entries += 1
        counts[came === 'fault' ? 'faults' : came] += 1
        if (came === 'fires' && examples.length < MAX_EXAMPLES)
          examples.push({
            patientId: row.patientId,
            patient: row.no ?? row.mark,
            entryId: row.id,
            folderName: row.folderName ?? '',
            folderNameEn: row.folderNameEn,
            pageName: row.pageName ?? '',
            pageNameEn: row.pageNameEn,
          })
      }
    } while (next !== null && performance.now() - began < WORK_MS)
    const total = body.after === null ? await countEntries(transaction, member, body.pageId) : null
    return {
      version: store.toSummary(version),
      total: total === null ? null : Math.min(total, MAX_COUNT),
      totalIsLeast: total !== null && total > MAX_COUNT,
      ...counts,
      examples,
      next,
    }
  })
}

/** A version with the rule on its page. */
interface Bench {
  readonly engine: VersionEngine
  readonly rows: readonly PageOfVersion[]
  readonly pageId: string
  readonly probe: RuleProbe
  /** The first place of the page, and the rule there. */
  readonly compiled: CompiledPage
  readonly rule: Rule
}

async function benchOf(
  transaction: Queryable,
  version: VersionRecord,
  { pageId, table, kind, source }: CallContext<'version.ruleTry'>['body'],
): Promise<Bench> {
  const rows = await pagesOfVersion(transaction, version.id)
  const first = rows.find((row) => row.pageId === pageId)
  // A page that only the draft has holds no entries, so no rule is tried on it.
  if (first === undefined) throw fail('invalid', { fields: [{ path: 'body.pageId', code: 'unknown' }] })
  const tried = addProbe(first.option, { table, kind, source })
  if (tried === null) throw fail('invalid', { fields: [{ path: 'body.table', code: 'unknown' }] })
  const engine = new VersionEngine(rows.map((row) => (row.pageId === pageId ? { ...row, option: tried.option } : row)))
  const page = engine.page(first)
  if (!page.ok) {
    const mine =
      'errors' in page
        ? page.errors.find((error) => error.kind === 'rule' && error.code.endsWith(tried.probe.prop))
        : undefined
    throw fail('invalid', {
      fields: [{ path: 'body.source', code: mine?.kind === 'rule' ? mine.problem.kind : 'unreadable' }],
    })
  }
  const cells = table === null ? page.compiled.cells : page.compiled.cells.get(table)?.table?.cells
  const rule = cells?.get(tried.probe.prop)?.calculate
  if (rule === null || rule === undefined)
    throw fail('invalid', { fields: [{ path: 'body.source', code: 'unreadable' }] })
  return { engine, rows, pageId, probe: tried.probe, compiled: page.compiled, rule }
}

/**
 * Whether the rule reads a field that identifies patients in any definition of its page, or a table with such a
 * field.
 */
function readsIdentity(
  { rows, compiled, rule, probe, pageId }: Bench,
  masks: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const here = new Set([...identifyingFields(compiled.page), ...(masks.get(pageId) ?? [])])
  if (rule.reads.some((code) => isMasked(here, null, code))) return true
  if (probe.table !== null && rule.readsRow.some((code) => here.has(fieldKey(probe.table, code)))) return true
  return rule.readsOtherPages.some(({ page, code }) =>
    rows.some((other) => {
      if (other.pageCode !== page) return false
      const parsed = parsePage(other.option)
      return (
        !parsed.ok ||
        isMasked(new Set([...identifyingFields(parsed.page), ...(masks.get(other.pageId) ?? [])]), null, code)
      )
    }),
  )
}

interface EntryToTry extends EntryIds, EntryData {
  readonly id: string
  readonly patientId: string
  readonly pass: 1 | 2
  readonly no: string | null
  readonly mark: string
  readonly folderName: string | null
  readonly folderNameEn: string | null
  readonly pageName: string | null
  readonly pageNameEn: string | null
}

/** The next entries of a page that the reader may see. */
async function someEntries(
  transaction: Queryable,
  member: Membership,
  pageId: string,
  after: string | null,
): Promise<readonly EntryToTry[]> {
  const { rows } = await transaction.query<EntryToTry>({
    name: 'rule_run_entries',
    text: `
      SELECT e.id, e.patient_id AS "patientId", e.pass, e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId",
        e.page_repeat AS "pageRepeat", e."values", e.missing, p.no, p.mark, f.name AS "folderName", f.name_en AS "folderNameEn", g.name AS "pageName", g.name_en AS "pageNameEn"
      FROM entry e JOIN patient p ON p.id = e.patient_id
      LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
      LEFT JOIN crf_page g ON g.version_id = e.version_id AND g.folder_id = e.folder_id AND g.page_id = e.page_id
      WHERE ${ENTRIES} AND ($6::uuid IS NULL OR e.id > $6) ORDER BY e.id LIMIT ${AT_ONCE}`,
    values: [...visibleTo(member), pageId, passParameter(member), after],
  })
  return rows
}

const ENTRIES = `${PATIENT_VISIBLE} AND NOT p.deleted AND e.page_id = $4 AND NOT e.deleted AND e.status <> 'init' AND ($5::smallint IS NULL OR e.pass = $5)`

async function countEntries(transaction: Queryable, member: Membership, pageId: string): Promise<number> {
  const { rows } = await transaction.query<{ total: number }>({
    name: 'rule_run_count',
    text: `SELECT count(*)::integer AS total FROM (SELECT 1 FROM entry e JOIN patient p ON p.id = e.patient_id WHERE ${ENTRIES} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: [...visibleTo(member), pageId, passParameter(member)],
  })
  return rows[0]?.total ?? 0
}

/** Null where the version in use no longer has the page in the visit of the entry. */
async function outcomeOf(
  transaction: Queryable,
  { engine, probe }: Bench,
  kind: Parameters<typeof tryOnEntry>[2],
  entry: EntryToTry,
  moment: Parameters<typeof tryOnEntry>[4],
): Promise<RuleRunOutcome | null> {
  const page = engine.page(entry)
  if (!page.ok) return null
  const { values, missing } = entry
  return tryOnEntry(
    page.compiled,
    probe,
    kind,
    { values, missing },
    moment,
    await dataReadBy(transaction, engine, entry, entry),
  )
}
