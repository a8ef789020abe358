import type { EntryRow, FolderRow, PageRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT, entryId, visitId } from '#core/derivedIds.ts'
import { isMadeByHand } from '#core/study/visits/pageDemand.ts'
import { scheduleOf } from '#core/study/visits/schedule.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { statusWith } from '#src/data/rows/overlay.ts'
import { isVisitCall } from '#src/data/rows/visitOverlay.ts'
import { today } from '#src/data/shapes/today.ts'
import type { AddablePage, CasebookFolder, CasebookPage, VisitView } from '#src/data/shapes/types.ts'
import { pickTarget } from '#core/sync/entryChange.ts'

import { keepingKeys, bounceOf, entryMark } from './patientMarks.ts'
import { localMark } from './patientView.ts'
import type { Patient } from './patientParts.ts'

/** The visits of a patient's casebook with their pages. */

/** All visits in their order, and the pages of those visits that are shown. */
export function visitsOfCasebook(patient: Patient): {
  readonly visits: readonly VisitView[]
  readonly folders: readonly CasebookFolder[]
} {
  const { version, view } = patient
  const folders = version.folders.toSorted((a, b) => a.sort - b.sort)
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const targets = knownTargets(patient)
  const pages = targets.map((target) => ({ ...target, status: statusOf(patient, entryId(target)) }))
  const schedule = scheduleOf({ folders, enrolledOn: view.enrolledOn, visits: patient.visits, pages, today: today() })
  const all = schedule.flatMap((visit) => {
    const folder = byId.get(visit.folderId)
    return folder === undefined ? [] : [{ visit: visitView(patient, folder, visit), folder }]
  })
  return {
    visits: all.map(({ visit }) => visit),
    // A visit that holds data is shown, whatever somebody has said of it since.
    folders: all
      .filter(({ visit }) => visit.begun || (visit.status !== 'removed' && visit.status !== 'notApplicable'))
      .map(({ visit, folder }) => casebookFolder(patient, folder, visit, targets)),
  }
}

function visitView(patient: Patient, folder: FolderRow, visit: ScheduledVisit): VisitView {
  const id = visitId({ patientId: patient.view.id, folderId: visit.folderId, folderRepeat: visit.folderRepeat })
  const row = patient.visits.find((one) => one.id === id) ?? null
  const own = patient.outbox.filter(({ entityId, call }) => entityId === id && isVisitCall(call))
  const held = patient.held.filter((one) => one.row.entityId === id)
  const sync = localMark({ own, held, conflicted: false, bounced: false }) ?? (row === null ? null : 'received')
  const numberName = (name: string) => (visit.no > 1 ? `${name} ${visit.no}` : name)
  const { folderName, folderNameEn } = folder
  return {
    ...visit,
    id,
    row,
    sync,
    folderName: numberName(folderName),
    folderNameEn: folderNameEn === undefined ? null : numberName(folderNameEn),
  }
}

function casebookFolder(
  patient: Patient,
  folder: FolderRow,
  visit: VisitView,
  targets: readonly EntryTarget[],
): CasebookFolder {
  const { folderId, folderRepeat, folderName, folderNameEn, folderCode } = visit
  const pages = folder.pages
    .toSorted((a, b) => a.sort - b.sort)
    .map((page) => ({ page, shown: pagesOf(patient, visit, page, targets) }))
  const addable = pages.flatMap(({ page, shown }): AddablePage[] => {
    const { id: pageId, pageName, pageNameEn } = page
    if (shown.length === 0) return [{ pageId, pageName, pageNameEn, another: false }]
    return page.repeatable ? [{ pageId, pageName, pageNameEn, another: true }] : []
  })
  return {
    folderId,
    folderRepeat,
    folderName,
    folderNameEn,
    folderCode,
    visit,
    pages: pages.flatMap(({ shown }) => shown),
    addable,
  }
}

/**
 * The page itself and its repeats, whether the server or only this device has them. A page that nobody is asked for is
 * listed once somebody has begun it.
 */
