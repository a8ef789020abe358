import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { keyOfField } from '#core/dataset/definition.ts'
import type { DataSource, Extent, Selector, StudyPages, Subject, SubjectEntry } from '#core/dataset/source.ts'
import type { JsonValue } from '#core/json.ts'
import { rollUpOf } from '#core/review/verification.ts'
import type { ReviewCounts } from '#core/review/verification.ts'
import { isRowList } from '#core/sync/entryData.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { STUDY_TIME_ZONE } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { maySeeIdentity, viewOf } from './rights.ts'

/**
 * Subjects and their entries in SQL, in batches by their order, within what the reader may see. All statements run in
 * the one transaction that the caller began, so that a run reads one instant.
 */

/** Subjects of a batch: a hundred casebooks are some megabytes. */
const BATCH = 100

export interface Read {
  readonly member: Membership
  readonly definition: DataSetDefinition
  readonly study: StudyPages
  /** Told how many entries were read. */
  readonly onEntries?: (count: number, selector: Selector) => Promise<void>
}

/** What both statements have in common, as their first parameters. */
export function firstParameters({ member, definition }: Read): readonly unknown[] {
  return [...visibleTo(member), definition.centers, definition.patients]
}

/** SQL: subjects that are asked for and may be seen, as `p`; parameters of `firstParameters`. */
export const CHOSEN = `
  ${PATIENT_VISIBLE} AND NOT p.deleted
  AND ($4::uuid[] IS NULL OR p.center_id = ANY ($4)) AND ($5::uuid[] IS NULL OR p.id = ANY ($5))`

/** The parameters of `entryWanted`, from `at` on. */
export function entryParameters({ member, definition, study }: Read): readonly unknown[] {
  const readable = viewOf(member).passes
  const passes = definition.passes === 'both' ? readable : readable.filter((pass) => pass === 1)
  const pages = (definition.pages ?? study.pages).map(({ pageId }) => pageId)
  return [passes, pages, definition.versions, definition.entries === 'all', definition.savedFrom, definition.savedTo]
}

/** SQL: entries that are asked for, as `e`; the parameters of `entryParameters` begin at `$at`. */
function entryChosen(at: number): string {
  return `NOT e.deleted AND ${entryWanted(at)}`
}

/** SQL: the same with those that were deleted since, of which a trail tells. */
export function entryWanted(at: number): string {
  const place = (more: number) => `$${String(at + more)}`
  const saved = `(e.updated_at AT TIME ZONE '${STUDY_TIME_ZONE}')::date`
  return `
    e.pass = ANY (${place(0)}::smallint[]) AND e.page_id = ANY (${place(1)}::uuid[])
    AND (${place(2)}::uuid[] IS NULL OR e.version_id = ANY (${place(2)})) AND (${place(3)} OR e.status = 'other')
    AND (${place(4)}::date IS NULL OR ${saved} >= ${place(4)}) AND (${place(5)}::date IS NULL OR ${saved} <= ${place(5)})`
}

/** SQL: entries that a table is made of; the parameters of `selectorParameters` begin at `$at`. */
function selectEntries(at: number): string {
  const place = (more: number) => `$${String(at + more)}`
  return `
    (${place(0)}::uuid IS NULL OR e.page_id = ${place(0)}) AND (${place(1)}::text IS NULL OR e."values" ? ${place(1)})
    AND (NOT ${place(2)} OR e.retired <> '{}')`
}

function selectorParameters({ pageId, table, retired }: Selector): readonly unknown[] {
  return [pageId, table ?? null, retired === true]
}

const SUBJECT = `
  p.id, p.no, p.mark, c.code AS "centerCode", c.name AS "centerName", p.sex, p.enrolled_on AS "enrolledOn",
  CASE WHEN $6 THEN p.initials END AS initials, CASE WHEN $6 THEN p.name END AS name, CASE WHEN $6 THEN p.mobile END AS mobile,
  CASE WHEN $6 THEN p.email END AS email, CASE WHEN $6 THEN p.birth_date END AS "birthDate"`

/** Reads for the tables of a data set. */
export function sourceOf(connection: Queryable, read: Read): DataSource {
  return {
    subjects: (having) => subjects(connection, read, having),
    entries: async (of, selector) => {
      const found = await entries(connection, read, of, selector)
      await read.onEntries?.(found.length, selector)
      return found
    },
    extents: () => extents(connection, read),
  }
}

