import type { UnexplainedPlace } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import type { EntryProgress, EntryStatus } from '#core/sync/entryMark.ts'
import { EMPTY_ENTRY } from '#core/sync/merge.ts'
import { arrayText, jsonArrayText } from '#server/database/arrays.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { IS_CHECKED } from './review/facts.ts'
import { followReview, NO_MARK_ROWS } from './review/follow.ts'
import type { MarkRows } from './review/follow.ts'
import { PASS_AUTHORS } from './passes/authors.ts'
import type { PassAuthors } from './passes/authors.ts'

/** The facts of a patient that an operation needs. */
export interface PatientFacts {
  readonly id: string
  readonly centerId: string
  readonly createdBy: string
  readonly deleted: boolean
  /** The release to which their entries were brought; null where they never were. */
  readonly migratedTo: string | null
  /** The authors of each pass. */
  readonly authors: PassAuthors
}

const PATIENT_FACTS = `
  id, center_id AS "centerId", created_by AS "createdBy", deleted, migrated_to AS "migratedTo",
  ${PASS_AUTHORS} AS authors`

/**
 * The patient, protected from being deleted or moved until the transaction ends. Writers of other entries do not have
 * to wait.
 */
export async function lockPatient(
  transaction: Queryable,
  projectId: string,
  patientId: string,
): Promise<PatientFacts | null> {
  const { rows } = await transaction.query<PatientFacts>({
    name: 'patient_lock',
    text: `
      SELECT ${PATIENT_FACTS} FROM patient WHERE id = $1 AND project_id = $2 FOR SHARE`,
    values: [patientId, projectId],
  })
  return rows[0] ?? null
}

/**
 * Those of the patients that can be protected at once from being deleted or moved, until the transaction ends. A
 * patient whom somebody is just changing is left out, without waiting.
 */
