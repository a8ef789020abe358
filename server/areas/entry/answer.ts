import type { SaveResult } from '#core/api/calls/entry.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { itemId } from '#core/derivedIds.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { isError } from '#core/form/engine/issue.ts'
import type { Language } from '#core/language.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { StoredReceipt } from '#server/http/idempotency.ts'

import type { Judgement } from './judgement/judge.ts'
import { valueAt } from './judgement/judge.ts'
import { issueText } from './judgement/messages.ts'
import { fieldAt } from './reading/pages.ts'

/** The answer to an operation that is held or in the inbox. */
export function emptySaveResult(projectId: string): (receipt: StoredReceipt) => SaveResult {
  const nothing = { savedDataList: [], effect: [], error: {}, entry: null, conflicts: [], submitted: null }
  return saveResult(nothing, projectId)
}

/** The answer to an operation on an entry. */
export function saveResult(
  parts: Omit<SaveResult, 'page_name_update' | 'receipt'>,
  projectId: string,
): (receipt: StoredReceipt) => SaveResult {
  return (receipt) => ({ page_name_update: null, ...parts, receipt: { ...receipt, projectId } })
}

/** The items that came, as the entry now holds them. */
export function savedItems(
  entryId: string,
  page: CompiledPage['page'],
  items: readonly ItemChange[],
  judgement: Judgement,
): SaveResult['savedDataList'] {
  const hidden = new Set(judgement.hidden)
  return items.map(({ table, rid, code }) => ({
    id: itemId({ entryId, rid, code }),
    code,
    value: valueAt(judgement.data, { table, rid, code }),
    type: fieldAt(page, table, code)?.type ?? 'input',
    isShow: hidden.has(addressKey({ table, rid, code })) || (table !== null && hidden.has(table)) ? 0 : 1,
  }))
}

/** What the rules changed, as the contract writes it. */
export function effectItems(entryId: string, judgement: Judgement): SaveResult['effect'] {
  return judgement.evaluation.effects.map(({ rid, code, value, isShow }) => ({
    id: itemId({ entryId, rid, code }),
    code,
    value,
    isShow,
  }))
}

/**
 * The rules' errors in words, one per field by its address. Only a submit reports that a required field is still
 * empty.
 */
export function ruleErrors(
  judgement: Judgement,
  language: Language,
  withRequired: boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    judgement.evaluation.issues.flatMap(({ key, issues }) => {
      const issue = issues.find((candidate) => isError(candidate) && (withRequired || candidate.code !== 'required'))
      return issue === undefined ? [] : [[key, issueText(issue, language)]]
    }),
  )
}

/** The items of an entry as the stock front end reads them. */
export function entryItems(page: CompiledPage['page'], entry: EntryRow): SaveResult['savedDataList'] {
  const hidden = new Set(entry.hidden)
  return page.fields.flatMap((field) => {
    const value = entry.values[field.code]
    if (value === undefined) return []
    const id = itemId({ entryId: entry.id, rid: null, code: field.code })
    return [{ id, code: field.code, value, type: field.type, isShow: hidden.has(field.code) ? 0 : 1 }]
  })
}