function pagesOf(patient: Patient, visit: VisitView, page: PageRow, targets: readonly EntryTarget[]): CasebookPage[] {
  const { folderId, folderRepeat } = visit
  const own = targets.filter(
    (target) => target.folderId === folderId && target.folderRepeat === folderRepeat && target.pageId === page.id,
  )
  const first = firstTarget(patient, { folderId, folderRepeat, pageId: page.id })
  const isAsked = !isMadeByHand(page.option) || own.some(({ pageRepeat }) => pageRepeat === FIRST_REPEAT)
  const repeats = own
    .filter(({ pageRepeat }) => pageRepeat !== FIRST_REPEAT)
    .toSorted((a, b) => (a.pageRepeat < b.pageRepeat ? -1 : 1))
  return [...(isAsked ? [first] : []), ...repeats].map((target, at) =>
    casebookPage(patient, page, visit, target, at + 1),
  )
}

function firstTarget(
  { view, pass }: Patient,
  place: Pick<EntryTarget, 'folderId' | 'folderRepeat' | 'pageId'>,
): EntryTarget {
  const { folderId, folderRepeat, pageId } = place
  return { patientId: view.id, folderId, folderRepeat, pageId, pageRepeat: FIRST_REPEAT, parentEntryId: null, pass }
}

/** A page as the casebook lists it. @param repeatNo its place among the repeats of its page, from 1 */
export function casebookPage(
  patient: Patient,
  page: PageRow,
  { folderName, folderNameEn }: Pick<CasebookPage, 'folderName' | 'folderNameEn'>,
  target: EntryTarget,
  repeatNo: number,
): CasebookPage {
  const id = entryId(target)
  const server = patient.entries.find((entry) => entry.id === id)
  const own = patient.outbox.filter(({ entityId }) => entityId === id)
  const held = patient.held.filter(({ row }) => row.entityId === id)
  const removable = target.pageRepeat !== FIRST_REPEAT && server !== undefined && own.length === 0 && held.length === 0
  return {
    target,
    entryId: id,
    folderName,
    folderNameEn,
    pageName: page.pageName,
    pageNameEn: page.pageNameEn,
    pageCode: page.pageCode,
    progress: own.findLast(({ mark }) => mark !== undefined)?.mark?.progress ?? server?.progress ?? null,
    status: statusOf(patient, id),
    mark: entryMark(patient, server ?? null, own, held, bounceOf(patient, id)),
    repeatable: page.repeatable,
    repeatNo,
    removableAt: removable ? server.rev : null,
    ...changedBy(server, own),
  }
}

/** Who wrote a page last: what is not sent yet came after all that the server has. */
function changedBy(server: EntryRow | undefined, own: Patient['outbox']): Pick<CasebookPage, 'changed'> {
  const last = own.findLast(({ call }) => call.startsWith('entry.'))
  if (last !== undefined) return { changed: { byName: null, at: last.actedAt } }
  if (server === undefined || server.status === 'init') return {}
  return { changed: { byName: server.updatedByName, at: server.updatedAt } }
}

function statusOf(patient: Patient, id: string): CasebookPage['status'] {
  const server = patient.entries.find((entry) => entry.id === id)
  const own = patient.outbox.filter(({ entityId }) => entityId === id)
  return statusWith(server ?? null, own, keepingKeys(patient.conflicts))
}

/** The page and visit of each entry that the server or this device has, without deleted entries. */
export function knownTargets({ view, pass, entries, outbox }: Patient): readonly EntryTarget[] {
  const patientId = view.id
  const deleted = new Set(
    outbox.filter(({ call, state }) => call === 'entry.delete' && state !== 'rejected').map(({ entityId }) => entityId),
  )
  const there = entries
    .filter((entry) => !entry.deleted && entry.pass === pass && !deleted.has(entry.id))
    .map(pickTarget)
  const known = new Set(entries.map(({ id }) => id))
  const made = new Map<string, EntryTarget>()
  for (const { mark, entityId } of outbox) {
    if (mark === undefined || known.has(entityId) || deleted.has(entityId)) continue
    const { folderId, folderRepeat, pageId, pageRepeat } = mark
    made.set(entityId, { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId: null, pass })
  }
  return [...there, ...made.values()]
}
