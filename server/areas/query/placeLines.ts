import type { LineProblem, PlacedLine, PlacedLines, QuestionLine } from '#core/api/calls/review/queryLines.ts'
import { LONGEST_QUESTION } from '#core/api/calls/review/queryLines.ts'
import { canonicalJson } from '#core/json.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { WHOLE_ROW, entryOfQuery } from '#core/review/queryThread.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import type { VisitFacts } from '#core/study/visits/schedule.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, rowsOf, stateOf } from '#core/sync/merge.ts'
import { dateFromTyping, parseDate } from '#core/values/dates.ts'
import { passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { newestVersion } from '#server/areas/version/store.ts'
import { visitsOfPatients } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { findField, findPage, plain } from './linePlaces.ts'
import type { BegunPage, BookFolder, FieldPlace } from './linePlaces.ts'
import { QUERY_VISIBLE, isAboutMasked, queriesVisibleTo } from './rows.ts'

/**
 * Where the questions of a file belong, for who may ask: within their centers, pass and data scope, and nothing of a
 * field that they may not see.
 */

interface Subject {
  readonly id: string
  readonly no: string | null
  readonly mark: string
}

/** A line whose page and field are known; its row is sought in the data. */
interface Sought {
  readonly place: QueryPlace
  readonly field: FieldPlace | null
}

/**
 * Finds the place of each line under the version that data are entered under.
 *
 * @throws ApiFailure forbidden for who may not ask
 */
export async function placeLines(
  connection: Queryable,
  member: Membership,
  lines: readonly QuestionLine[],
): Promise<PlacedLines> {
  requirePermission(member, 'query_add')
  const version = await newestVersion(connection, member.projectId, ['formal'])
  const folders = version === null ? [] : await loadFolders(connection, version.id)
  const subjects = await findSubjects(connection, member, lines)
  const books = await loadBooks(connection, member, subjects)
  const models = new Map<string, PageModel | null>()
  const sought = lines.map((line): Sought | LineProblem => {
    const subject = subjectOf(subjects, line)
    if (typeof subject === 'string') return subject
    const { facts, begun } = books
    const own = { facts: facts.get(subject.id) ?? [], begun: begun.get(subject.id) ?? [] }
    const found = findPage(folders, own, line)
    if ('problem' in found) return found.problem
    const { visit, page } = found.at
    const place = { ...NOWHERE, patientId: subject.id, ...visit }
    if (page === null) return { place, field: null }
    const model = modelOf(models, folders, page)
    const field = model === null ? { problem: 'field_unknown' as const } : findField(model, line)
    if ('problem' in field) return field.problem
    return { place: { ...place, ...page, pass: passParameter(member) ?? member.pass }, field: field.at }
  })
  const data = await loadData(connection, member, sought)
  const masks = member.sensitive ? null : await pageMasks(connection, member.projectId, pagesOf(sought))
  const placed = lines.map((line, at): PlacedLine => {
    const one = sought[at] ?? 'subject_missing'
    return typeof one === 'string' ? { problem: one } : placeLine(line, one, data, masks)
  })
  return { versionId: version?.id ?? null, lines: await withSame(connection, member, lines, placed) }
}

const NOWHERE: Omit<QueryPlace, 'patientId'> = {
  folderId: null,
  folderRepeat: null,
  pageId: null,
  pageRepeat: null,
  parentEntryId: null,
  pass: null,
  table: null,
  rid: null,
  code: null,
}

/** Looks up the row, and says what is wrong with the rest of the line. */
function placeLine(
  line: QuestionLine,
  { place: page, field }: Sought,
  data: ReadonlyMap<string, EntryData>,
  masks: ReadonlyMap<string, ReadonlySet<string>> | null,
): PlacedLine {
  const { table, code } = field ?? NOWHERE
  if (masks !== null && isAboutMasked(masks.get(page.pageId ?? '') ?? new Set(), { table, code }))
    return { problem: 'masked' }
  const entry = data.get(entryOfQuery(page) ?? '') ?? { values: {}, missing: {} }
  const rid = field === null || field.rowNo === null ? null : rowAt(entry, field.table ?? '', field.rowNo)
  if (rid === undefined) return { problem: 'row_not_there' }
  const said = line.text.trim()
  if (said === '') return { problem: 'text_missing' }
  if (said.length > LONGEST_QUESTION) return { problem: 'text_long' }
  const dueOn = line.due.trim() === '' ? null : dateFromTyping(line.due)
  if (line.due.trim() !== '' && (dueOn === null || parseDate(dueOn) === null)) return { problem: 'date_wrong' }
  const content = code === null || code === WHOLE_ROW ? null : contentAt(entry, { table, rid, code })
  return { place: { ...page, table, rid, code }, content, dueOn, sameNo: null }
}

/** The nth of the rows that are there, as screens number them; undefined where there are not so many. */
function rowAt({ values }: EntryData, table: string, no: number): string | undefined {
  const rows = (rowsOf(values[table]) ?? []).filter((row) => !stateOf(row).deleted)
  const rid = rows[no - 1]?.['_rid']
  return typeof rid === 'string' ? rid : undefined
}

async function loadFolders(connection: Queryable, versionId: string): Promise<readonly Book[]> {
  const { rows } = await connection.query<Omit<Book, 'schedule'> & { readonly schedule: unknown }>({
    name: 'query_line_folders',
    text: `
      SELECT f.folder_id AS id, f.name, f.name_en AS "nameEn", f.code, f.schedule, coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', p.page_id, 'name', p.name, 'nameEn', p.name_en, 'code', p.code, 'option', p.option) ORDER BY p.sort, p.page_id)
        FROM crf_page p WHERE p.version_id = f.version_id AND p.folder_id = f.folder_id), '[]') AS pages
      FROM crf_folder f WHERE f.version_id = $1 ORDER BY f.sort, f.folder_id`,
    values: [versionId],
  })
  return rows.map(({ schedule, pages, ...folder }) => ({
    ...folder,
    schedule: folderSchedule.safeParse(schedule).data,
    pages: pages.map((page) => ({ ...page, byHand: isMadeByHand(page.option) })),
  }))
}

type Book = Omit<BookFolder, 'pages'> & {
  readonly pages: readonly (BookFolder['pages'][number] & { readonly option: string })[]
}

function modelOf(
  models: Map<string, PageModel | null>,
  folders: readonly Book[],
  { folderId, pageId }: Pick<BegunPage, 'folderId' | 'pageId'>,
): PageModel | null {
  const key = `${folderId} ${pageId}`
  const known = models.get(key)
  if (known !== undefined) return known
  const page = folders.find(({ id }) => id === folderId)?.pages.find(({ id }) => id === pageId)
  const read = page === undefined ? null : parsePage(page.option)
  const model = read?.ok === true ? read.page : null
  models.set(key, model)
  return model
}

/** The patients whom the member sees and a line names, by number, or without one by mark. */
async function findSubjects(
  connection: Queryable,
  member: Membership,
  lines: readonly QuestionLine[],
): Promise<readonly Subject[]> {
  const said = [...new Set(lines.map(({ subject }) => plain(subject)))]
  const { rows } = await connection.query<Subject>({
    name: 'query_line_subjects',
    text: `
      SELECT p.id, p.no, p.mark FROM patient p
      WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND (lower(p.no) = ANY ($4) OR p.no IS NULL AND lower('#' || p.mark) = ANY ($4))`,
    values: [...visibleTo(member), said],
  })
  return rows
}

function subjectOf(subjects: readonly Subject[], line: QuestionLine): Subject | LineProblem {
  const said = plain(line.subject)
  if (said === '') return 'subject_missing'
  const [found, other] = subjects.filter(({ no, mark }) => plain(no ?? `#${mark}`) === said)
  return found === undefined ? 'subject_unknown' : other === undefined ? found : 'subject_ambiguous'
}

async function loadBooks(connection: Queryable, member: Membership, subjects: readonly Subject[]) {
  const ids = subjects.map(({ id }) => id)
  const { rows } = await connection.query<BegunPage & { readonly patientId: string }>({
    name: 'query_line_pages',
    text: `
      SELECT patient_id AS "patientId", folder_id AS "folderId", folder_repeat AS "folderRepeat", page_id AS "pageId", page_repeat AS "pageRepeat"
      FROM entry WHERE patient_id = ANY ($1) AND NOT deleted AND pass = $2`,
    values: [ids, passParameter(member) ?? member.pass],
  })
  const visits: readonly (VisitFacts & { readonly patientId: string })[] = await visitsOfPatients(
    connection,
    member,
    ids,
  )
  return {
    begun: Map.groupBy(rows, ({ patientId }) => patientId),
    facts: Map.groupBy(visits, ({ patientId }) => patientId),
  }
}

async function loadData(
  connection: Queryable,
  { projectId }: Membership,
  sought: readonly (Sought | LineProblem)[],
): Promise<ReadonlyMap<string, EntryData>> {
  const ids = sought.flatMap((one) =>
    typeof one === 'string' || one.field === null ? [] : (entryOfQuery(one.place) ?? []),
  )
  const { rows } = await connection.query<EntryData & { readonly id: string }>({
    name: 'query_line_data',
    text: 'SELECT id, "values", missing FROM entry WHERE project_id = $1 AND id = ANY ($2) AND NOT deleted',
    values: [projectId, ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

function pagesOf(sought: readonly (Sought | LineProblem)[]): readonly string[] {
  return [...new Set(sought.flatMap((one) => (typeof one === 'string' ? [] : (one.place.pageId ?? []))))]
}

/** Says of each line whether the same is asked there already and not settled. */
async function withSame(
  connection: Queryable,
  member: Membership,
  lines: readonly QuestionLine[],
  placed: readonly PlacedLine[],
): Promise<PlacedLine[]> {
  const patientIds = placed.flatMap((one) => ('place' in one ? [one.place.patientId] : []))
  const { rows } = await connection.query<{ no: number; text: string; place: QueryPlace }>({
    name: 'query_line_same',
    text: `
      SELECT q.no, q.text, jsonb_build_object(
        'patientId', q.patient_id, 'folderId', q.folder_id, 'folderRepeat', q.folder_repeat, 'pageId', q.page_id, 'pageRepeat', q.page_repeat,
        'parentEntryId', q.parent_entry_id, 'pass', q.pass, 'table', q.table_prop, 'rid', q.rid, 'code', q.prop) AS place
      FROM query q JOIN patient p ON p.id = q.patient_id
      WHERE ${QUERY_VISIBLE} AND q.patient_id = ANY ($7) AND q.state IN ('candidate', 'open', 'answered') AND q.text = ANY ($8)
      ORDER BY q.no`,
    values: [...queriesVisibleTo(member), [...new Set(patientIds)], [...new Set(lines.map(({ text }) => text.trim()))]],
  })
  const key = (place: QueryPlace, text: string) => `${canonicalJson(place)} ${text}`
  const known = new Map(rows.map(({ no, text, place }) => [key(place, text), no]))
  return placed.map((one, at) =>
    'place' in one ? { ...one, sameNo: known.get(key(one.place, lines[at]?.text.trim() ?? '')) ?? null } : one,
  )
}
