import type { QueryOf } from '#core/api/call.ts'
import type { ReviewLine, reviewListStates } from '#core/api/calls/review/check.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { rollUpOf } from '#core/review/verification.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { prepare } from '#server/database/prepare.ts'
import type { Leading, Parameter } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Pages that the plan of a track asks for: by center, subject, visit and page, within the reader's project, centers,
 * pass and data scope. It goes from subject to subject, so that the first lines come without sorting all pages.
 */

type NextQuery = QueryOf<CallOf<'review.next'>>
type Filter = Omit<NextQuery, 'after'>
type ListState = (typeof reviewListStates)[number]

interface Question {
  readonly member: Membership
  readonly filter: Filter
}

/** Where an entry stands in the order of the list. */
interface ListPlace {
  readonly centerName: string
  readonly centerId: string
  readonly patientNo: string | null
  readonly patientId: string
  readonly folderSort: number
  readonly folderRepeat: string
  readonly pageSort: number
  readonly pageRepeat: string
  readonly entryId: string
}

interface Asked extends Question {
  readonly after: ListPlace | null
  readonly size: number
  readonly offset: number
}

const VISIBLE: Leading<Pick<Question, 'member'>> = { count: 3, read: ({ member }) => visibleTo(member) }

/** SQL over a count `c`: whether the page is in a state. What the plan does not ask for is in none. */
const STATES: Readonly<Record<ListState, string>> = {
  toDo: 'c.ready AND c.done < c.due',
  changed: 'c.ready AND c.due > 0 AND c.changed > 0',
  complete: 'c.ready AND c.due > 0 AND c.done = c.due',
  notReady: 'c.due > 0 AND NOT c.ready',
  all: 'c.due > 0',
}

/** A place that comes after all others, for what a version does not know. */
const LAST = 2_147_483_647

/** The order of patients `p` of centers `ce`. */
const PATIENT_ORDER = ['ce.name', 'ce.id', 'p.no IS NULL', `coalesce(p.no, '')`, 'p.id']
/** The order of the entries `e` of a patient, by the version of each. */
const ENTRY_ORDER = [
  `coalesce(f.sort, ${LAST})`,
  'e.folder_repeat COLLATE "C"',
  `coalesce(pg.sort, ${LAST})`,
  'e.page_repeat COLLATE "C"',
  'e.id',
]

/** SQL: a column has the id that was asked for. */
function conditionsBy(parameter: Parameter<Question>) {
  return (column: string, read: (filter: Filter) => string | undefined): string => {
    const value = `${parameter(({ filter }) => read(filter) ?? null)}::uuid`
    return `(${value} IS NULL OR ${column} = ${value})`
  }
}

