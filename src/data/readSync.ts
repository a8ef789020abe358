import { entryChange } from '#core/sync/entryChange.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Operation, Receipt } from '#core/sync/operation.ts'
import { inboxReasons } from '#core/sync/operation.ts'
import { parseScope } from '#core/sync/scope.ts'
import type { EntryRow, VersionRow } from '#core/sync/rows.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import { unseal } from '#offline/vault/codec.ts'

import { openBounces } from './bounced.ts'
import type { DataContext } from './context.ts'
import { heldOps, keptScopes, localMembers, localPatient, localRow, localVersions, openConflicts, opened, outboxRows } from './local.ts'
import { patientWith } from './overlay.ts'
import type { Reading } from './source.ts'
import type { AttentionView, OutboxView, ReceiptView, SyncState, UnsentCount } from './types.ts'

/** What is on this device only, what the server has, and what needs a person: derived from rows. */

/** Names of patients, pages and people, looked up once for a list. */
class Names {
  readonly #context: DataContext
  readonly #patients = new Map<string, Promise<string>>()
  readonly #versions = new Map<string, Promise<VersionRow[]>>()

  constructor(context: DataContext) {
    this.#context = context
  }

  /** The subject number, or the mark of one who has none yet. Empty where the keys are somebody else's. */
  patient(patientId: string): Promise<string> {
    const known = this.#patients.get(patientId)
    if (known !== undefined) return known
    const label = this.#labelOf(patientId)
    this.#patients.set(patientId, label)
    return label
  }

  async #labelOf(patientId: string): Promise<string> {
    const context = this.#context
    const rows = (await outboxRows(context, patientId)).filter(({ call }) => call === 'patient.save')
    const unsent = [...(await heldOps(context, patientId)), ...(await opened(context, rows))]
    const patient = patientWith(await localPatient(context, patientId), unsent)
    return patient === null ? '' : (patient.no ?? `#${patient.mark}`)
  }

  async page(projectId: string, target: EntryTarget | null): Promise<string | null> {
    if (target === null) return null
    const known = this.#versions.get(projectId) ?? localVersions(this.#context, projectId)
    this.#versions.set(projectId, known)
    for (const { folders } of await known) {
      const page = folders.find(({ id }) => id === target.folderId)?.pages.find(({ id }) => id === target.pageId)
      if (page !== undefined) return page.pageName
    }
    return null
  }

  async author(projectId: string, userId: string): Promise<string> {
    const { user } = this.#context
    if (userId === user.userId) return user.realName
    const members = await localMembers(this.#context, projectId)
    return members.find((member) => member.userId === userId)?.realName ?? ''
  }
}

function targetOf(op: Operation | null): EntryTarget | null {
  const change = entryChange.safeParse(op?.body)
  return change.success ? change.data.target : null
}

function itemsOf(op: Operation | null): number {
  const change = entryChange.safeParse(op?.body)
  return change.success ? change.data.items.length + change.data.rows.length : 1
}

export function readOutbox(context: DataContext): Reading<readonly OutboxView[]> {
  return context.storage.run(async ({ work }) => {
    const names = new Names(context)
    const paused = (await getMeta(work, 'paused')) ?? null
    const rows = await outboxRows(context)
    return Promise.all(rows.map((row) => outboxView(context, names, row, paused !== null)))
  })
}

async function outboxView(context: DataContext, names: Names, row: OutboxRow, paused: boolean): Promise<OutboxView> {
  const op = await openOperation(context.ring(), row)
  const target = targetOf(op)
  const waiting = row.state === 'queued' || row.state === 'retry'
  return {
    key: row.key,
    projectId: row.projectId,
    seq: row.seq,
    call: row.call,
    state: waiting && paused ? 'paused' : row.state === 'aside' ? 'rejected' : row.state,
    author: row.author,
    authorName: await names.author(row.projectId, row.author),
    patientLabel: await names.patient(row.patientId),
    pageName: await names.page(row.projectId, target),
    actedAt: row.actedAt,
    items: itemsOf(op),
    error: row.error,
    patientId: row.patientId,
    target,
  }
}

/** How many receipts a list shows. */
const RECEIPTS_SHOWN = 200

export function readReceipts(context: DataContext): Reading<readonly ReceiptView[]> {
  return context.storage.run(async ({ work }) => {
    const names = new Names(context)
    const rows = await work.receipts.orderBy('receivedAt').reverse().limit(RECEIPTS_SHOWN).toArray()
    const views = await Promise.all(rows.map((row) => receiptView(context, names, row)))
    return views.filter((view) => view !== null)
  })
}

async function receiptView(context: DataContext, names: Names, row: ReceiptRow): Promise<ReceiptView | null> {
  const receipt = await openReceipt(context, row)
  if (receipt === null) return null
  const op = await openOperation(context.ring(), row)
  return {
    ...receipt,
    patientLabel: await names.patient(row.patientId),
    pageName: await names.page(row.projectId, targetOf(op)),
    items: itemsOf(op),
  }
}

async function openReceipt(context: DataContext, row: ReceiptRow): Promise<Receipt | null> {
  // Sealed when it was acknowledged with this shape, and authenticated.
  return (await unseal(context.ring(), { scope: row.scope, kind: 'receipt', id: row.key }, row.receipt)) as unknown as Receipt | null
}

