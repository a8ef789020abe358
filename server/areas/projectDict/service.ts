import type { DictRow } from '#core/api/calls/projectDict.ts'
import { fail } from '#core/api/errors.ts'
import type { CallId } from '#core/api/table.ts'
import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { typedCode } from '#core/wire/shapes.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import {
  DEEPEST_ENTRY,
  DICTIONARY_KEY,
  MOST_DICTIONARIES,
  MOST_ENTRIES,
  checkedEntries,
  entryProblem,
  labelProblem,
} from '#core/study/projectDictionary.ts'
import type { EntryProblem, ReadEntries } from '#core/study/projectDictionary.ts'
import { membership, requirePermission } from '#server/access.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { listsAudit, refreshDrafts } from '#server/areas/projectDict/drafts.ts'
import * as store from '#server/areas/projectDict/store.ts'
import type { DictRecord } from '#server/areas/projectDict/store.ts'
import { levelsOf, rowsBelow, toRow } from '#server/areas/projectDict/tree.ts'
import { requireSeen, usagesOf } from '#server/areas/projectDict/usages.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readIds, runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/**
 * Changes of a project's dictionaries. Copies in drafts follow in the same transaction; those in tested and released
 * versions stay.
 */

type Input = BodyOf<CallOf<'projectDict.submit'>>
type Language = Pick<CallContext<'projectDict.submit'>, 'language'>

/** Adds or changes a dictionary or an entry. */
export async function submitEntry(context: Write<'projectDict.submit'> & Language): Promise<DictRow> {
  const { body, language } = context
  return changeDictionaries(context, { projectId: body.projectId, entityId: body.id ?? null }, async (transaction) => {
    if (body.id !== undefined) return changeRecord(transaction, body, body.id, language)
    const { parentId = null } = body
    return parentId === null ? addDictionary(transaction, body, []) : addEntry(transaction, body, parentId)
  })
}

/** Adds a dictionary with its entries, all or nothing. */
export async function submitFast(context: Write<'projectDict.fastSubmit'>): Promise<DictRow> {
  const { body } = context
  return changeDictionaries(context, { projectId: body.projectId }, async (transaction) => {
    const lines = body.children.map(({ dictKey, dictValue, labelEn }, at) => ({
      line: at,
      entry: { dictKey, dictValue: dictValue.trim(), labelEn: textOrNull(labelEn), parentKey: null },
    }))
    const read = checkedEntries(lines)
    refuseProblems(read, (line) => `children.${line}`)
    return addDictionary(transaction, body, read.entries)
  })
}

/** Removes dictionaries or entries, with everything below them. */
export async function removeEntries(context: Write<'projectDict.remove'> & Language): Promise<boolean> {
  const { services, actor, query, language } = context
  const ids = readIds(query.ids)
  if (ids === null) throw fail('invalid', { fields: [{ path: 'ids', code: 'format' }] })
  const projectId = await withTransaction(services.pool, async (transaction) => {
    const only = await store.projectOfRecords(transaction, ids)
    if (only === null) throw fail('not_found')
    await membership(transaction, actor, only)
    return only
  })
  return changeDictionaries(context, { projectId }, async (transaction) => {
    const found = await store.findRecords(transaction, ids)
    if (found.length < ids.length) throw fail('not_found')
    const dictionaries = new Map(found.map((record) => [record.root_id, { id: record.root_id, code: record.code }]))
    requireSeen(
      await usagesOf(transaction, projectId, [...dictionaries.values()]),
      query.confirmed === 'true',
      language,
    )
    const removed = await store.removeRecords(transaction, ids)
    const audit = [...dictionaries.values()].map(({ id, code }): NewAuditRow => {
      const gone = removed.filter((record) => record.root_id === id)
      const entries = gone.flatMap(({ parent_id: above, dict_key: key, dict_value: value, label_en: en }) =>
        above === null ? [] : [{ key, value, en }],
      )
      const root = gone.find((record) => record.parent_id === null)
      return root === undefined
        ? { action: 'dict.entry.remove', old: { id, code, entries } }
        : { action: 'dict.remove', old: { ...factsOf(root), entries } }
    })
    return { audit, result: true }
  })
}

interface Change<Result extends JsonValue> {
  readonly audit: readonly NewAuditRow[]
  readonly result: Result
}

