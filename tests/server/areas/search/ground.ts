import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { World } from '#tests/server/support/world.ts'

/** A casebook with a page of every kind of answer at three visits, and entries put there as they are stored. */

export interface SearchGround {
  readonly versionId: string
  readonly pageId: string
  /** Baseline, second and third visit. */
  readonly visits: readonly [string, string, string]
}

export const PAGE = JSON.stringify({
  column: [
    { prop: 'sbp', label: '收缩压', type: 'number', zl: { unit: 'mmHg' } },
    { prop: 'taken', label: '测量日期', type: 'date' },
    { prop: 'clock', label: '测量时间', type: 'time' },
    { prop: 'span', label: '起止', type: 'daterange' },
    { prop: 'note', label: '备注', type: 'textarea' },
    {
      prop: 'arm',
      label: '测量手臂',
      type: 'radio',
      dicData: [
        { label: '左', value: 'L' },
        { label: '右', value: 'R' },
      ],
    },
    {
      prop: 'signs',
      label: '体征',
      type: 'checkbox',
      dicData: [
        { label: '甲', value: 'a' },
        { label: '乙', value: 'b' },
        { label: '丙', value: 'c' },
      ],
    },
    { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'number' },
        ],
      },
    },
  ],
})

/** A second release with the page at three visits. */
export async function makeGround({ services: { pool }, study, people }: World): Promise<SearchGround> {
  const [versionId, pageId] = [newId(), newId()]
  const visits = [study.folderId, newId(), newId()] as const
  await pool.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, created_by) VALUES ($1, $2, 2, 'formal', $3)`,
    [versionId, study.projectId, people.admin.userId],
  )
  for (const [at, folderId] of visits.entries()) {
    await pool.query(`INSERT INTO crf_folder (version_id, folder_id, name, code, sort) VALUES ($1, $2, $3, $4, $5)`, [
      versionId,
      folderId,
      `访视${at + 1}`,
      `V${at + 1}`,
      at + 1,
    ])
    await pool.query(
      `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, sort, option) VALUES ($1, $2, $3, '血压', 'BP', 1, $4)`,
      [versionId, pageId, folderId, PAGE],
    )
  }
  return { versionId, pageId, visits }
}

export interface PutEntry {
  readonly patientId: string
  readonly centerId: string
  readonly folderId: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing?: Readonly<Record<string, JsonValue>>
  readonly hidden?: readonly string[]
  readonly deleted?: boolean
  readonly pass?: 1 | 2
  readonly status?: 'init' | 'process' | 'other'
}

/** Puts an entry of the page as it would be stored. @returns its id */
export async function putEntry({ services: { pool }, study, people }: World, ground: SearchGround, put: PutEntry) {
  const id = entryId({
    patientId: put.patientId,
    folderId: put.folderId,
    folderRepeat: '0',
    pageId: ground.pageId,
    pageRepeat: '0',
    parentEntryId: null,
    pass: put.pass ?? 1,
  })
  await pool.query(
    `INSERT INTO entry (id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, version_id, status, rev,
       "values", missing, hidden, data_hash, deleted, updated_by)
     SELECT $1, $2, $3, $4, $5, '0', $6, '0', $7, v.id, $8, 1, $9, $10, $11, 'none', $12, $13 FROM crf_version v
     WHERE v.project_id = $2 AND v.version_no = 2`,
    [
      id,
      study.projectId,
      put.centerId,
      put.patientId,
      put.folderId,
      ground.pageId,
      put.pass ?? 1,
      put.status ?? 'process',
      JSON.stringify(put.values),
      JSON.stringify(put.missing ?? {}),
      put.hidden ?? [],
      put.deleted ?? false,
      people.lin.userId,
    ],
  )
  return id
}
