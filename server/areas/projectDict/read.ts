import type { DictRow, DictUsage } from '#core/api/calls/projectDict.ts'
import { fail } from '#core/api/errors.ts'
import type { Page } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import * as store from '#server/areas/projectDict/store.ts'
import type { DictRecord } from '#server/areas/projectDict/store.ts'
import { rowsBelow, rowsRightBelow, toRow } from '#server/areas/projectDict/tree.ts'
import { usagesOf } from '#server/areas/projectDict/usages.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'

/** The content of a project's dictionaries, for its members. */

type Asked = Pick<CallContext<'projectDict.childList'>, 'services' | 'actor' | 'projectId'> & {
  readonly query: { readonly projectId?: string | undefined }
}

/** Reads as a member of the project that the query or the header names. */
async function asMember<Result>(
  { services, actor, projectId: inHeader, query }: Asked,
  read: (transaction: Queryable, projectId: string) => Promise<Result>,
): Promise<Result> {
  const projectId = query.projectId ?? inHeader
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  return withTransaction(services.pool, async (transaction) => {
    await membership(transaction, actor, projectId)
    return read(transaction, projectId)
  })
}

export async function listDictionaries(context: CallContext<'projectDict.parentList'>): Promise<Page<DictRow>> {
  return asMember(context, (transaction, projectId) =>
    readPage(context.query, async (window) => {
      const { rows, total } = await store.listDictionaries(transaction, projectId, window)
      return { rows: rows.map(dictionaryRow), total }
    }),
  )
}

/** All entries of a dictionary, or of an entry of one. */
export async function listEntries(context: CallContext<'projectDict.childList'>): Promise<readonly DictRow[]> {
  return asMember(context, async (transaction, projectId) => {
    const parent = await namedRecord(transaction, projectId, context.query)
    return parent === null ? [] : rowsBelow(await store.entriesOf(transaction, [parent.root_id]), parent.id)
  })
}

/** Entries right below a parent; without one the dictionaries. */
export async function listLevel(context: CallContext<'projectDict.lazyList'>): Promise<readonly DictRow[]> {
  return asMember(context, async (transaction, projectId) => {
    const { parentId, code } = context.query
    if (parentId === undefined && code === undefined) {
      return (await store.listDictionaries(transaction, projectId, { limit: 100_000, offset: 0 })).rows.map(
        dictionaryRow,
      )
    }
    const parent = await namedRecord(transaction, projectId, context.query)
    return parent === null ? [] : rowsRightBelow(await store.entriesOf(transaction, [parent.root_id]), parent.id)
  })
}

/** Fields that use a dictionary, or the one that an entry belongs to. */
export async function listUsages(context: CallContext<'projectDict.usages'>): Promise<readonly DictUsage[]> {
  return asMember(context, async (transaction, projectId) => {
    const record = await store.findRecord(transaction, context.query.id)
    if (record === null || record.project_id !== projectId) throw fail('not_found')
    return usagesOf(transaction, projectId, [{ id: record.root_id, code: record.code }])
  })
}

/** The record that a query names by id or by code; null where it names none of this project. */
async function namedRecord(
  transaction: Queryable,
  projectId: string,
  { parentId, code }: { readonly parentId?: string | undefined; readonly code?: string | undefined },
): Promise<DictRecord | null> {
  if (parentId === undefined) return code === undefined ? null : store.findDictionary(transaction, projectId, code)
  const record = await store.findRecord(transaction, parentId)
  return record?.project_id === projectId ? record : null
}

function dictionaryRow(record: DictRecord & { readonly entries: number }): DictRow {
  return { ...toRow(record, record.entries > 0), entryCount: record.entries }
}