type DictWrite = Pick<Write<'projectDict.submit'>, 'services' | 'actor' | 'acted' | 'ip' | 'key' | 'protocol'> & {
  readonly call: CallId
  readonly query: unknown
  readonly params?: unknown
  readonly body: unknown
}

/** The steps that all changes of dictionaries share: rights, lock, update of drafts, commit. */
export async function changeDictionaries<
  Result extends DictRow | boolean | { readonly added: number; readonly changed: number },
>(
  context: DictWrite,
  subject: { readonly projectId: string; readonly entityId?: string | null },
  change: (transaction: Queryable) => Promise<{ readonly audit: readonly NewAuditRow[]; readonly result: Result }>,
): Promise<Result> {
  const { projectId } = subject
  const answer = await runOnce<JsonValue>(context, subject, async (transaction, stampAs) => {
    const member = await membership(transaction, context.actor, projectId)
    requirePermission(member, 'dict_edit')
    await store.lockDictionaries(transaction, projectId)
    const { audit, result } = await change(transaction)
    const drafts = await refreshDrafts(transaction, projectId, 'refuse')
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [...audit, ...listsAudit(drafts)],
      changes: drafts.map((rowId) => ({ kind: 'version', rowId, centerId: null, pass: null })),
    })
    return { committed, result: result as JsonValue }
  })
  // The stored answer of the key is the answer that was given then.
  return answer as Result
}

async function addDictionary(
  transaction: Queryable,
  body: Pick<Input, 'projectId' | 'code' | 'dictValue' | 'labelEn'>,
  entries: ReadEntries['entries'],
): Promise<Change<DictRow & JsonValue>> {
  const { projectId, code = '' } = body
  if (!typedCode.safeParse(code).success)
    throw fail('invalid', { fields: [{ path: 'code', code: 'not_alphanumeric' }] })
  requireLabels(body)
  if ((await store.findDictionary(transaction, projectId, code)) !== null) throw fail('already_exists')
  const { total } = await store.listDictionaries(transaction, projectId, { limit: 1, offset: 0 })
  if (total >= MOST_DICTIONARIES) throw problem('code', 'too_many')
  const id = newId()
  const root: DictRecord = {
    ...NEW,
    id,
    project_id: projectId,
    root_id: id,
    parent_id: null,
    code,
    dict_key: DICTIONARY_KEY,
    dict_value: body.dictValue.trim(),
    label_en: textOrNull(body.labelEn),
    sort: 0,
  }
  const records = entries.map(({ dictKey, dictValue, labelEn }, at): DictRecord => ({
    ...root,
    id: newId(),
    parent_id: id,
    dict_key: dictKey,
    dict_value: dictValue,
    label_en: labelEn,
    sort: at + 1,
  }))
  await store.insertRecords(transaction, [root, ...records])
  const children = rowsBelow(records, id)
  const row: DictRow = {
    ...toRow(root, records.length > 0),
    entryCount: records.length,
    ...(children.length === 0 ? {} : { children }),
  }
  return {
    audit: [
      {
        action: 'dict.create',
        new: { ...factsOf(root), entries: records.map(({ dict_key: key, dict_value: value }) => ({ key, value })) },
      },
    ],
    result: row as DictRow & JsonValue,
  }
}

async function addEntry(transaction: Queryable, body: Input, parentId: string): Promise<Change<DictRow & JsonValue>> {
  const parent = await findIn(transaction, body.projectId, parentId)
  const { dictKey = '', dictValue, labelEn, isDisabled = false } = body
  requireEntry({ dictKey, dictValue: dictValue.trim(), labelEn: textOrNull(labelEn) })
  const entries = await store.entriesOf(transaction, [parent.root_id])
  if (entries.some(({ dict_key: key }) => key === dictKey)) throw problem('dictKey', 'duplicate')
  if (entries.length >= MOST_ENTRIES) throw problem('dictKey', 'too_many')
  if ((levelsOf(entries, parent.root_id).get(parentId) ?? 0) >= DEEPEST_ENTRY) throw problem('parentId', 'too_deep')
  const last = Math.max(0, ...entries.filter(({ parent_id: above }) => above === parentId).map(({ sort }) => sort))
  const record: DictRecord = {
    ...parent,
    id: newId(),
    parent_id: parentId,
    dict_key: dictKey,
    dict_value: dictValue.trim(),
    label_en: textOrNull(labelEn),
    sort: body.sort ?? last + 1,
    disabled: isDisabled,
  }
  await store.insertRecords(transaction, [record])
  return {
    audit: [{ action: 'dict.entry.create', new: factsOf(record) }],
    result: toRow(record, false) as DictRow & JsonValue,
  }
}