export function readAttention(context: DataContext): Reading<readonly AttentionView[]> {
  return context.storage.run(async ({ work }) => {
    const names = new Names(context)
    const views: AttentionView[] = []
    for (const row of (await outboxRows(context)).filter(({ state }) => state === 'rejected')) {
      const target = targetOf(await openOperation(context.ring(), row))
      views.push({
        id: row.key,
        projectId: row.projectId,
        opKey: row.key,
        kind: 'rejected',
        reason: row.error?.code ?? 'internal',
        patientId: row.patientId,
        patientLabel: await names.patient(row.patientId),
        pageName: await names.page(row.projectId, target),
        target,
        fieldCode: row.error?.fields?.[0]?.path ?? null,
        at: row.actedAt,
      })
    }
    for (const row of await work.receipts.where('outcome').anyOf('inbox', 'held').toArray()) {
      const receipt = await openReceipt(context, row)
      if (receipt === null) continue
      const target = targetOf(await openOperation(context.ring(), row))
      views.push({
        id: row.key,
        projectId: row.projectId,
        opKey: null,
        kind: receipt.outcome === 'held' ? 'held' : 'inbox',
        reason: inboxReasons.find((reason) => reason === receipt.reason) ?? (receipt.outcome === 'held' ? 'project_stopped' : 'inbox'),
        patientId: row.patientId,
        patientLabel: await names.patient(row.patientId),
        pageName: await names.page(row.projectId, target),
        target,
        fieldCode: null,
        at: row.receivedAt,
      })
    }
    return [...views, ...(await conflictViews(context, names)), ...(await bouncedViews(context, names))].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  })
}

async function conflictViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  const scopes = (await keptScopes(context)).filter((scope) => parseScope(scope)?.kind === 'center')
  const views: AttentionView[] = []
  for (const scope of scopes) {
    for (const conflict of await openConflicts(context, [scope])) {
      const entry = await localRow(context, scope, 'entry', conflict.entryId)
      const projectId = parseScope(scope)?.projectId ?? ''
      views.push({
        id: conflict.id,
        projectId,
        opKey: null,
        kind: 'conflict',
        reason: 'conflict',
        patientId: entry?.patientId ?? null,
        patientLabel: entry === null ? '' : await names.patient(entry.patientId),
        pageName: entry === null ? null : await names.page(projectId, entry),
        target: entry === null ? null : entryTargetOf(entry),
        fieldCode: conflict.code,
        at: conflict.mineAt,
      })
    }
  }
  return views
}

async function bouncedViews(context: DataContext, names: Names): Promise<AttentionView[]> {
  return Promise.all(
    (await openBounces(context)).map(async ({ row, entry, answer }): Promise<AttentionView> => ({
      id: `${row.entityId} submit`,
      projectId: row.projectId,
      opKey: null,
      kind: 'bounced',
      reason: `submit_${row.why}`,
      patientId: row.patientId,
      patientLabel: await names.patient(row.patientId),
      pageName: await names.page(row.projectId, entry),
      target: entryTargetOf(entry),
      fieldCode: answer.field,
      at: row.receivedAt,
    })),
  )
}

function entryTargetOf({ patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass }: EntryRow): EntryTarget {
  return { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass }
}

/** What is on this device only; a refused operation too. Clear columns alone, so that it can be observed as it is. */
export function readUnsent(context: DataContext): Reading<UnsentCount> {
  return context.storage.run(async () => {
    const rows = await outboxRows(context)
    const waiting = rows.filter(({ state }) => state !== 'rejected')
    return { unsent: rows.length, oldestUnsent: waiting.map(({ actedAt }) => actedAt).toSorted()[0] ?? null }
  })
}

export function readSyncState(context: DataContext): Reading<Omit<SyncState, keyof UnsentCount>> {
  return context.storage.run(async ({ work }) => {
    const refused = await work.outbox.where('state').equals('rejected').count()
    const decisions = await work.receipts.where('outcome').anyOf('inbox', 'held').count()
    const scopes = (await keptScopes(context)).filter((scope) => parseScope(scope)?.kind === 'center')
    const conflicts = (await openConflicts(context, scopes)).length
    const bounced = (await openBounces(context)).length
    // Without a network nobody needs to sign in; with one, nothing goes without a token.
    const unsigned = !context.signedIn() && context.reachable() === true
    const paused = (await getMeta(work, 'paused')) ?? (unsigned ? 'signed_out' : null)
    return {
      reachable: context.reachable(),
      lastContact: (await getMeta(work, 'lastContact')) ?? null,
      syncing: (await getMeta(work, 'syncing')) ?? false,
      attention: refused + decisions + conflicts + bounced,
      paused: context.vault().state === 'locked' ? 'vault_locked' : paused,
      storage: await storageUse(),
    }
  })
}

async function storageUse(): Promise<SyncState['storage']> {
  const manager = (navigator as Partial<Navigator>).storage
  if (manager === undefined) return null
  const [{ usage = 0, quota = 0 }, persisted] = await Promise.all([manager.estimate(), manager.persisted()])
  return { usedBytes: usage, quotaBytes: quota, persisted }
}