export async function lockFreePatients(
  transaction: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<readonly PatientFacts[]> {
  const { rows } = await transaction.query<PatientFacts>({
    name: 'patient_lock_free',
    text: `
      SELECT ${PATIENT_FACTS} FROM patient WHERE id = ANY ($1) AND project_id = $2 FOR SHARE SKIP LOCKED`,
    values: [ids, projectId],
  })
  return rows
}

/**
 * Those of the patients whose two passes were merged, so that nothing more is entered in the second. It has to be
 * asked after the patients are locked, and in its own statement: a statement that waits for the lock of a merge reads
 * other tables as they were before.
 */
export async function mergedAmong(transaction: Queryable, patientIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (patientIds.length === 0) return new Set()
  const { rows } = await transaction.query<{ id: string }>({
    name: 'patients_merged',
    text: `SELECT patient_id AS id FROM double_entry WHERE patient_id = ANY ($1) AND state = 'merged'`,
    values: [patientIds],
  })
  return new Set(rows.map(({ id }) => id))
}

/** An entry as it is stored, locked. */
export interface StoredEntry {
  readonly id: string
  readonly versionId: string
  readonly status: EntryStatus
  readonly control: 'open' | 'frozen' | 'locked'
  readonly rev: number
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: EntryData['missing']
  readonly hidden: readonly string[]
  readonly progress: EntryProgress | null
  readonly retired: Readonly<Record<string, JsonValue>>
  readonly deleted: boolean
  readonly updatedBy: string
  /** Whether the entry was ever submitted. From then on changes need a reason. */
  readonly submittedOnce: boolean
  /** Places that were changed since then without a reason. */
  readonly unexplained: readonly UnexplainedPlace[]
  /** Answers to warnings, whether or not they still hold. */
  readonly confirmed: readonly Confirmation[]
  /** The revision that a migration made of the entry; null where none did. */
  readonly migratedRev: number | null
  /** Whether anything was asked about it that is not over, or ever by a check. */
  readonly hasQueries: boolean
}

const STORED = `
  id, version_id AS "versionId", status, control, rev, "values", missing, hidden, progress, retired, deleted, updated_by AS "updatedBy",
  submitted_at IS NOT NULL AS "submittedOnce", unexplained, confirmed, migrated_rev AS "migratedRev",
  EXISTS (SELECT FROM query q WHERE q.entry_id = entry.id AND (q.rule IS NOT NULL OR q.state IN ('candidate', 'open', 'answered'))) AS "hasQueries"`

/** The entry, locked for writing until the transaction ends. */
export async function lockEntry(transaction: Queryable, projectId: string, id: string): Promise<StoredEntry | null> {
  const { rows } = await transaction.query<StoredEntry>({
    name: 'entry_lock',
    text: `SELECT ${STORED} FROM entry WHERE id = $1 AND project_id = $2 FOR UPDATE`,
    values: [id, projectId],
  })
  return rows[0] ?? null
}

/** An entry of a patient, with its place. */
export interface EntryOfPatient extends StoredEntry {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
  readonly parentEntryId: string | null
  readonly pass: 1 | 2
  readonly updatedAt: string
}

/** All entries of a patient, of both passes and deleted ones too, locked in the order of their ids. */
export async function lockEntriesOfPatient(
  transaction: Queryable,
  patientId: string,
): Promise<readonly EntryOfPatient[]> {
  const { rows } = await transaction.query<EntryOfPatient>({
    name: 'entries_of_patient_lock',
    text: `
      SELECT
        ${STORED}, folder_id AS "folderId", folder_repeat AS "folderRepeat", page_id AS "pageId", page_repeat AS "pageRepeat",
        parent_entry_id AS "parentEntryId", pass, updated_at AS "updatedAt"
      FROM entry WHERE patient_id = $1 ORDER BY id FOR UPDATE`,
    values: [patientId],
  })
  return rows
}

/** All entries of some patients as they are, without a lock. */
export async function entriesToForesee(
  transaction: Queryable,
  patientIds: readonly string[],
): Promise<readonly (EntryOfPatient & { readonly patientId: string })[]> {
  const { rows } = await transaction.query<EntryOfPatient & { readonly patientId: string }>({
    name: 'entries_to_foresee',
    text: `
      SELECT
        ${STORED}, folder_id AS "folderId", folder_repeat AS "folderRepeat", page_id AS "pageId", page_repeat AS "pageRepeat",
        parent_entry_id AS "parentEntryId", pass, updated_at AS "updatedAt", patient_id AS "patientId"
      FROM entry WHERE patient_id = ANY ($1) ORDER BY patient_id, id`,
    values: [patientIds],
  })
  return rows
}

/**
 * The existing ones of these entries, by id, locked for writing until the transaction ends. An entry that somebody is
 * just writing is null, without waiting.
 */
export async function lockFreeEntries(
  transaction: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEntry | null>> {
  const { rows: free } = await transaction.query<StoredEntry>({
    name: 'entry_lock_free',
    text: `SELECT ${STORED} FROM entry WHERE id = ANY ($1) AND project_id = $2 FOR UPDATE SKIP LOCKED`,
    values: [ids, projectId],
  })
  const entries = new Map<string, StoredEntry | null>(free.map((entry) => [entry.id, entry]))
  const others = ids.filter((id) => !entries.has(id))
  if (others.length === 0) return entries
  const { rows: busy } = await transaction.query<{ id: string }>({
    name: 'entry_there',
    text: 'SELECT id FROM entry WHERE id = ANY ($1)',
    values: [others],
  })
  for (const { id } of busy) entries.set(id, null)
  return entries
}

interface EmptyEntry {
  readonly id: string
  readonly projectId: string
  readonly centerId: string
  readonly target: EntryTarget
  readonly versionId: string
  readonly userId: string
}

const MAKE_EMPTY = prepare<EmptyEntry>('entry_make', (parameter) => {
  const made = columns(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    center_id: ({ centerId }) => centerId,
    patient_id: ({ target }) => target.patientId,
    folder_id: ({ target }) => target.folderId,
    folder_repeat: ({ target }) => target.folderRepeat,
    page_id: ({ target }) => target.pageId,
    page_repeat: ({ target }) => target.pageRepeat,
    parent_entry_id: ({ target }) => target.parentEntryId,
    pass: ({ target }) => target.pass,
    version_id: ({ versionId }) => versionId,
    data_hash: () => dataHash(EMPTY_ENTRY),
    updated_by: ({ userId }) => userId,
  })
  return `
      INSERT INTO entry (${made.names}, status, rev, "values", missing)
      VALUES (${made.places}, 'init', 0, '{}', '{}')
      ON CONFLICT DO NOTHING`
})

/**
 * Makes the entry, empty, unless somebody else has just made it. In both cases it exists afterwards and can be
 * locked.
 */
export async function makeEntry(transaction: Queryable, entry: EmptyEntry): Promise<boolean> {
  const { rowCount } = await transaction.query(MAKE_EMPTY(entry))
  return rowCount === 1
}

/** Whether the entry exists and belongs to the patient, as the parent of a child page must. */
export async function isEntryOf(transaction: Queryable, id: string, patientId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'entry_of',
    text: 'SELECT 1 FROM entry WHERE id = $1 AND patient_id = $2',
    values: [id, patientId],
  })
  return rowCount === 1
}