async function changeRecord(
  transaction: Queryable,
  body: Input,
  id: string,
  language: Language['language'],
): Promise<Change<DictRow & JsonValue>> {
  const old = await findIn(transaction, body.projectId, id)
  const isRoot = old.parent_id === null
  // Fields name a dictionary by its code, and a value names its entry by the key alone. So the code of a dictionary and
  // the parent of an entry are fixed.
  if (body.code !== undefined && body.code !== old.code)
    throw fail('invalid', { fields: [{ path: 'code', code: 'fixed' }] })
  if (body.parentId !== undefined && body.parentId !== old.parent_id)
    throw fail('invalid', { fields: [{ path: 'parentId', code: 'fixed' }] })
  const dictKey = isRoot ? old.dict_key : (body.dictKey ?? old.dict_key)
  const changed: DictRecord = {
    ...old,
    dict_key: dictKey,
    dict_value: body.dictValue.trim(),
    label_en: body.labelEn === undefined ? old.label_en : textOrNull(body.labelEn),
    sort: body.sort ?? old.sort,
    disabled: body.isDisabled ?? old.disabled,
  }
  if (isRoot) requireLabels(body)
  else requireEntry({ dictKey, dictValue: changed.dict_value, labelEn: changed.label_en })
  const entries = await store.entriesOf(transaction, [old.root_id])
  if (dictKey !== old.dict_key) {
    if (entries.some(({ dict_key: key }) => key === dictKey)) throw problem('dictKey', 'duplicate')
    requireSeen(
      await usagesOf(transaction, body.projectId, [{ id: old.root_id, code: old.code }]),
      body.confirmed === true,
      language,
    )
  }
  await store.updateRecords(transaction, [changed])
  const hasChildren = entries.some(({ parent_id: above }) => above === id)
  return {
    audit: [{ action: isRoot ? 'dict.update' : 'dict.entry.update', old: factsOf(old), new: factsOf(changed) }],
    result: toRow(changed, hasChildren) as DictRow & JsonValue,
  }
}

const NEW = { disabled: false } as const

/** A dictionary or an entry of the project. @throws ApiFailure `not_found`, also for one of another project */
export async function findIn(transaction: Queryable, projectId: string, id: string): Promise<DictRecord> {
  const record = await store.findRecord(transaction, id)
  if (record?.project_id !== projectId) throw fail('not_found')
  return record
}

/** An English label as it is kept: null where nothing is written. */
export function textOrNull(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** Most problems that a refusal lists. */
const MOST_TOLD = 100

/**
 * @throws ApiFailure `invalid` with the errors of each line
 */
export function refuseProblems({ problems }: ReadEntries, pathOf: (line: number) => string): void {
  if (problems.length === 0) return
  throw fail('invalid', {
    fields: problems
      .slice(0, MOST_TOLD)
      .map(({ line, problem: code, key }) => ({ path: pathOf(line), code, params: { key } })),
  })
}

function requireEntry(entry: {
  readonly dictKey: string
  readonly dictValue: string
  readonly labelEn: string | null
}): void {
  const wrong = entryProblem(entry)
  if (wrong === null) return
  throw problem(wrong === 'no_label' || wrong === 'label_too_long' ? 'dictValue' : 'dictKey', wrong)
}

function requireLabels({ dictValue, labelEn }: Pick<Input, 'dictValue' | 'labelEn'>): void {
  const english = textOrNull(labelEn)
  const wrong = labelProblem(dictValue.trim()) ?? (english === null ? null : labelProblem(english))
  if (wrong !== null) throw problem('dictValue', wrong)
}

function problem(path: string, code: EntryProblem): Error {
  return fail('invalid', { fields: [{ path, code }] })
}

/** A record as the audit trail has it. */
function factsOf(record: DictRecord): Readonly<Record<string, JsonValue>> {
  const { id, code, dict_key: key, dict_value: value, label_en: en, sort, disabled } = record
  return { id, code, ...(record.parent_id === null ? {} : { key }), value, en, sort, disabled }
}
