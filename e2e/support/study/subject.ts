import type { TreeFolder } from '#core/api/calls/version.ts'
import { headers } from '#core/api/headers.ts'
import { entryId, FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryChange, EntryTarget } from '#core/sync/entryChange.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import type { Study } from './project.ts'

/** Subjects, and what is entered of them, past the app. */

interface Identity {
  readonly initials?: string
  readonly name?: string | null
  readonly mobile?: string | null
  readonly email?: string | null
}

/** Enrols a woman in the study's center, of whom no more is known than is said. Gives the patient's id. */
export async function enrolByApi(
  user: ApiUser,
  { projectId, centerId }: Study,
  { initials = 'ZS', name = null, mobile = null, email = null }: Identity = {},
): Promise<string> {
  const id = newId()
  await user.call('patient.save', {
    body: {
      id,
      projectId,
      centerId,
      no: null,
      mark: id.slice(-4).toUpperCase(),
      initials,
      sex: 'F',
      enrolledOn: '2026-03-01',
      identity: { name, mobile, email, birthDate: null },
    },
  })
  return id
}

/** The first page of a version: of every patient's casebook it is there once. */
export type FirstPage = Pick<EntryTarget, 'folderId' | 'folderRepeat' | 'pageId' | 'pageRepeat'>

export async function findFirstPage(user: ApiUser, versionId: string): Promise<FirstPage> {
  const [folder] = await user.call<readonly TreeFolder[]>('version.tree', { params: { id: versionId } })
  const page = folder?.crfPageVOList[0]
  if (folder === undefined || page === undefined) throw new Error('the version has no page')
  return { folderId: folder.id, folderRepeat: FIRST_REPEAT, pageId: page.crfPageId, pageRepeat: FIRST_REPEAT }
}

/** That page of a patient, as entered in a pass. */
export function pageOf(patientId: string, page: FirstPage, pass: 1 | 2 = 1): EntryTarget {
  return { patientId, ...page, parentEntryId: null, pass }
}

type Values = Readonly<Record<string, JsonValue>>

/** Saves values, and rows of tables by the code of each, on a page on which nothing was entered before. */
export async function enterByApi(
  user: ApiUser,
  version: EnteredVersion,
  target: EntryTarget,
  values: Values,
  tables: Readonly<Record<string, readonly Values[]>> = {},
): Promise<void> {
  await writeByApi('entry.save', user, version, changeOf(target, values, tables))
}

/** The same of a page without tables, which is submitted by it. Gives the entry's id. */
export async function submitByApi(
  user: ApiUser,
  version: EnteredVersion,
  target: EntryTarget,
  values: Values,
): Promise<string> {
  await writeByApi('entry.submit', user, version, changeOf(target, values, {}))
  return entryId(target)
}

interface EnteredVersion {
  readonly projectId: string
  readonly versionId: string
}

function changeOf(
  target: EntryTarget,
  values: Values,
  tables: Readonly<Record<string, readonly Values[]>>,
): EntryChange {
  const rows = Object.entries(tables).flatMap(([table, all]) =>
    all.map((row, at) => ({ table, rid: newId(), order: `a${at}`, values: row })),
  )
  return {
    target,
    items: [
      ...newItems(null, null, values),
      ...rows.flatMap(({ table, rid, values: ofRow }) => newItems(table, rid, ofRow)),
    ],
    rows: rows.map(({ table, rid, order }) => ({
      table,
      rid,
      to: { deleted: false, order },
      base: null,
      seen: null,
      reason: null,
    })),
    journal: [],
    seen: null,
  }
}

async function writeByApi(
  call: 'entry.save' | 'entry.submit',
  user: ApiUser,
  { projectId, versionId }: EnteredVersion,
  body: EntryChange,
): Promise<void> {
  await user.call(call, {
    params: { id: entryId(body.target) },
    body,
    more: {
      [headers.projectId]: projectId,
      [headers.crfId]: versionId,
      [headers.doubleSeqNo]: String(body.target.pass),
    },
  })
}

function newItems(table: string | null, rid: string | null, values: Values): EntryChange['items'] {
  const empty = { value: null, missing: null }
  return Object.entries(values).map(([code, value]) => ({
    table,
    rid,
    code,
    to: { value, missing: null },
    base: empty,
    isShow: 1,
    reason: null,
  }))
}
