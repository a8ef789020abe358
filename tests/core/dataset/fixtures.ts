import { newDefinition } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { DataSource, Extent, StudyPage, StudyPages, Subject, SubjectEntry } from '#core/dataset/source.ts'
import type { DataTable, Row } from '#core/dataset/table.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'

/** A small study in memory, as a server reads it. */

export const PAGE = '0190a000-0000-7000-8000-0000000000b1'
const FOLDER = '0190a000-0000-7000-8000-0000000000f1'

export function model(column: readonly object[]): PageModel {
  const read = parsePage(JSON.stringify({ column }))
  if (!read.ok) throw new Error('a page that cannot be read')
  return read.page
}

/** A study of one page over its versions, the newest first. */
export function studyOf(versions: readonly (readonly object[])[], masked: readonly string[] = []): StudyPages {
  const page: StudyPage = {
    pageId: PAGE,
    models: versions.map(model),
    name: '生命体征',
    nameEn: 'Vital signs',
    code: 'VS',
    masked: new Set(masked),
  }
  const place = { folderId: FOLDER, folderCode: 'V1', folderName: '基线', folderNameEn: 'Baseline', pageId: PAGE }
  return { pages: [page], places: [place] }
}

export function define(more: Partial<DataSetDefinition> = {}): DataSetDefinition {
  const plain = { on: false, keepText: [], ages: [] }
  return { ...newDefinition('zh'), values: 'codes', reasons: false, about: [], deidentify: plain, ...more }
}

export function subject(id: string, more: Partial<Subject> = {}): Subject {
  return {
    id,
    no: `01-${id}`,
    mark: 'AAAA',
    centerCode: 'N01',
    centerName: '北院',
    sex: 'F',
    enrolledOn: '2026-03-01',
    initials: 'ZS',
    name: '张三',
    mobile: null,
    email: null,
    birthDate: '1960',
    ...more,
  }
}

export function entry(
  patientId: string,
  values: Readonly<Record<string, JsonValue>>,
  more: Partial<SubjectEntry> = {},
): SubjectEntry {
  return {
    patientId,
    folderId: FOLDER,
    visitNo: 1,
    pageId: PAGE,
    pageNo: 1,
    pass: 1,
    versionNo: 1,
    status: 'other',
    control: 'open',
    submittedAt: '2026-03-02T01:00:00.000Z',
    submittedBy: '林护士',
    savedAt: '2026-03-02T16:30:00.000Z',
    savedBy: '林护士',
    queriesOpen: 1,
    queriesAnswered: 0,
    sdv: 'complete',
    dmr: 'notDue',
    conflicts: 0,
    hidden: [],
    retired: {},
    values,
    missing: {},
    ...more,
  }
}

/** A source that reads one subject at a time. */
export function sourceOf(subjects: readonly Subject[], entries: readonly SubjectEntry[]): DataSource {
  return {
    subjects: async function* () {
      for (const one of subjects) yield await Promise.resolve([one])
    },
    entries: (of, { pageId, retired }) =>
      Promise.resolve(
        entries.filter(
          (one) =>
            of.some(({ id }) => id === one.patientId) &&
            (pageId === null || one.pageId === pageId) &&
            (retired !== true || Object.keys(one.retired).length > 0),
        ),
      ),
    extents: () => Promise.resolve(extentsOf(entries)),
  }
}

function extentsOf(entries: readonly SubjectEntry[]): readonly Extent[] {
  const places = Map.groupBy(entries, ({ folderId, pageId, pass }) => `${folderId} ${pageId} ${String(pass)}`)
  return [...places.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { folderId, pageId, pass } = first
    const counts = [...Map.groupBy(group, ({ patientId }) => patientId).values()].map(({ length }) => length)
    const rows: Record<string, number> = {}
    for (const { values } of group)
      for (const [code, value] of Object.entries(values))
        if (Array.isArray(value)) rows[code] = Math.max(rows[code] ?? 0, value.length)
    return [{ folderId, pageId, pass, repeats: Math.max(...counts), rows }]
  })
}

/** The rows of a table as records by the names of their variables; cells without a value are left out. */
export async function recordsOf(table: DataTable | undefined): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (table === undefined) throw new Error('no such table')
  const rows: Row[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return rows.map((row) =>
    Object.fromEntries(table.variables.flatMap(({ name }, at) => (row[at] === null ? [] : [[name, row[at]]]))),
  )
}
