import type { NoticeGroup } from '#core/api/noticeKinds.ts'
import type { NoticeWay } from '#core/api/noticeSettings.ts'
import type { Language } from '#core/language.ts'
import type { Pile } from '#server/areas/noticeWays/messages.ts'

/**
 * What messages about notices say. They cross mail servers and lie on lock screens: they name the project and count,
 * and tell nothing of subjects, fields, values or what was asked. Chinese, and English below it: which language a
 * person reads is known to their tablet, not to the server.
 */

export const MAIL_SUBJECT = '证录：您有待处理的事项 / Zhenglu: items awaiting you'

const piles: Readonly<Record<Language, Readonly<Record<NoticeGroup, (count: number) => string>>>> = {
  zh: {
    query_site: (count) => `${count} 条质疑待答复`,
    query_review: (count) => `${count} 条质疑待审阅`,
    query_overdue: (count) => `${count} 条质疑已超期`,
    conflict: (count) => `${count} 处冲突待处理`,
    inbox: (count) => `收件箱有 ${count} 项待处理`,
    visit_due: (count) => `待访 ${count} 个`,
    approval: (count) => `${count} 个测试版待审核`,
    export_waits: (count) => `${count} 项数据导出申请待审批`,
    export_ended: (count) => `${count} 项数据导出有了结果`,
    release: (count) => `${count} 个正式版已发布`,
    assigned: (count) => `${count} 项受试者分配或变更`,
  },
  en: {
    query_site: (count) => `${numberOf(count, 'query', 'queries')} awaiting an answer`,
    query_review: (count) => `${numberOf(count, 'query', 'queries')} awaiting review`,
    query_overdue: (count) => numberOf(count, 'overdue query', 'overdue queries'),
    conflict: (count) => `${numberOf(count, 'conflict', 'conflicts')} to resolve`,
    inbox: (count) => `${numberOf(count, 'item', 'items')} in the inbox`,
    visit_due: (count) => `${numberOf(count, 'visit', 'visits')} due`,
    approval: (count) => `${numberOf(count, 'test version', 'test versions')} awaiting review`,
    export_waits: (count) => `${numberOf(count, 'request for an export', 'requests for an export')} awaiting approval`,
    export_ended: (count) => `${numberOf(count, 'export has', 'exports have')} ended`,
    release: (count) => `${numberOf(count, 'version', 'versions')} released`,
    assigned: (count) => `${numberOf(count, 'subject', 'subjects')} assigned or changed`,
  },
}

/** Where notices are read; null where the server does not know its own address. */
export type NoticesAddress = string | null

/** A message by a way, of all that waits. */
export function wordMessage(way: NoticeWay, all: readonly Pile[], address: NoticesAddress): string {
  return way === 'email' ? wordMail(all, address) : wordNote(all, address)
}

function wordMail(all: readonly Pile[], address: NoticesAddress): string {
  const zh = [
    '您有待处理的事项：',
    ...listOf(all, 'zh'),
    '',
    address === null ? '请登录证录查看。' : `请登录查看：${address}`,
  ]
  const en = [
    'Items awaiting you:',
    ...listOf(all, 'en'),
    '',
    address === null ? 'Please sign in to Zhenglu.' : `Please sign in: ${address}`,
  ]
  return [
    ...zh,
    '提醒方式可在“我的通知”的“提醒设置”中更改。',
    '',
    '—',
    '',
    ...en,
    'You can change how you are told under “My notices”, “Notice settings”.',
    '',
  ].join('\n')
}

/** By project, in the order in which they come. */
function listOf(all: readonly Pile[], language: Language): readonly string[] {
  return [...Map.groupBy(all, ({ projectName }) => projectName)].flatMap(([project, own]) => [
    '',
    project,
    ...own.map(({ group, count }) => `  · ${piles[language][group](count)}`),
  ])
}

function wordNote(all: readonly Pile[], address: NoticesAddress): string {
  const projects = [...Map.groupBy(all, ({ projectName }) => projectName)].map(
    ([project, own]) => `${project}：${own.map(({ group, count }) => piles.zh[group](count)).join('，')}`,
  )
  return `${projects.join('；')}。请登录证录查看${address === null ? '' : ` ${address}`}`
}

function numberOf(count: number, one: string, several: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${several}`
}
