import { entryId } from '#core/derivedIds.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { World } from '#tests/server/support/world.ts'
import { announce } from '#tests/server/support/world.ts'

/**
 * The study that is monitored: two visits, four pages. A baseline with demographics (DM), vital signs (VS) and drugs
 * (CM), and a follow-up with vital signs again (FU). All ids are fixed, because the draw of a review plan depends on
 * those of the patients.
 */

export type PageCode = 'DM' | 'VS' | 'CM' | 'FU'
export type CenterCode = 'N' | 'S' | 'E'

const CENTER_NO: Readonly<Record<CenterCode, number>> = { N: 1, S: 2, E: 3 }
const PAGE_NO: Readonly<Record<PageCode, number>> = { DM: 1, VS: 2, CM: 3, FU: 4 }
export const PAGES = ['DM', 'VS', 'CM', 'FU'] as const

/** `00000000-0000-7000-8000-00000000cnnn`: center and number, as `N10` is 1010. */
export function patientId(center: CenterCode, no: number): string {
  return fixedId(8000, CENTER_NO[center] * 1000 + no)
}

/** The first or the second row of a patient's drugs. */
export function rowId(center: CenterCode, no: number, row: number): string {
  return fixedId(8100 + row, CENTER_NO[center] * 1000 + no)
}

/** The center in the east is the third of the world. */
export const EAST = fixedId(8200, 3)
export const VERSION = fixedId(8300, 1)
const BASELINE = fixedId(8400, 1)
const FOLLOW_UP = fixedId(8400, 2)
/** The visits. */
export const VISITS = { baseline: BASELINE, followUp: FOLLOW_UP } as const

export function pageId(page: PageCode): string {
  return fixedId(8500, PAGE_NO[page])
}

function fixedId(kind: number, no: number): string {
  return `00000000-0000-7000-${kind}-${String(no).padStart(12, '0')}`
}

export function centerId({ study }: Pick<World, 'study'>, center: CenterCode): string {
  return { N: study.north, S: study.south, E: EAST }[center]
}

/** A page of a patient. */
export function pageOf(center: CenterCode, no: number, page: PageCode): EntryTarget {
  return {
    patientId: patientId(center, no),
    folderId: page === 'FU' ? FOLLOW_UP : BASELINE,
    folderRepeat: '0',
    pageId: pageId(page),
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
  }
}

const PLACE = /^([NSE])(\d+)(?: (DM|VS|CM|FU|V1))?(?: ([12]))?(?: ([a-z]+))?$/

/**
 * What a text names: `N10 VS sbp` a field, `N7 CM 2 dose` a field of the second row, `N5 CM 1` a row, `N3 CM` a page,
 * `S4 V1` a visit, `N2` a patient.
 */
export function placeOf(text: string): QueryPlace {
  const [, center, digits, page, row, field] = PLACE.exec(text) ?? []
  if (center === undefined || digits === undefined) throw new Error(`no such place: ${text}`)
  const [of, no] = [center as CenterCode, Number(digits)]
  const part = row === undefined ? { table: null, rid: null } : { table: 'drugs', rid: rowId(of, no, Number(row)) }
  const code = field ?? (row === undefined ? null : '_row')
  if (page !== undefined && page !== 'V1') return { ...pageOf(of, no, page as PageCode), ...part, code }
  const visit = page === undefined ? null : BASELINE
  return {
    patientId: patientId(of, no),
    folderId: visit,
    folderRepeat: visit === null ? null : '0',
    pageId: null,
    pageRepeat: null,
    parentEntryId: null,
    pass: null,
    ...part,
    code,
  }
}

/** The page that a place is on, as it is opened. */
export function targetOf(text: string): EntryTarget {
  const [, center, digits, page] = PLACE.exec(text) ?? []
  return pageOf(center as CenterCode, Number(digits), page as PageCode)
}

