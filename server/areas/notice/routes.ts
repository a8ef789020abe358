import { NOTICE_KINDS_AT_FIRST } from '#core/api/noticeKinds.ts'
import type { Notice } from '#core/api/calls/notice.ts'
import type { Language } from '#core/language.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { listNotices, readNotices } from '#server/areas/notice/store.ts'
import type { StoredNotice } from '#server/areas/notice/store.ts'
import { titleOf } from '#server/areas/notice/titles.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

/** A notice for the app: what it says, and where what it is about can be seen. */
function noticeOf(row: StoredNotice, language: Language): Notice {
  const { id, kind, projectId, patientId, at, read, ended, count } = row
  return {
    id,
    title: titleOf(row, language),
    releaseTime: at,
    kind,
    projectId,
    patientId,
    read,
    ended,
    ...(count === null ? {} : { count }),
    ...readPlace(row),
  }
}

function readPlace(row: StoredNotice): Pick<Notice, 'place' | 'conflict' | 'screen' | 'versionId'> {
  const { entryId, field, conflictEntryId, conflictId, versionId, kind, seesVersions } = row
  if (conflictEntryId !== null && conflictId !== null) return { conflict: { entryId: conflictEntryId, id: conflictId } }
  if (entryId !== null) return { place: { entryId, field } }
  if (kind === 'inbox') return { screen: 'inbox' }
  if (kind === 'release' && seesVersions) return { screen: 'versions' }
  if (versionId === null) return {}
  if (kind === 'query_overdue') return { screen: 'queries', versionId }
  if (kind === 'export_waits' || kind === 'export_ended') return { screen: 'exports', versionId }
  return kind === 'visit_due' || kind === 'release' ? { screen: 'work', versionId } : {}
}

export const handlers: Handlers = {
  'notice.list': async ({ services, actor, query, language }) =>
    withConnection(services.pool, async (connection) => {
      const paging = { current: query.page ?? query.current, size: query.size }
      const wanted = { unread: query.status === '0', kinds: query.kinds?.split(',') ?? NOTICE_KINDS_AT_FIRST }
      const { rows, total } = await listNotices(connection, actor.userId, wanted, paging)
      return pageOf(
        rows.map((row) => noticeOf(row, language)),
        total,
        paging,
      )
    }),

  'notice.click': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) => {
      await readNotices(connection, actor.userId, body.noticeIds, services.now())
      return true
    }),
}