/** The content of an entry's row after a write. */
export interface EntryWrite {
  readonly versionId: string
  readonly status: EntryStatus
  readonly data: EntryData
  readonly hidden: readonly string[]
  readonly progress: EntryProgress | null
  readonly retired: Readonly<Record<string, JsonValue>>
  readonly deleted: boolean
  readonly userId: string
  readonly at: string
  /** Hash of the submitted data; set by a successful submit. */
  readonly submittedHash: string | null
  /** The new list of changes without a reason; where it is left out, the list stays. */
  readonly unexplained?: readonly UnexplainedPlace[]
  /** The new list of answers to warnings; where it is left out, the list stays. */
  readonly confirmed?: readonly Confirmation[]
}

export type WrittenEntry = EntryWrite & { readonly id: string }

/** SQL for the written rows, as `w`: one for each entry. */
function unnestWrites<Input>(parameter: Parameter<Input>, writesOf: (input: Input) => readonly WrittenEntry[]): string {
  const texts = (read: (write: WrittenEntry) => string | boolean | null) => (input: Input) =>
    arrayText(writesOf(input).map(read))
  const json = (read: (write: WrittenEntry) => JsonValue | undefined) => (input: Input) =>
    jsonArrayText(writesOf(input).map(read))
  const w = columns<Input>(parameter, {
    id: ['uuid[]', texts(({ id }) => id)],
    version_id: ['uuid[]', texts(({ versionId }) => versionId)],
    status: ['text[]', texts(({ status }) => status)],
    '"values"': ['jsonb[]', json(({ data }) => data.values)],
    missing: ['jsonb[]', json(({ data }) => data.missing)],
    hidden: ['text[]', texts(({ hidden }) => arrayText(hidden))],
    retired: ['jsonb[]', json(({ retired }) => retired)],
    data_hash: ['text[]', texts(({ data }) => dataHash(data))],
    deleted: ['boolean[]', texts(({ deleted }) => deleted)],
    user_id: ['uuid[]', texts(({ userId }) => userId)],
    at: ['timestamptz[]', texts(({ at }) => at)],
    submitted_hash: ['text[]', texts(({ submittedHash }) => submittedHash)],
    progress: ['jsonb[]', json(({ progress }) => progress)],
    unexplained: ['jsonb[]', json(({ unexplained }) => unexplained?.map((place) => ({ ...place })))],
    confirmed: ['jsonb[]', json(({ confirmed }) => confirmed?.map((one) => ({ ...one })))],
  })
  return `unnest(${w.places}) AS w (${w.names})`
}

const WRITE = prepare<readonly WrittenEntry[]>(
  'entry_write',
  (parameter) => `
      UPDATE entry e SET
        rev = e.rev + 1, version_id = w.version_id, status = w.status, "values" = w."values", missing = w.missing, hidden = w.hidden::text[],
        retired = w.retired, data_hash = w.data_hash, deleted = w.deleted, updated_by = w.user_id, updated_at = w.at,
        progress = w.progress,
        submitted_hash = CASE WHEN w.status = 'init' THEN NULL ELSE coalesce(w.submitted_hash, e.submitted_hash) END,
        submitted_by = CASE WHEN w.status = 'init' THEN NULL WHEN w.submitted_hash IS NULL THEN e.submitted_by ELSE w.user_id END,
        submitted_at = CASE WHEN w.status = 'init' THEN NULL WHEN w.submitted_hash IS NULL THEN e.submitted_at ELSE w.at END,
        unexplained = CASE WHEN w.status = 'init' THEN '[]' ELSE coalesce(w.unexplained, e.unexplained) END,
        confirmed = CASE WHEN w.status = 'init' THEN '[]' ELSE coalesce(w.confirmed, e.confirmed) END
      FROM ${unnestWrites(parameter, (writes) => writes)} WHERE e.id = w.id
      RETURNING e.id, ${IS_CHECKED} AS "isChecked"`,
)

