import type { DataOf } from '#core/api/call.ts'
import { fail } from '#core/api/errors.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { CallOf } from '#core/api/table.ts'
import { entryId, FIRST_REPEAT } from '#core/derivedIds.ts'
import { holdsData, parsePage } from '#core/form/definition/page.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { entryItems } from '#server/areas/entry/answer.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { findPage, loadOption } from './pages.ts'
import type { VersionedPage } from './pages.ts'
import { loadEntryRows } from './rows.ts'

/** Entries for a screen: within the reader's project, centers, pass and data scope, and masked. */

/** All entries of a patient that the reader may see. */
export async function entriesOfPatient(
  transaction: Queryable,
  member: Membership,
  patientId: string,
): Promise<readonly EntryRow[]> {
  await requirePatient(transaction, member, patientId)
  const { rows } = await transaction.query<{ id: string }>({
    name: 'entry_of_patient',
    text: 'SELECT id FROM entry WHERE patient_id = $1 AND project_id = $2 AND ($3::smallint IS NULL OR pass = $3) ORDER BY id',
    values: [patientId, member.projectId, passParameter(member)],
  })
  return loadEntryRows(
    transaction,
    member,
    rows.map(({ id }) => id),
  )
}

export interface PageAsked {
  readonly patientId: string
  /** The entry's id; or the page and the folder, for the first repeat. */
  readonly id: string | null
  readonly crfPageId: string | null
  readonly folderId: string | null
  readonly versionId: string | null
  readonly pass: 1 | 2
}

/** A page of a patient: its definition and its data. The entry is null as long as nothing was entered. */
export async function pageContent(
  transaction: Queryable,
  member: Membership,
  asked: PageAsked,
): Promise<DataOf<CallOf<'entry.content'>>> {
  await requirePatient(transaction, member, asked.patientId)
  const id = asked.id ?? firstEntryId(asked)
  const [found] = await loadEntryRows(transaction, member, [id])
  const pass = passParameter(member)
  const entry =
    found !== undefined && found.patientId === asked.patientId && (pass === null || found.pass === pass) ? found : null
  if (entry === null && asked.crfPageId === null) throw fail('not_found')
  const place = findPagePlace(entry, asked)
  const page = await findPage(transaction, member.projectId, place)
  if (page === null) throw fail('not_found')
  const option = await loadOption(transaction, place)
  const model = parsePage(option)
  return {
    id,
    pageName: page.name,
    pageNameEn: page.nameEn,
    pageCode: page.code,
    refCrfFolderName: page.folderName,
    crfPageId: page.pageId,
    extraFields: '{}',
    pageContentWithAvueForm: option,
    status: entry?.status ?? 'init',
    parentPageId: entry?.parentEntryId ?? null,
    crfFieldVOList: model.ok
      ? model.page.fields.filter(holdsData).map(({ code, label }) => ({ id: code, label, code }))
      : [],
    dataList: model.ok && entry !== null ? entryItems(model.page, entry) : [],
    entry,
  }
}

function firstEntryId({ patientId, crfPageId, folderId, pass }: PageAsked): string {
  if (crfPageId === null || folderId === null)
    throw fail('invalid', { fields: [{ path: 'query.id', code: 'required' }] })
  return entryId({
    patientId,
    folderId,
    folderRepeat: FIRST_REPEAT,
    pageId: crfPageId,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass,
  })
}

function findPagePlace(entry: EntryRow | null, asked: PageAsked): VersionedPage {
  if (entry !== null) return entry
  const { crfPageId, folderId, versionId } = asked
  if (crfPageId === null || folderId === null || versionId === null) {
    throw fail('invalid', { fields: [{ path: versionId === null ? 'crfId' : 'query.folderId', code: 'required' }] })
  }
  return { versionId, folderId, pageId: crfPageId }
}

/** @throws ApiFailure not_found for a patient that the reader may not see */
export async function requirePatient(transaction: Queryable, member: Membership, patientId: string): Promise<void> {
  const { rowCount } = await transaction.query({
    name: 'patient_visible',
    text: `SELECT 1 FROM patient p WHERE ${PATIENT_VISIBLE} AND p.id = $4`,
    values: [...visibleTo(member), patientId],
  })
  if (rowCount !== 1) throw fail('not_found')
}