/** Names pages of patients by the ids of their entries: `N10 VS`. */
export function namesOfPages(sizes: Readonly<Record<CenterCode, number>>): ReadonlyMap<string, string> {
  const centers = Object.keys(sizes) as CenterCode[]
  return new Map(
    centers.flatMap((center) =>
      Array.from({ length: sizes[center] }, (_, at) => at + 1).flatMap((no) =>
        PAGES.map((page) => [entryId(pageOf(center, no, page)), `${center}${no} ${page}`] as const),
      ),
    ),
  )
}

const tooHigh = {
  id: 'high',
  when: 'page.sbp > 180.0',
  severity: 'query',
  message: { zh: '收缩压高于 180，请核对' },
}
const sbp = { prop: 'sbp', label: '收缩压', type: 'number', zl: { checks: [tooHigh] } }
const pulse = { prop: 'pulse', label: '脉搏', type: 'number' }
const dbp = {
  prop: 'dbp',
  label: '舒张压',
  type: 'number',
  zl: {
    checks: [{ id: 'order', when: 'page.dbp >= page.sbp', severity: 'query', message: { zh: '舒张压不低于收缩压' } }],
  },
}

const FIELDS: Readonly<Record<PageCode, readonly object[]>> = {
  DM: [
    {
      prop: 'name',
      label: '姓名',
      type: 'input',
      zl: {
        identifier: true,
        checks: [{ id: 'short', when: 'size(page.name) < 3', severity: 'query', message: { zh: '姓名过短' } }],
      },
    },
    {
      prop: 'sex',
      label: '性别',
      type: 'radio',
      dicData: [
        { label: '女', value: '0' },
        { label: '男', value: '1' },
      ],
    },
    { prop: 'age', label: '年龄', type: 'number' },
  ],
  VS: [
    sbp,
    dbp,
    pulse,
    // Only asked where the pressure is high: a query about it goes with it.
    {
      prop: 'why',
      label: '高压说明',
      type: 'input',
      zl: {
        show: 'page.sbp > 180.0',
        checks: [{ id: 'short', when: 'size(page.why) < 2', severity: 'query', message: { zh: '说明过短' } }],
      },
    },
  ],
  CM: [
    {
      prop: 'drugs',
      label: '合并用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          {
            prop: 'dose',
            label: '剂量',
            type: 'number',
            zl: {
              checks: [{ id: 'much', when: 'row.dose > 1000.0', severity: 'query', message: { zh: '剂量过大' } }],
            },
          },
        ],
      },
    },
  ],
  FU: [sbp, dbp, pulse],
}

/** Releases it as the version that data are entered under, and opens the center in the east. */
export async function releaseCasebook({ services: { pool }, study, people }: World): Promise<void> {
  await pool.query('INSERT INTO center (id, project_id, name, code) VALUES ($1, $2, $3, $4)', [
    EAST,
    study.projectId,
    '东院',
    'E03',
  ])
  await pool.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, created_by) VALUES ($1, $2, 2, 'formal', $3)`,
    [VERSION, study.projectId, people.admin.userId],
  )
  for (const [id, name, code, sort] of [
    [BASELINE, '基线', 'V1', 1],
    [FOLLOW_UP, '随访', 'V2', 2],
  ])
    await pool.query(`INSERT INTO crf_folder (version_id, folder_id, name, code, sort) VALUES ($1, $2, $3, $4, $5)`, [
      VERSION,
      id,
      name,
      code,
      sort,
    ])
  for (const page of PAGES)
    await pool.query(
      `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option) VALUES ($1, $2, $3, $4, $4, false, $5, $6)`,
      [
        VERSION,
        pageId(page),
        page === 'FU' ? FOLLOW_UP : BASELINE,
        page,
        PAGE_NO[page],
        JSON.stringify({ column: FIELDS[page] }),
      ],
    )
  await announce(pool, study, people.admin, [
    { kind: 'center', rowId: EAST },
    { kind: 'version', rowId: VERSION },
  ])
}
