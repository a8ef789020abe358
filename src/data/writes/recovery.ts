import type { ApiError } from '#core/api/errors.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { canonicalValue, valueFromTyping } from '#core/form/definition/value.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { ItemChange, ItemContent, JournalStep } from '#core/sync/entryChange.ts'
import { sameContent } from '#core/sync/merge.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { ROW_STEP, rowChangesOf } from '#core/sync/rowStep.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { dropDrafts, isSomething, orphanedDrafts } from '#offline/draft/journal.ts'
import type { Draft } from '#offline/draft/journal.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import { readEntry } from '#src/data/casebook/readEntry.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { localEntry, localRow } from '#src/data/rows/local.ts'

/**
 * What was being typed when the browser died. At the next unlock it is saved like any other edit, before a screen is
 * shown. Only the author's own typing is recovered, because only the author can prove it.
 *
 * @returns steps and answers recovered, by entry
 */
export async function recoverDrafts(
  context: DataContext,
  alive: (runtime: string) => Promise<boolean>,
): Promise<Result<ReadonlyMap<string, number>, ApiError>> {
  const drafts = await orphanedDrafts(context.storage, context.ring(), context.user.userId, alive)
  if (!drafts.ok) return drafts
  const recovered = new Map<string, number>()
  for (const draft of drafts.value) {
    const done = await recover(context, draft)
    // Typing that cannot be recovered now (its scope was given up) stays where it is and is tried again at the next
    // unlock.
    if (done.ok && done.value > 0) recovered.set(draft.entryId, (recovered.get(draft.entryId) ?? 0) + done.value)
  }
  return ok(recovered)
}

async function recover(context: DataContext, draft: Draft): Promise<Result<number, ApiError>> {
  if (!isSomething(draft)) {
    const dropped = await dropDrafts(context.storage, draft.ids)
    return dropped.ok ? ok(0) : dropped
  }
  const author = context.author()
  const option = await optionOf(context, draft)
  if (!option.ok) return option
  if (author === null) return { ok: false, error: { code: 'vault_locked' } }
  const page = parsePage(option.value)
  // Without the page's definition, typing cannot be turned into values: it waits for a definition that can be read.
  if (!page.ok) return { ok: false, error: { code: 'client_too_old' } }
  const scope = parseScope(draft.scope)
  const items = itemsOf(
    page.page,
    draft.steps.filter(({ code }) => code !== ROW_STEP),
  )
  const rows = rowChangesOf(draft.steps)
  const entry = await context.storage.run(() => localEntry(context, draft.scope, draft.entryId, draft.patientId))
  if (!entry.ok) return entry
  const queued = await enqueue(
    context.storage,
    author,
    {
      call: 'entry.save',
      scope: draft.scope,
      projectId: draft.projectId,
      centerId: scope?.kind === 'center' ? scope.centerId : null,
      crfVersionId: draft.versionId,
      pass: draft.target.pass,
      entityId: draft.entryId,
      patientId: draft.patientId,
      submittedOnce: entry.value?.submittedOnce ?? entry.value?.status === SUBMITTED,
      body: {
        target: draft.target,
        items,
        rows,
        journal: [...draft.steps],
        seen: null,
        ...(draft.answers.length === 0 ? {} : { confirms: [...draft.answers] }),
      },
    },
    { drafts: draft.ids },
  )
  return queued.ok ? ok(draft.steps.length + draft.answers.length) : queued
}

/** The page as it was defined when it was typed on, also where the patient may no longer be read here. */
async function optionOf(
  context: DataContext,
  { projectId, versionId, target }: Draft,
): Promise<Result<string, ApiError>> {
  const version = await context.storage.run(() => localRow(context, projectId, 'version', versionId))
  if (!version.ok) return version
  const folder = version.value?.folders.find(({ id }) => id === target.folderId)
  const page = folder?.pages.find(({ id }) => id === target.pageId)
  if (page !== undefined) return ok(page.option)
  const view = await readEntry(context, projectId, target)
  return view.ok ? ok(view.value.page.option) : view
}

/**
 * The last word on each field, as a change of what was on the screen before the typing began. Not of what the entry
 * holds now: the author has not seen that.
 */
function itemsOf(page: PageModel, steps: readonly JournalStep[]): ItemChange[] {
  const byField = Map.groupBy(steps, (step) => `${step.table ?? ''}|${step.rid ?? ''}|${step.code}`)
  return [...byField.values()].flatMap((ofField): ItemChange[] => {
    const last = ofField.at(-1)
    if (last === undefined) return []
    const { table, rid, code } = last
    const field = fieldOf(page, table, code)
    // A step that does not continue the one before means that something else came on the screen in between, such as a
    // colleague's value: later typing is a change of that.
    const first = ofField.findLast(({ from }, at) => {
      const before = ofField[at - 1]
      return before === undefined || !sameContent(contentOf(field, before.to), contentOf(field, from))
    })
    if (first === undefined) return []
    const [base, to] = [contentOf(field, first.from), contentOf(field, last.to)]
    return sameContent(base, to) ? [] : [{ table, rid, code, to, base, isShow: 1, reason: null }]
  })
}

/** The journal holds the text as typed; the entry holds the canonical value. */
function contentOf(field: Field | undefined, { value, missing }: ItemContent): ItemContent {
  if (field === undefined) return { value, missing }
  return { value: typeof value === 'string' ? valueFromTyping(field, value) : canonicalValue(field, value), missing }
}

function fieldOf(page: PageModel, table: string | null, code: string): Field | undefined {
  const fields = table === null ? page.fields : (page.byCode.get(table)?.children ?? [])
  return fields.find((field) => field.code === code)
}