/**
 * Writes the next revision of one or more entries that are all locked. An emptied entry (`init`) begins anew. What
 * was verified of them and is another value now is marked so.
 *
 * @returns audit rows about these marks, to be booked with the write
 */
export async function writeEntries(transaction: Queryable, writes: readonly WrittenEntry[]): Promise<MarkRows> {
  if (writes.length === 0) return NO_MARK_ROWS
  const { rows } = await transaction.query<WrittenRow>(WRITE(writes))
  return followReview(transaction, checkedOf(rows))
}

interface WrittenRow {
  readonly id: string
  /** Whether anything of the entry is checked. */
  readonly isChecked: boolean
}

function checkedOf(rows: readonly WrittenRow[]): readonly string[] {
  return rows.flatMap(({ id, isChecked }) => (isChecked ? [id] : []))
}

/** An entry that is made with its first data. */
export interface NewEntry extends EntryWrite {
  readonly id: string
  readonly centerId: string
  readonly target: EntryTarget
}

interface Making {
  readonly projectId: string
  readonly entries: readonly NewEntry[]
}

const MAKE_WRITTEN = prepare<Making>('entry_make_written', (parameter) => {
  const each = (read: (entry: NewEntry) => string | number | null) => (making: Making) =>
    arrayText(making.entries.map(read))
  const targets = columns<Making>(parameter, {
    id: ['uuid[]', each(({ id }) => id)],
    center_id: ['uuid[]', each(({ centerId }) => centerId)],
    patient_id: ['uuid[]', each(({ target }) => target.patientId)],
    folder_id: ['uuid[]', each(({ target }) => target.folderId)],
    folder_repeat: ['text[]', each(({ target }) => target.folderRepeat)],
    page_id: ['uuid[]', each(({ target }) => target.pageId)],
    page_repeat: ['text[]', each(({ target }) => target.pageRepeat)],
    parent_entry_id: ['uuid[]', each(({ target }) => target.parentEntryId)],
    pass: ['smallint[]', each(({ target }) => target.pass)],
  })
  return `
      INSERT INTO entry AS e (
        id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, parent_entry_id, pass, version_id, status, rev,
        "values", missing, hidden, retired, data_hash, deleted, updated_by, updated_at, progress)
      SELECT
        w.id, ${parameter(({ projectId }) => projectId)}, t.center_id, t.patient_id, t.folder_id, t.folder_repeat, t.page_id, t.page_repeat,
        t.parent_entry_id, t.pass, w.version_id, w.status, 1, w."values", w.missing, w.hidden::text[], w.retired, w.data_hash, w.deleted,
        w.user_id, w.at, w.progress
      FROM ${unnestWrites(parameter, ({ entries }) => entries)}
        JOIN unnest(${targets.places}) AS t (${targets.names}) ON t.id = w.id
      ORDER BY w.id
      ON CONFLICT DO NOTHING
      RETURNING e.id, ${IS_CHECKED} AS "isChecked"`
})

/**
 * Makes entries with their first revision, in the order of their ids, so that two writers that make the same entries
 * do not block each other.
 *
 * @returns whether all were made; if not, somebody else has just made one of them
 */
export async function makeEntries(
  transaction: Queryable,
  projectId: string,
  entries: readonly NewEntry[],
): Promise<boolean> {
  if (entries.length === 0) return true
  const { rows } = await transaction.query<WrittenRow>(MAKE_WRITTEN({ projectId, entries }))
  // What is new was never verified: only what the plan asks for is counted.
  await followReview(transaction, checkedOf(rows))
  return rows.length === entries.length
}

/** SHA-256 of an entry's data. */
export function dataHash(data: EntryData): string {
  return sha256(entryDataText(data))
}
