import type { Language } from '#core/language.ts'
import { studyName } from '#core/study/studyName.ts'
import type { StoredNotice } from '#server/areas/notice/store.ts'
import { MOST_COUNTED } from '#server/areas/notice/sight.ts'

/** Notices in words. A subject is named by its number or mark, a field by nothing: titles are read on lock screens. */

/** A window of a visit that ends within so many days is told of. */
export const ENDS_SOON_DAYS = 3

type Titles = Readonly<Record<StoredNotice['kind'], (notice: StoredNotice) => string>>

const zh: Titles = {
  assigned: ({ subject, projectName }) => `受试者 ${subject} 已分配给您（${projectName}）`,
  taken_back: ({ subject, projectName }) => `受试者 ${subject} 不再分配给您（${projectName}）`,
  changed: ({ subject, projectName }) => `受试者 ${subject} 的基本信息已更改（${projectName}）`,
  approval: ({ subject, projectName }) => `测试版 ${subject} 待您审核（${projectName}）`,
  release: ({ subject, projectName }) => `正式版 ${subject} 已发布（${projectName}）`,
  query_site: (notice) => ofQueries(notice, '待答复', '待答复的质疑已处理'),
  query_review: (notice) => ofQueries(notice, '待您处理', '待处理的质疑已处理'),
  query_overdue: ({ count, projectName }) =>
    isNone(count) ? `超期的质疑已处理（${projectName}）` : `${upTo(count)} 条超期的质疑待您处理（${projectName}）`,
  conflict: ({ subject, count, projectName }) =>
    isNone(count)
      ? `受试者 ${subject} 的冲突已处理（${projectName}）`
      : `受试者 ${subject} 有 ${count} 处冲突待处理（${projectName}）`,
  inbox: ({ count, projectName }) =>
    isNone(count) ? `收件箱已处理完（${projectName}）` : `收件箱有 ${upTo(count)} 项待您处理（${projectName}）`,
  export_waits: ({ count, projectName }) =>
    isNone(count) ? `数据导出申请已处理（${projectName}）` : `${upTo(count)} 项数据导出申请待您审批（${projectName}）`,
  export_ended: ({ projectName }) => `您申请的数据导出有了结果（${projectName}）`,
  visit_due: ({ count, ending, day, projectName }) => {
    const soon = isNone(ending) ? '' : `，其中 ${ending} 个的窗口期在 ${ENDS_SOON_DAYS} 天内结束`
    return `${day}：待访 ${count} 个${soon}（${projectName}）`
  },
}

const en: Titles = {
  assigned: ({ subject, projectName }) => `Subject ${subject} was assigned to you (${projectName})`,
  taken_back: ({ subject, projectName }) => `Subject ${subject} is no longer assigned to you (${projectName})`,
  changed: ({ subject, projectName }) => `Details of subject ${subject} were changed (${projectName})`,
  approval: ({ subject, projectName }) => `Test version ${subject} awaits your review (${projectName})`,
  release: ({ subject, projectName }) => `Version ${subject} has been released (${projectName})`,
  query_site: (notice) => ofQueriesEn(notice, 'awaiting an answer', 'have been answered'),
  query_review: (notice) => ofQueriesEn(notice, 'awaiting your review', 'have been dealt with'),
  query_overdue: ({ count, projectName }) =>
    isNone(count)
      ? `The overdue queries have been dealt with (${projectName})`
      : `${count === 1 ? '1 overdue query' : `${upTo(count)} overdue queries`} awaiting you (${projectName})`,
  conflict: ({ subject, count, projectName }) =>
    isNone(count)
      ? `The conflicts of subject ${subject} have been resolved (${projectName})`
      : `Subject ${subject}: ${numberOf(count, 'conflict', 'conflicts')} to resolve (${projectName})`,
  inbox: ({ count, projectName }) =>
    isNone(count)
      ? `The inbox has been cleared (${projectName})`
      : `Inbox: ${count === 1 ? '1 item' : `${upTo(count)} items`} awaiting your decision (${projectName})`,
  export_waits: ({ count, projectName }) =>
    isNone(count)
      ? `The requests for an export have been dealt with (${projectName})`
      : `${count === 1 ? '1 request for an export' : `${upTo(count)} requests for an export`} awaiting your approval (${projectName})`,
  export_ended: ({ projectName }) => `The export that you asked for has ended (${projectName})`,
  visit_due: ({ count, ending, day, projectName }) => {
    const soon = isNone(ending) ? '' : `, ${ending} with a window that ends within ${ENDS_SOON_DAYS} days`
    return `${day}: ${numberOf(count, 'visit', 'visits')} due${soon} (${projectName})`
  },
}

const titles: Readonly<Record<Language, Titles>> = { zh, en }

/** What a notice says to who reads it. */
export function titleOf(notice: StoredNotice, language: Language): string {
  return titles[language][notice.kind]({ ...notice, projectName: studyName(notice.projectName, language) })
}

function isNone(count: number | null): boolean {
  return count === null || count === 0
}

function upTo(count: number | null): string {
  return count !== null && count >= MOST_COUNTED ? `${MOST_COUNTED}+` : String(count)
}

function numberOf(count: number | null, one: string, several: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${several}`
}

function ofQueries({ subject, projectName, count, overdue }: StoredNotice, waits: string, ended: string): string {
  if (isNone(count)) return `受试者 ${subject} ${ended}（${projectName}）`
  const late = isNone(overdue) ? '' : `，其中 ${overdue} 条已超期`
  return `受试者 ${subject} 有 ${count} 条质疑${waits}${late}（${projectName}）`
}

function ofQueriesEn({ subject, projectName, count, overdue }: StoredNotice, waits: string, ended: string): string {
  if (isNone(count)) return `The queries of subject ${subject} ${ended} (${projectName})`
  const late = isNone(overdue) ? '' : `, ${overdue} past due`
  return `Subject ${subject}: ${numberOf(count, 'query', 'queries')} ${waits}${late} (${projectName})`
}
