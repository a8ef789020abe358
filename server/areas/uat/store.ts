import type { UatEntry, UatLine, UatPlace, UatSaved } from '#core/api/calls/uat.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of UAT data. No other file names its table, except the evidence beside testers' judgements. */

/** A UAT page as it is stored, with values that no longer have a place in the version. */
export interface StoredUatEntry extends EntryData, UatPlace {
  readonly id: string
  readonly rev: number
  readonly status: UatSaved['status']
  readonly savedAt: string
}

const PLACE =
  't.subject, t.folder_id AS "folderId", t.folder_repeat AS "folderRepeat", t.page_id AS "pageId", t.page_repeat AS "pageRepeat"'
/**
 * A page that was submitted in an earlier round of testing counts as `process`, because it has to be looked at again.
 */
const TOLD = `t.rev, CASE WHEN t.round = v.test_round THEN t.status ELSE 'process' END AS status, t.saved_at AS "savedAt"`

/**
 * UAT pages of a version, tester by tester.
 *
 * @param testerId null for all testers
 */
export async function listUatEntries(
  transaction: Queryable,
  versionId: string,
  testerId: string | null,
): Promise<readonly UatLine[]> {
  const { rows } = await transaction.query<UatLine>(
    `SELECT t.tester_id AS "testerId", u.real_name AS "testerName", ${PLACE}, ${TOLD}
     FROM trial_entry t JOIN crf_version v ON v.id = t.version_id JOIN app_user u ON u.id = t.tester_id
     WHERE t.version_id = $1 AND NOT t.cleared AND ($2::uuid IS NULL OR t.tester_id = $2)
     ORDER BY u.real_name, t.tester_id, t.subject, t.saved_at, t.id`,
    [versionId, testerId],
  )
  return rows
}

/** All pages of one test subject. */
export async function loadSubject(
  transaction: Queryable,
  versionId: string,
  testerId: string,
  subject: number,
): Promise<readonly StoredUatEntry[]> {
  const { rows } = await transaction.query<StoredUatEntry>(
    `SELECT t.id, ${PLACE}, ${TOLD}, t."values", t.missing
     FROM trial_entry t JOIN crf_version v ON v.id = t.version_id
     WHERE t.version_id = $1 AND t.tester_id = $2 AND t.subject = $3 AND NOT t.cleared ORDER BY t.saved_at, t.id`,
    [versionId, testerId, subject],
  )
  return rows
}

/** Options of pages of a version as they are stored, by page. A page that stands in several visits has one option. */
export async function loadOptions(
  transaction: Queryable,
  versionId: string,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await transaction.query<{ id: string; option: string }>(
    'SELECT DISTINCT ON (page_id) page_id AS id, option FROM crf_page WHERE version_id = $1 AND page_id = ANY ($2)',
    [versionId, pageIds],
  )
  return new Map(rows.map(({ id, option }) => [id, option]))
}

type UatWrite = EntryData &
  UatPlace &
  Omit<UatSaved, 'savedAt'> & {
    readonly id: string
    readonly projectId: string
    readonly versionId: string
    readonly testerId: string
    readonly at: string
  }

const WRITE = prepare<UatWrite>('uat_write', (parameter) => {
  const versionId = (entry: UatWrite) => entry.versionId
  const statusOf = (entry: UatWrite) => entry.status
  const entry = columns<UatWrite>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    version_id: versionId,
    tester_id: ({ testerId }) => testerId,
    subject: ({ subject }) => subject,
    folder_id: ({ folderId }) => folderId,
    folder_repeat: ({ folderRepeat }) => folderRepeat,
    page_id: ({ pageId }) => pageId,
    page_repeat: ({ pageRepeat }) => pageRepeat,
    '"values"': ({ values }) => JSON.stringify(values),
    missing: ({ missing }) => JSON.stringify(missing),
    rev: ({ rev }) => rev,
    status: statusOf,
  })
  const at = parameter((write) => write.at)
  return `
      INSERT INTO trial_entry AS t (${entry.names}, round, saved_at, submitted_at)
      SELECT ${entry.places}, v.test_round, ${at}, CASE WHEN ${parameter(statusOf)} = 'other' THEN ${at}::timestamptz END
      FROM crf_version v WHERE v.id = ${parameter(versionId)}
      ON CONFLICT (id) DO UPDATE SET
        "values" = excluded."values", missing = excluded.missing, rev = excluded.rev, status = excluded.status, round = excluded.round,
        saved_at = excluded.saved_at, submitted_at = coalesce(excluded.submitted_at, t.submitted_at)`
})

/** Writes a UAT page in the present round of testing of its version. */
export async function writeUatEntry(transaction: Queryable, entry: UatWrite): Promise<void> {
  await transaction.query(WRITE(entry))
}

/** Removes a test subject. Returns how many pages it had. */
export async function clearSubject(
  transaction: Queryable,
  versionId: string,
  testerId: string,
  subject: number,
): Promise<number> {
  const { rowCount } = await transaction.query(
    'UPDATE trial_entry SET cleared = true WHERE version_id = $1 AND tester_id = $2 AND subject = $3 AND NOT cleared',
    [versionId, testerId, subject],
  )
  return rowCount ?? 0
}

/** The facts of a UAT page beside its data. */
export function toldOf({ rev, status, savedAt }: UatSaved): UatSaved {
  return { rev, status, savedAt }
}

/** The place of a UAT page. */
export function pickUatPlace({ subject, folderId, folderRepeat, pageId, pageRepeat }: UatPlace): UatPlace {
  return { subject, folderId, folderRepeat, pageId, pageRepeat }
}

/** A UAT page as readers get it: with the values that the version has fields for. */
export function toEntry(stored: StoredUatEntry, data: EntryData): UatEntry {
  const { values, missing } = data
  return {
    ...pickUatPlace(stored),
    ...toldOf(stored),
    values: values as Record<string, JsonValue>,
    missing: { ...missing },
  }
}
