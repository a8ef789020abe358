import { fail } from '#core/api/errors.ts'
import { entryId } from '#core/derivedIds.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { canonicalJson } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { passParameter, requirePermission } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Judgement } from '#server/areas/entry/judgement/judge.ts'
import type { SaveReads } from '#server/areas/entry/saveReads.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { compiledPage, findPage } from './pages.ts'
import { requirePatient } from './read.ts'

/**
 * Fields whose value no two patients share (docs/adr/0024-lists-and-look-ups.md). The engine compares the rows of a
 * table; this file does not.
 */

type Holder = Pick<EntryTarget, 'patientId' | 'pageId' | 'pass'> & { readonly projectId: string }

/** The judgement, with an error for every field whose value another patient's entry of the page holds. */
export async function withTaken(
  transaction: Queryable,
  holder: Holder,
  compiled: CompiledPage,
  judgement: Judgement,
  reads: Pick<SaveReads, 'requireAlone'>,
): Promise<Judgement> {
  const hidden = new Set(judgement.hidden)
  const asked = compiled.page.fields.flatMap(({ code, unique }) => {
    const value = judgement.data.values[code] ?? null
    return !unique || value === null || hidden.has(code) ? [] : [{ code, value }]
  })
  if (asked.length > 0) reads.requireAlone()
  const taken: string[] = []
  // They are taken in one order, so that two submits of the same values do not block each other for ever.
  for (const { code, value } of asked.toSorted((a, b) => (a.code < b.code ? -1 : 1))) {
    await lockUniqueValues(transaction, holder, code, value)
    if (await isTaken(transaction, holder, code, value)) taken.push(code)
  }
  if (taken.length === 0) return judgement
  const { evaluation } = judgement
  const issues = [...evaluation.issues, ...taken.map((key) => ({ key, issues: [{ code: 'not-unique' as const }] }))]
  return { ...judgement, evaluation: { ...evaluation, issues } }
}

/**
 * Lets submits of the same value be judged one after the other, until the transaction ends. Otherwise neither would
 * see the other.
 */
async function lockUniqueValues(
  transaction: Queryable,
  { projectId, pageId, pass }: Holder,
  code: string,
  value: JsonValue,
): Promise<void> {
  await transaction.query({
    name: 'unique_turn',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1))',
    values: [['unique', projectId, pageId, String(pass), code, canonicalJson(value)].join('|')],
  })
}

async function isTaken(
  transaction: Queryable,
  { projectId, pageId, pass, patientId }: Holder,
  code: string,
  value: JsonValue,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'unique_taken',
    text: `
      SELECT 1 FROM entry e JOIN patient p ON p.id = e.patient_id
      WHERE e.project_id = $1 AND e.page_id = $2 AND e.pass = $3 AND NOT e.deleted AND NOT p.deleted
        AND e.patient_id <> $4 AND e."values" -> $5 = $6::jsonb LIMIT 1`,
    values: [projectId, pageId, pass, patientId, code, JSON.stringify(value)],
  })
  return rowCount === 1
}

/**
 * Whether another patient holds the value, for a person who is entering it. The answer tells nothing more than that.
 *
 * @throws ApiFailure `not_found` where the person does not see the patient or the version has no such field;
 *   `forbidden` without the right to enter data, or to see what identifies a patient where the field does
 */
export async function askTaken(
  transaction: Queryable,
  member: Membership,
  asked: {
    readonly id: string
    readonly target: EntryTarget
    readonly versionId: string
    readonly code: string
    readonly value: JsonValue
  },
): Promise<boolean> {
  const { target, versionId, code } = asked
  requirePermission(member, 'database_submit_page')
  const pass = passParameter(member)
  if (asked.id !== entryId(target) || (pass !== null && pass !== target.pass)) throw fail('not_found')
  await requirePatient(transaction, member, target.patientId)
  const page = await findPage(transaction, member.projectId, {
    versionId,
    folderId: target.folderId,
    pageId: target.pageId,
  })
  const compiled = page === null ? null : await compiledPage(transaction, page)
  const field = compiled?.page.byCode.get(code)
  if (field === undefined || !field.unique) throw fail('not_found')
  if (field.identifier && !member.sensitive) throw fail('forbidden')
  const value = canonicalValue(field, asked.value)
  return value !== null && isTaken(transaction, { ...target, projectId: member.projectId }, code, value)
}
