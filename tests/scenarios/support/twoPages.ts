import { newId } from '#core/ids.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { World } from '#tests/server/support/world.ts'
import { announce } from '#tests/server/support/world.ts'

/**
 * A study of two pages in one visit, where the rules of page b read page a: of the same visit, and by the visit's name.
 */

const A = {
  column: [
    { prop: 'x', label: '体重', type: 'number' },
    {
      prop: 'sex',
      label: '性别',
      type: 'radio',
      dicData: [
        { label: '女', value: '0' },
        { label: '男', value: '1' },
      ],
    },
  ],
}

const B = {
  column: [
    { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'round(form.v0.a.x * 0.5, 1)' } },
    { prop: 'pregnancy', label: '妊娠试验', type: 'input', zl: { show: 'visit.a.sex == "0"' } },
    { prop: 'note', label: '备注', type: 'textarea' },
  ],
}

export interface TwoPages {
  readonly versionId: string
  /** The pages of a patient. */
  of(patientId: string): Readonly<Record<'a' | 'b', EntryTarget>>
}

/** Releases it as the version that data are entered under from now on. */
export async function releaseTwoPages({ services: { pool }, study, people }: World): Promise<TwoPages> {
  const [versionId, folderId] = [newId(), newId()]
  const pages = { a: newId(), b: newId() }
  await pool.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, created_by)
     SELECT $1, $2, max(version_no) + 1, 'formal', $3 FROM crf_version WHERE project_id = $2`,
    [versionId, study.projectId, people.admin.userId],
  )
  await pool.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, code, sort) VALUES ($1, $2, '筛选', 'v0', 1)`,
    [versionId, folderId],
  )
  for (const [sort, [code, option]] of Object.entries({ a: A, b: B }).entries()) {
    await pool.query(
      `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option) VALUES ($1, $2, $3, $4, $4, false, $5, $6)`,
      [versionId, code === 'a' ? pages.a : pages.b, folderId, code, sort, JSON.stringify(option)],
    )
  }
  await announce(pool, study, people.admin, [{ kind: 'version', rowId: versionId }])
  const target = (patientId: string, pageId: string): EntryTarget => ({
    patientId,
    folderId,
    folderRepeat: '0',
    pageId,
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
  })
  return { versionId, of: (patientId) => ({ a: target(patientId, pages.a), b: target(patientId, pages.b) }) }
}
