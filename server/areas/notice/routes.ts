import type { Notice } from '#core/api/calls/notice.ts'
import type { Language } from '#core/language.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { listNotices, readNotices } from '#server/areas/notice/store.ts'
import type { StoredNotice } from '#server/areas/notice/store.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

const titles: Readonly<Record<Language, Readonly<Record<StoredNotice['kind'], (notice: StoredNotice) => string>>>> = {
  zh: {
    assigned: ({ subject, projectName }) => `受试者 ${subject} 已分配给您（${projectName}）`,
    taken_back: ({ subject, projectName }) => `受试者 ${subject} 不再分配给您（${projectName}）`,
    changed: ({ subject, projectName }) => `受试者 ${subject} 的基本信息已更改（${projectName}）`,
    approval: ({ subject, projectName }) => `测试版 ${subject} 待您审核（${projectName}）`,
    query_site: (notice) => ofQueries(notice, '待答复', '待答复的质疑已处理'),
    query_review: (notice) => ofQueries(notice, '待您处理', '待处理的质疑已处理'),
  },
  en: {
    assigned: ({ subject, projectName }) => `Subject ${subject} was assigned to you (${projectName})`,
    taken_back: ({ subject, projectName }) => `Subject ${subject} is no longer assigned to you (${projectName})`,
    changed: ({ subject, projectName }) => `Details of subject ${subject} were changed (${projectName})`,
    approval: ({ subject, projectName }) => `Test version ${subject} awaits your review (${projectName})`,
    query_site: (notice) => ofQueriesEn(notice, 'awaiting an answer', 'have been answered'),
    query_review: (notice) => ofQueriesEn(notice, 'awaiting your review', 'have been dealt with'),
  },
}

function ofQueries({ subject, projectName, count, overdue }: StoredNotice, waits: string, ended: string): string {
  if ((count ?? 0) === 0) return `受试者 ${subject} ${ended}（${projectName}）`
  const late = (overdue ?? 0) === 0 ? '' : `，其中 ${overdue} 条已超期`
  return `受试者 ${subject} 有 ${count} 条质疑${waits}${late}（${projectName}）`
}

function ofQueriesEn({ subject, projectName, count, overdue }: StoredNotice, waits: string, ended: string): string {
  if ((count ?? 0) === 0) return `The queries of subject ${subject} ${ended} (${projectName})`
  const late = (overdue ?? 0) === 0 ? '' : `, ${overdue} past due`
  return `Subject ${subject}: ${count === 1 ? '1 query' : `${count} queries`} ${waits}${late} (${projectName})`
}

export const handlers: Handlers = {
  'notice.list': async ({ services, actor, query, language }) =>
    withConnection(services.pool, async (connection) => {
      const paging = { current: query.page ?? query.current, size: query.size }
      const { rows, total } = await listNotices(connection, actor.userId, query.status === '0', paging)
      const notices = rows.map((row): Notice => {
        const { id, kind, projectId, patientId, at, read, ended, count, entryId, field } = row
        return {
          id,
          title: titles[language][kind](row),
          releaseTime: at,
          kind,
          projectId,
          patientId,
          read,
          ended,
          ...(count === null ? {} : { count }),
          ...(entryId === null ? {} : { place: { entryId, field } }),
        }
      })
      return pageOf(notices, total, paging)
    }),

  'notice.click': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) => {
      await readNotices(connection, actor.userId, body.noticeIds, services.now())
      return true
    }),
}