/** What was asked of patients. A part of the question that was left out limits nothing. */
function ofPatients(parameter: Parameter<Question>): string {
  const asked = conditionsBy(parameter)
  const words = `${parameter(({ filter: { words } }) => (words === undefined ? null : `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))}::text`
  return [
    PATIENT_VISIBLE,
    'NOT p.deleted',
    asked('p.center_id', ({ centerId }) => centerId),
    asked('p.id', ({ patientId }) => patientId),
    `(${words} IS NULL OR p.no ILIKE ${words})`,
  ].join('\n        AND ')
}

/** What was asked of pages. */
function ofEntries(parameter: Parameter<Question>, state: ListState): string {
  const asked = conditionsBy(parameter)
  const pass = `${parameter(({ member }) => passParameter(member))}::smallint`
  return [
    `c.track = ${parameter(({ filter }) => filter.track)} AND ${STATES[state]}`,
    `(${pass} IS NULL OR e.pass = ${pass})`,
    asked('e.folder_id', ({ folderId }) => folderId),
    asked('e.page_id', ({ pageId }) => pageId),
  ].join('\n        AND ')
}

const LINE = `
  p.id AS "patientId", p.no AS "patientNo", p.mark AS "patientMark", p.initials, p.center_id AS "centerId",
  c.entry_id AS "entryId", c.ready, c.due, c.done, c.changed,
  e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId", e.page_repeat AS "pageRepeat",
  e.parent_entry_id AS "parentEntryId", e.pass, CASE WHEN e.status = 'other' THEN e.submitted_at END AS "submittedAt",
  coalesce(f.name, '') AS "folderName", f.name_en AS "folderNameEn", coalesce(pg.name, '') AS "pageName", pg.name_en AS "pageNameEn",
  (SELECT count(*)::integer FROM query q WHERE q.entry_id = e.id AND q.state IN ('open', 'answered')) AS queries`

/** SQL: what the version of an entry `e` says of its visit and its page. */
const DEFINED = `
  LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
  LEFT JOIN crf_page pg ON pg.version_id = e.version_id AND pg.folder_id = e.folder_id AND pg.page_id = e.page_id`

/** SQL: what comes after a place in the list. */
function afterPlace(parameter: Parameter<Asked>): { readonly patients: string; readonly entries: string } {
  const read = (type: string, of: (place: ListPlace) => string | number | null) =>
    `${parameter(({ after }) => (after === null ? null : of(after)))}::${type}`
  const patientId = read('uuid', (place) => place.patientId)
  const no = read('text', ({ patientNo }) => patientNo)
  const patient = [
    read('text', ({ centerName }) => centerName),
    read('uuid', ({ centerId }) => centerId),
    `${no} IS NULL`,
    `coalesce(${no}, '')`,
    patientId,
  ]
  const entry = [
    read('integer', ({ folderSort }) => folderSort),
    read('text', ({ folderRepeat }) => folderRepeat),
    read('integer', ({ pageSort }) => pageSort),
    read('text', ({ pageRepeat }) => pageRepeat),
    read('uuid', ({ entryId }) => entryId),
  ]
  return {
    patients: `AND (${PATIENT_ORDER.join(', ')}) >= (${patient.join(', ')})`,
    entries: `AND (p.id <> ${patientId} OR (${ENTRY_ORDER.join(', ')}) > (${entry.join(', ')}))`,
  }
}

const listOf = (state: ListState, from: 'start' | 'place') =>
  prepare<Asked>(
    `review_list_${state}_${from}`,
    (parameter) => {
      const limits = from === 'start' ? { patients: '', entries: '' } : afterPlace(parameter)
      return `
      SELECT ${LINE}
      FROM (
        SELECT found.id FROM (
          SELECT p.id FROM patient p JOIN center ce ON ce.id = p.center_id
          WHERE ${ofPatients(parameter)} ${limits.patients}
          ORDER BY ${PATIENT_ORDER.join(', ')}
        ) p CROSS JOIN LATERAL (
          SELECT e.id FROM review_count c JOIN entry e ON e.id = c.entry_id ${DEFINED}
          WHERE c.patient_id = p.id AND c.project_id = $1 AND ${ofEntries(parameter, state)} ${limits.entries}
          ORDER BY ${ENTRY_ORDER.join(', ')}
        ) found
        LIMIT ${parameter(({ size }) => size)} OFFSET ${parameter(({ offset }) => offset)}
      ) found JOIN review_count c ON c.entry_id = found.id AND c.track = ${parameter(({ filter }) => filter.track)}
        JOIN entry e ON e.id = found.id JOIN patient p ON p.id = e.patient_id JOIN center ce ON ce.id = p.center_id ${DEFINED}
      ORDER BY ${[...PATIENT_ORDER, ...ENTRY_ORDER].join(', ')}`
    },
    VISIBLE,
  )

function byState<Statement>(make: (state: ListState) => Statement): Readonly<Record<ListState, Statement>> {
  return {
    toDo: make('toDo'),
    changed: make('changed'),
    complete: make('complete'),
    notReady: make('notReady'),
    all: make('all'),
  }
}

const LISTS = { start: byState((state) => listOf(state, 'start')), place: byState((state) => listOf(state, 'place')) }

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

const COUNTS = byState((state) =>
  prepare<Question>(
    `review_list_count_${state}`,
    (parameter) => `
      SELECT count(*)::integer AS total FROM (
        SELECT 1 FROM review_count c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = c.patient_id
        WHERE c.project_id = $1 AND ${ofPatients(parameter)} AND ${ofEntries(parameter, state)} LIMIT ${MAX_COUNT + 1}) AS counted`,
    VISIBLE,
  ),
)

type Listed = Omit<ReviewLine, 'rollUp'>

interface Lines {
  readonly lines: readonly ReviewLine[]
  readonly total: number
  readonly totalIsLeast: boolean
}

/** One page of what is to be checked. */
export async function listReview(
  connection: Queryable,
  member: Membership,
  { current, size, ...filter }: QueryOf<CallOf<'review.list'>>,
): Promise<Lines> {
  const asked = { member, filter, after: null, size, offset: (current - 1) * size }
  const { rows } = await connection.query<Listed>(LISTS.start[filter.state](asked))
  const { rows: counted } = await connection.query<{ total: number }>(COUNTS[filter.state]({ member, filter }))
  const total = counted[0]?.total ?? 0
  return { lines: rows.map(lineOf), total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}

function lineOf(row: Listed): ReviewLine {
  return { ...row, rollUp: rollUpOf(row) }
}

/**
 * The next page of the list, after an entry that need not be in it any more.
 *
 * @throws ApiFailure not_found for an entry that the member may not see
 */
export async function nextReview(
  connection: Queryable,
  member: Membership,
  { after, ...filter }: NextQuery,
): Promise<ReviewLine | null> {
  const place = after === undefined ? null : await findListPlace(connection, member, after)
  const statement = LISTS[place === null ? 'start' : 'place'][filter.state]
  const { rows } = await connection.query<Listed>(statement({ member, filter, after: place, size: 1, offset: 0 }))
  return rows[0] === undefined ? null : lineOf(rows[0])
}

async function findListPlace(connection: Queryable, member: Membership, entryId: string): Promise<ListPlace> {
  const { rows } = await connection.query<ListPlace>({
    name: 'review_place_of',
    text: `
      SELECT
        ce.name AS "centerName", ce.id AS "centerId", p.no AS "patientNo", p.id AS "patientId", coalesce(f.sort, ${LAST}) AS "folderSort",
        e.folder_repeat AS "folderRepeat", coalesce(pg.sort, ${LAST}) AS "pageSort", e.page_repeat AS "pageRepeat", e.id AS "entryId"
      FROM entry e JOIN patient p ON p.id = e.patient_id JOIN center ce ON ce.id = p.center_id ${DEFINED}
      WHERE ${PATIENT_VISIBLE} AND e.id = $4`,
    values: [...visibleTo(member), entryId],
  })
  const [place] = rows
  if (place === undefined) throw fail('not_found')
  return place
}