async function* subjects(
  connection: Queryable,
  read: Read,
  having: Selector | null,
): AsyncGenerator<readonly Subject[]> {
  let after: readonly [string, string] | null = null
  for (;;) {
    const { rows }: { rows: Subject[] } = await connection.query<Subject>({
      name: having === null ? 'dataset_subjects' : 'dataset_subjects_having',
      text: `
        SELECT ${SUBJECT} FROM patient p JOIN center c ON c.id = p.center_id
        WHERE ${CHOSEN} AND ($7::text IS NULL OR (coalesce(p.no, '') COLLATE "C", p.id) > ($7 COLLATE "C", $8::uuid))
        ${having === null ? '' : `AND EXISTS (SELECT FROM entry e WHERE e.patient_id = p.id AND ${entryChosen(9)} AND ${selectEntries(15)})`}
        ORDER BY coalesce(p.no, '') COLLATE "C", p.id LIMIT ${String(BATCH)}`,
      values: [
        ...firstParameters(read),
        maySeeIdentity(read.member),
        after?.[0] ?? null,
        after?.[1] ?? null,
        ...(having === null ? [] : [...entryParameters(read), ...selectorParameters(having)]),
      ],
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = [last.no ?? '', last.id]
  }
}

/** SQL: which one a repeat is among those of a visit or page, from 1. The first has the key 0. */
function nth(column: 'folder_repeat' | 'page_repeat', same: string): string {
  return `CASE WHEN e.${column} = '0' THEN 1 ELSE (
    SELECT count(DISTINCT x.${column})::integer FROM entry x
    WHERE x.patient_id = e.patient_id AND x.folder_id = e.folder_id ${same} AND NOT x.deleted
      AND x.${column} COLLATE "C" <= e.${column} COLLATE "C") END`
}

const ENTRY = `
  e.patient_id AS "patientId", e.folder_id AS "folderId", e.page_id AS "pageId", e.pass,
  ${nth('folder_repeat', '')} AS "visitNo",
  ${nth('page_repeat', 'AND x.folder_repeat = e.folder_repeat AND x.page_id = e.page_id')} AS "pageNo",
  v.version_no AS "versionNo", e.status, e.control, e.submitted_at AS "submittedAt", s.real_name AS "submittedBy",
  e.updated_at AS "savedAt", u.real_name AS "savedBy",
  (SELECT count(*)::integer FROM query q WHERE q.entry_id = e.id AND q.state = 'open') AS "queriesOpen",
  (SELECT count(*)::integer FROM query q WHERE q.entry_id = e.id AND q.state = 'answered') AS "queriesAnswered",
  (SELECT jsonb_object_agg(r.track, jsonb_build_object('due', r.due, 'done', r.done, 'changed', r.changed))
    FROM review_count r WHERE r.entry_id = e.id) AS review,
  (SELECT count(*)::integer FROM conflict k WHERE k.entry_id = e.id AND k.state = 'open') AS conflicts,
  e."values", e.missing, e.hidden, e.retired`

type StoredEntry = Omit<SubjectEntry, 'sdv' | 'dmr'> & {
  readonly review: Readonly<Partial<Record<'sdv' | 'dmr', ReviewCounts>>> | null
}

const NOTHING_DUE: ReviewCounts = { due: 0, done: 0, changed: 0 }

async function entries(
  connection: Queryable,
  read: Read,
  of: readonly Subject[],
  selector: Selector,
): Promise<readonly SubjectEntry[]> {
  const folders = [...new Set(read.study.places.map(({ folderId }) => folderId))]
  const { rows } = await connection.query<StoredEntry>({
    name: 'dataset_entries',
    text: `
      SELECT ${ENTRY}
      FROM entry e JOIN crf_version v ON v.id = e.version_id JOIN app_user u ON u.id = e.updated_by
      LEFT JOIN app_user s ON s.id = e.submitted_by
      WHERE e.project_id = $1 AND e.patient_id = ANY ($2) AND ${entryChosen(4)} AND ${selectEntries(10)}
      ORDER BY
        array_position($2::uuid[], e.patient_id), array_position($3::uuid[], e.folder_id), e.folder_repeat COLLATE "C",
        array_position($5::uuid[], e.page_id), e.page_repeat COLLATE "C", e.pass, e.id`,
    values: [
      read.member.projectId,
      of.map(({ id }) => id),
      folders,
      ...entryParameters(read),
      ...selectorParameters(selector),
    ],
  })
  const masks = new Map(read.study.pages.map(({ pageId, masked }) => [pageId, masked]))
  const sees = maySeeIdentity(read.member) && !read.definition.deidentify.on
  return rows.map(({ review, ...row }) => ({
    ...row,
    ...(sees ? {} : withoutMasked(row, masks.get(row.pageId) ?? new Set())),
    sdv: rollUpOf(review?.sdv ?? NOTHING_DUE),
    dmr: rollUpOf(review?.dmr ?? NOTHING_DUE),
  }))
}

type Masked = Pick<SubjectEntry, 'values' | 'missing' | 'retired'>

/** What identifies a person is gone before anything else is done with an entry. */
function withoutMasked({ values, missing, retired }: Masked, masked: ReadonlySet<string>): Masked {
  if (masked.size === 0) return { values, missing, retired }
  const gone = new Set<string>(masked)
  const kept: Record<string, JsonValue> = {}
  for (const [code, value] of Object.entries(values)) {
    if (masked.has(code)) continue
    kept[code] = isRowList(value) ? value.map((row) => rowWithout(row, code, masked, gone)) : value
  }
  return {
    values: kept,
    missing: Object.fromEntries(Object.entries(missing).filter(([key]) => !gone.has(key))),
    retired: Object.fromEntries(
      Object.entries(retired).filter(([key, one]) => {
        const code = one.code ?? key.slice(key.lastIndexOf('.') + 1)
        return !masked.has(keyOfField({ table: one.table, code })) && !masked.has(one.table ?? '')
      }),
    ),
  }
}

function rowWithout(
  row: Readonly<Record<string, JsonValue>>,
  table: string,
  masked: ReadonlySet<string>,
  gone: Set<string>,
): Readonly<Record<string, JsonValue>> {
  const rid = typeof row['_rid'] === 'string' ? row['_rid'] : ''
  for (const key of masked) if (key.startsWith(`${table}.`)) gone.add(`${rid}.${key.slice(table.length + 1)}`)
  return Object.fromEntries(Object.entries(row).filter(([code]) => !masked.has(`${table}.${code}`)))
}

/** By batches of subjects, so that no statement goes through a whole project. */
async function extents(connection: Queryable, read: Read): Promise<readonly Extent[]> {
  const found = new Map<string, { extent: Extent; rows: Record<string, number> }>()
  for await (const batch of subjects(connection, read, null)) {
    const ids = batch.map(({ id }) => id)
    const values = [read.member.projectId, ids, ...entryParameters(read)]
    const repeats = await connection.query<Omit<Extent, 'rows'>>({
      name: 'dataset_extents',
      text: `
        SELECT folder_id AS "folderId", page_id AS "pageId", pass, max(n)::integer AS repeats FROM (
          SELECT e.patient_id, e.folder_id, e.page_id, e.pass, count(*) AS n FROM entry e
          WHERE e.project_id = $1 AND e.patient_id = ANY ($2) AND ${entryChosen(3)} GROUP BY 1, 2, 3, 4) AS counted
        GROUP BY 1, 2, 3`,
      values,
    })
    for (const one of repeats.rows) {
      const known = found.get(extentKey(one))
      const most = Math.max(one.repeats, known?.extent.repeats ?? 0)
      const rows = known?.rows ?? {}
      found.set(extentKey(one), { extent: { ...one, repeats: most, rows }, rows })
    }
    const lengths = await connection.query<Omit<Extent, 'rows' | 'repeats'> & { code: string; length: number }>({
      name: 'dataset_lengths',
      text: `
        SELECT e.folder_id AS "folderId", e.page_id AS "pageId", e.pass, t.key AS code, max((
          SELECT count(*) FROM jsonb_array_elements(t.value) r WHERE r ->> '_deleted' IS DISTINCT FROM 'true'))::integer AS length
        FROM entry e CROSS JOIN LATERAL jsonb_each(e."values") AS t
        WHERE e.project_id = $1 AND e.patient_id = ANY ($2) AND ${entryChosen(3)}
          AND jsonb_typeof(t.value) = 'array' AND t.value -> 0 ? '_rid'
        GROUP BY 1, 2, 3, 4`,
      values,
    })
    for (const { code, length, ...place } of lengths.rows) {
      const rows = found.get(extentKey(place))?.rows
      if (rows !== undefined) rows[code] = Math.max(rows[code] ?? 0, length)
    }
  }
  return [...found.values()].map(({ extent }) => extent)
}

function extentKey({ folderId, pageId, pass }: Omit<Extent, 'rows' | 'repeats'>): string {
  return `${folderId} ${pageId} ${String(pass)}`
}

/** How much a definition asks for. */
export interface Totals {
  readonly subjects: number
  readonly entries: number
  readonly conflicts: number
}

export async function totalsOf(connection: Queryable, read: Read): Promise<Totals> {
  const { rows } = await connection.query<Totals>({
    name: 'dataset_totals',
    text: `
      WITH chosen AS (SELECT p.id FROM patient p WHERE ${CHOSEN}),
      read AS (SELECT e.id FROM entry e JOIN chosen ON chosen.id = e.patient_id WHERE ${entryChosen(6)})
      SELECT
        (SELECT count(*)::integer FROM chosen) AS subjects, (SELECT count(*)::integer FROM read) AS entries,
        (SELECT count(*)::integer FROM conflict k JOIN read ON read.id = k.entry_id WHERE k.state = 'open') AS conflicts`,
    values: [...firstParameters(read), ...entryParameters(read)],
  })
  return rows[0] ?? { subjects: 0, entries: 0, conflicts: 0 }
}

/** Subjects by center and sex. */
export async function groupsOf(
  connection: Queryable,
  read: Read,
): Promise<readonly { readonly center: string; readonly sex: 'F' | 'M' | null; readonly subjects: number }[]> {
  const { rows } = await connection.query<{ center: string; sex: 'F' | 'M' | null; subjects: number }>({
    name: 'dataset_groups',
    text: `
      SELECT c.code AS center, p.sex, count(*)::integer AS subjects FROM patient p JOIN center c ON c.id = p.center_id
      WHERE ${CHOSEN} GROUP BY c.code, p.sex ORDER BY c.code, p.sex`,
    values: [...firstParameters(read)],
  })
  return rows
}
