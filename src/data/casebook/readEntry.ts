import type { ConflictRow, EntryRow, FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'
import { entryId } from '#core/derivedIds.ts'
import { NO_LOOK_UPS } from '#core/form/definition/lookUps.ts'
import { NO_OTHER_PAGES } from '#core/form/engine/otherPages.ts'
import { err, ok } from '#core/result.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import { withConfirmations } from '#core/sync/confirmation.ts'
import { entryChange } from '#core/sync/entryChange.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { typedByOthers } from '#offline/draft/journal.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { localMembers, openable } from '#src/data/rows/local.ts'
import type { Unsent } from '#src/data/rows/local.ts'
import { enteredIn } from '#src/data/rows/operations.ts'
import { statusWith } from '#src/data/rows/overlay.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'
import type { ColleagueWork, EntryView, WaitingChange } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

import { compiledPage } from './compiledPages.ts'
import { conflictPlace } from './formerFields.ts'
import { bounceOf, entryMark, keepingKeys, openOf } from './patientMarks.ts'
import { readPatient } from './readCasebook.ts'
import { readLookUps } from './readLookUps.ts'
import { decisionOn } from './readAttention.ts'
import { readOtherPages, savedPage } from './savedPages.ts'
import { unexplainedOf } from './unexplained.ts'

/** One page of a patient, with this device's unsent work over it. */

export async function readEntry(context: DataContext, projectId: string, target: EntryTarget): Reading<EntryView> {
  const read = await readPatient(context, target.patientId, projectId)
  if (!read.ok) return read
  const id = entryId(target)
  const saved = await context.storage.run(() => savedPage(context, read.value, id))
  if (!saved.ok) return saved
  const { server, own, held, unsent, data, masked } = saved.value
  const confirmed = withConfirmations(
    server?.confirmed ?? [],
    [...held, ...unsent].flatMap(({ op }) => confirmationsIn(op, context)),
  )
  const found = await definitionOf(context, projectId, read.value.version, target, server)
  if (!found.ok) return found
  const { version, folder, page } = found.value
  const compiled = compiledPage(version, { folder: folder.folderCode, page: page.pageCode })
  const beside = await context.storage.run(async () => ({
    otherPages:
      compiled === null ? NO_OTHER_PAGES : await readOtherPages(context, read.value, { version, compiled, target }),
    lookUps: compiled === null ? NO_LOOK_UPS : await readLookUps(context, read.value, { version, compiled }),
    colleagues: await colleagueWork(context, projectId, id, unsent),
    unexplained: await unexplainedOf(context, projectId, saved.value),
    waiting: await waitingOn(context, id),
  }))
  if (!beside.ok) return beside
  const bounced = bounceOf(read.value, id)
  const { conflicts, scope } = read.value
  const open =
    scope !== null
      ? openOf(id, conflicts)
      : server !== null && server.conflicts > 0
        ? serverConflicts(context, projectId, id)
        : []
  const listed = open ?? []
  return ok({
    target,
    entryId: id,
    page: { pageName: page.pageName, pageNameEn: page.pageNameEn, pageCode: page.pageCode, option: page.option },
    versionId: version.id,
    compiled,
    data,
    masked,
    order: read.value.order,
    status: statusWith(server, own, keepingKeys(conflicts)),
    submittedOnce:
      (server?.submittedOnce ?? server?.status === SUBMITTED) ||
      [...own, ...held.map(({ row }) => row)].some(({ call }) => call === 'entry.submit'),
    confirmed,
    server,
    mark: entryMark(read.value, server, own, held, bounced),
    conflicts: await Promise.all(listed.map((conflict) => conflictPlace(context, projectId, target, conflict))),
    conflictCount: open === null ? (server?.conflicts ?? 0) : listed.length,
    bounced: bounced === null ? null : { why: bounced.row.why, messages: bounced.answer.messages },
    recovered: context.recovered.get(id) ?? 0,
    ...beside.value,
  })
}

/** What the user entered on a page and what waits in the server's inbox now, the latest last. */
async function waitingOn(context: DataContext, id: string): Promise<readonly WaitingChange[]> {
  const rows = await context.storage.work.receipts
    .where('entityId')
    .equals(id)
    .filter(({ outcome, op }) => outcome === 'inbox' && op !== null)
    .toArray()
  const all = await Promise.all(
    rows.map(async (row): Promise<readonly WaitingChange[]> => {
      const [op, decision] = [await openable(context, row), await decisionOn(context, row)]
      if (
        op === null ||
        op.author !== context.user.userId ||
        decision?.state === 'released' ||
        row.notedAt !== undefined
      )
        return []
      const state = decision?.state === 'returned' ? 'returned' : 'inbox'
      return enteredIn(op).flatMap(({ table, rid, code, to }) =>
        code === null ? [] : [{ opKey: row.key, item: { table, rid, code, to }, at: op.acted.at, state }],
      )
    }),
  )
  return all.flat().toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

/** The answers to warnings in an unsent operation. */
function confirmationsIn({ author, call, body }: Operation, { user }: DataContext): readonly Confirmation[] {
  const change = call === 'entry.delete' || call === 'conflict.resolve' ? null : entryChange.safeParse(body)
  const byName = author === user.userId ? user.realName : ''
  return change?.success === true
    ? (change.data.confirms ?? []).map((one) => ({ ...one, by: author, byName, receivedAt: null }))
    : []
}

/** What others entered on a page at this device, with their names. */
async function colleagueWork(
  context: DataContext,
  projectId: string,
  id: string,
  unsent: readonly Unsent[],
): Promise<ColleagueWork> {
  const { userId } = context.user
  const typing = await typedByOthers(context.storage, context.ring(), id, userId)
  const authors = new Set(unsent.map(({ op }) => op.author).filter((author) => author !== userId))
  if (typing.length === 0 && authors.size === 0) return { unsent: [], typing: [] }
  const names = new Map((await localMembers(context, projectId)).map((member) => [member.userId, member.realName]))
  return {
    unsent: [...authors].map((author) => names.get(author) ?? ''),
    typing: typing.map(({ author, at }) => ({ name: names.get(author) ?? '', at })),
  }
}

/**
 * Conflicts of an entry that is not kept here; null while they are not known. The page does not wait for them; it shows
 * them when they come.
 */
function serverConflicts(context: DataContext, projectId: string, entry: string): readonly ConflictRow[] | null {
  const query = { projectId, entryId: entry, state: 'open', size: 1000 } as const
  const page = context.remote.peek(['conflicts', projectId, entry], () =>
    context.api.call('conflict.list', { query, projectId }),
  )
  return page?.records ?? null
}

/** A page at its place in a version. */
interface Definition {
  readonly version: VersionRow
  readonly folder: FolderRow
  readonly page: PageRow
}

/**
 * The page as the version of its values defines it. That is the current version, unless a release migrates data and
 * this device does not yet know of this patient's turn: the new definition would then show old values under labels and
 * choices that they were not entered for. A page that the current version does not have is drawn by the version that it
 * was entered under.
 */
async function definitionOf(
  context: DataContext,
  projectId: string,
  current: VersionRow,
  target: EntryTarget,
  server: EntryRow | null,
): Reading<Definition> {
  const now = definedIn(current, target)
  if (now !== null && (server === null || server.versionId === current.id)) return ok(now)
  if (server === null) return err({ code: 'not_found' })
  const read = await readVersionById(context, projectId, server.versionId)
  const own = read.ok ? definedIn(read.value, target) : null
  if (now === null) return own !== null ? ok(own) : read.ok ? err({ code: 'not_found' }) : read
  // A release from before there were migration plans leaves a page as it is until it is saved again.
  const isOwn = own !== null && (current.migrates === true || own.version.versionNo > current.versionNo)
  return ok(isOwn ? own : now)
}

function definedIn(version: VersionRow, target: Pick<EntryTarget, 'folderId' | 'pageId'>): Definition | null {
  const folder = version.folders.find(({ id }) => id === target.folderId)
  const page = folder?.pages.find(({ id }) => id === target.pageId)
  return folder === undefined || page === undefined ? null : { version, folder, page }
}
