import type { UatEntry, UatInput, UatPlace, UatSaved } from '#core/api/calls/uat.ts'
import { fail } from '#core/api/errors.ts'
import { otherPagesAmong } from '#core/form/engine/otherPagesAmong.ts'
import type { SavedEntry } from '#core/form/engine/otherPagesAmong.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { jsonEqual } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { MOST_UAT_PAGES } from '#core/study/uat.ts'
import { mayBeMade } from '#core/study/visits/visitPlan.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { membership } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ruleErrors } from '#server/areas/entry/answer.ts'
import { judge } from '#server/areas/entry/judgement/judge.ts'
import { versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import * as store from './store.ts'
import type { StoredUatEntry } from './store.ts'
import { checkedData, placedData, withUnplaced } from './values.ts'
import { changeVersion } from '#server/areas/version/service.ts'
import { findVersion, loadFolders } from '#server/areas/version/store.ts'
import type { VersionRecord } from '#server/areas/version/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor, AnswerOf, CallContext } from '#server/http/handler.ts'
import type { Write } from '#server/http/runOnce.ts'

/**
 * UAT data: what testers enter in a version under test, to try it out. A tester writes and reads their own; a member
 * who designs forms reads those of all. When the version is no longer in test, the data are kept and can be read.
 */

export async function listUatEntries({
  services,
  actor,
  params,
}: CallContext<'trial.list'>): Promise<AnswerOf<'trial.list'>> {
  return withTransaction(services.pool, async (transaction) => {
    const { version, tests, readsAll } = await readerOf(transaction, actor, params.id)
    const lines = await store.listUatEntries(transaction, version.id, readsAll ? null : actor.userId)
    return { mayWrite: tests && version.profile === 'test', lines: [...lines] }
  })
}

export async function readUatSubject({
  services,
  actor,
  params,
  query,
}: CallContext<'trial.read'>): Promise<UatEntry[]> {
  return withTransaction(services.pool, async (transaction) => {
    const { version, readsAll } = await readerOf(transaction, actor, params.id)
    if (query.testerId !== actor.userId && !readsAll) throw fail('forbidden')
    const entries = await store.loadSubject(transaction, version.id, query.testerId, query.subject)
    const pages = pageModels(
      await store.loadOptions(
        transaction,
        version.id,
        entries.map(({ pageId }) => pageId),
      ),
    )
    // Data of a page that the version does not have, or that cannot be read, are kept and not shown.
    return entries.flatMap((entry) => {
      const page = pages.get(entry.pageId)
      return page === undefined ? [] : [store.toEntry(entry, placedData(page, entry))]
    })
  })
}

export async function saveUatPage(context: Write<'trial.save'>): Promise<UatSaved> {
  return writeUatPage(context, async ({ data }) => ({ data, status: 'process', answer: {} }))
}

/** Saves a UAT page and judges it with the rules of a submit. A page with errors is saved too. */
export async function submitUatPage(
  context: Write<'trial.submit'> & Pick<CallContext<'trial.submit'>, 'language'>,
): Promise<AnswerOf<'trial.submit'>> {
  const { body, acted, language } = context
  return writeUatPage(context, async ({ transaction, version, data, beside }) => {
    const engine = await versionEngine(transaction, { versionId: version.id, profile: version.profile })
    const result = engine.page(body)
    const reader = engine.positionOf(body)
    if (!result.ok || reader === null) throw fail('page_unreadable')
    const saved = beside.flatMap((entry): readonly SavedEntry[] => {
      const position = engine.positionOf(entry)
      return position === null ? [] : [{ ...position, data: entry }]
    })
    const judgement = judge(
      result.compiled,
      data,
      acted,
      otherPagesAmong(result.compiled, reader, saved, engine.folders),
    )
    const error = ruleErrors(judgement, language, true)
    return { data: judgement.data, status: Object.keys(error).length === 0 ? SUBMITTED : 'process', answer: { error } }
  })
}

/** Removes the tester's own test subject, so that they can begin anew. */
export async function clearUatSubject(context: Write<'trial.clear'>): Promise<boolean> {
  const { actor, body } = context
  return changeVersion(
    context,
    { action: 'judge', permission: 'project_crf_test_check' },
    async (transaction, { version, member }) => {
      requireTester(member)
      const pages = await store.clearSubject(transaction, version.id, actor.userId, body.subject)
      return {
        quiet: true,
        audit: [{ action: 'trial.clear', versionId: version.id, old: { subject: body.subject, pages } }],
        result: async () => true,
      }
    },
  )
}

/** The data to be written, and the data around them. */
interface Writing {
  readonly transaction: Queryable
  readonly version: VersionRecord
  readonly data: EntryData
  /** The other pages of the test subject. */
  readonly beside: readonly StoredUatEntry[]
}

/**
 * The steps that all writes of a UAT page share: its tester, its place, the revision on which it builds, its
 * structure, its trail.
 */
async function writeUatPage<Answer extends Readonly<Record<string, JsonValue>>>(
  context: Write<'trial.save'> | Write<'trial.submit'>,
  judged: (
    writing: Writing,
  ) => Promise<{ readonly data: EntryData; readonly status: UatSaved['status']; readonly answer: Answer }>,
): Promise<UatSaved & Answer> {
  const { services, actor, body } = context
  return changeVersion(
    context,
    { action: 'judge', permission: 'project_crf_test_check' },
    async (transaction, { version, member }) => {
      requireTester(member)
      const { folder, page } = placeIn(await loadFolders(transaction, version.id), body)
      const parsed = parsePage(page.option)
      if (!parsed.ok) throw fail('page_unreadable')
      const entries = await store.loadSubject(transaction, version.id, actor.userId, body.subject)
      const stored = entries.find((entry) => isAt(entry, body))
      if ((stored?.rev ?? 0) !== body.rev) throw fail('revision_changed')
      if (stored === undefined && entries.length >= MOST_UAT_PAGES)
        throw fail('invalid', { fields: [{ path: 'subject', code: 'too_many', params: { max: MOST_UAT_PAGES } }] })
      const { data, problems } = checkedData(parsed.page, body)
      if (problems.length > 0) throw fail('invalid', { fields: problems })
      const judgement = await judged({
        transaction,
        version,
        data,
        beside: entries.filter((entry) => entry !== stored),
      })
      const told = { rev: body.rev + 1, status: judgement.status, savedAt: services.now() }
      const kept = stored === undefined ? judgement.data : withUnplaced(parsed.page, stored, judgement.data)
      const owner = {
        id: stored?.id ?? newId(),
        projectId: version.project_id,
        versionId: version.id,
        testerId: actor.userId,
      }
      await store.writeUatEntry(transaction, {
        ...owner,
        ...store.pickUatPlace(body),
        ...kept,
        ...told,
        at: told.savedAt,
      })
      const where = {
        subject: body.subject,
        folder: folder.folderCode,
        folderRepeat: body.folderRepeat,
        page: page.pageCode,
        pageRepeat: body.pageRepeat,
      }
      return {
        quiet: true,
        audit: [
          auditOf(context.call === 'trial.submit' ? 'trial.submit' : 'trial.save', version.id, where, {
            before: stored ?? null,
            after: kept,
            told,
          }),
        ],
        result: async () => ({ ...told, ...judgement.answer }),
      }
    },
  )
}

/** Audit rows of the changed fields, with their old and new values. */
function auditOf(
  action: string,
  versionId: string,
  where: Readonly<Record<string, JsonValue>>,
  { before, after, told }: { readonly before: EntryData | null; readonly after: EntryData; readonly told: UatSaved },
): NewAuditRow {
  const codes = [...new Set([...Object.keys(before?.values ?? {}), ...Object.keys(after.values)])]
  const changed = codes.filter((code) => !jsonEqual(before?.values[code] ?? null, after.values[code] ?? null))
  const of = (data: EntryData | null): JsonValue => ({
    values: Object.fromEntries(changed.map((code) => [code, data?.values[code] ?? null])),
    missing: { ...data?.missing },
  })
  return { action, versionId, old: of(before), new: { ...where, ...told, changed: of(after) } }
}

/**
 * @throws ApiFailure `not_found` where the version has no such page there; `invalid` for a repeat that is not allowed
 */
function placeIn(
  folders: readonly FolderRow[],
  { folderId, folderRepeat, pageId, pageRepeat }: UatPlace,
): { readonly folder: FolderRow; readonly page: PageRow } {
  const folder = folders.find(({ id }) => id === folderId)
  const page = folder?.pages.find(({ id }) => id === pageId)
  if (folder === undefined || page === undefined) throw fail('not_found')
  if (folderRepeat !== FIRST_REPEAT && !mayBeMade(folder))
    throw fail('invalid', { fields: [{ path: 'folderRepeat', code: 'not_repeatable' }] })
  if (pageRepeat !== FIRST_REPEAT && !page.repeatable)
    throw fail('invalid', { fields: [{ path: 'pageRepeat', code: 'not_repeatable' }] })
  return { folder, page }
}

function isAt(entry: UatPlace, place: UatInput): boolean {
  return (
    entry.folderId === place.folderId &&
    entry.folderRepeat === place.folderRepeat &&
    entry.pageId === place.pageId &&
    entry.pageRepeat === place.pageRepeat
  )
}

function pageModels(options: ReadonlyMap<string, string>): ReadonlyMap<string, PageModel> {
  return new Map(
    Array.from(options).flatMap(([id, option]): readonly (readonly [string, PageModel])[] => {
      const parsed = parsePage(option)
      return parsed.ok ? [[id, parsed.page]] : []
    }),
  )
}

function requireTester({ tests }: Pick<Membership, 'tests'>): void {
  if (!tests) throw fail('forbidden')
}

/** Whose UAT data of a version a reader sees: a tester their own, a designer of forms those of all. */
async function readerOf(
  transaction: Queryable,
  actor: Actor,
  versionId: string,
): Promise<{ readonly version: VersionRecord; readonly tests: boolean; readonly readsAll: boolean }> {
  const version = await findVersion(transaction, versionId)
  if (version === null) throw fail('not_found')
  const member = await membership(transaction, actor, version.project_id)
  const readsAll = member.permissions.has('design_edit')
  if (!member.tests && !readsAll) throw fail('forbidden')
  return { version, tests: member.tests, readsAll }
}
