/** The kinds of notices, and what they are about. */

/** What a caller is told of who names no kinds: apps of before more were added understand no others. */
export const NOTICE_KINDS_AT_FIRST = [
  'assigned',
  'taken_back',
  'changed',
  'approval',
  'query_site',
  'query_review',
] as const

/**
 * What somebody is told: a patient was assigned to them, or is no longer, or what is known of them has changed; or is
 * asked for: a test version awaits their review, queries await an answer of their site, or answers and candidates
 * await them, queries are overdue, conflicts, the inbox or the request for an export await a decision; or a version was
 * released, visits are due, an export that they asked for has ended.
 */
export const noticeKinds = [
  ...NOTICE_KINDS_AT_FIRST,
  'query_overdue',
  'conflict',
  'inbox',
  'visit_due',
  'release',
  'export_waits',
  'export_ended',
] as const
export type NoticeKind = (typeof noticeKinds)[number]
/** As a caller names the kinds that it understands: all. */
export const ALL_NOTICE_KINDS = noticeKinds.join(',')

/** What notices are about, in the words of a person: how they are to be told is set for these. */
export const noticeGroups = [
  'query_site',
  'query_review',
  'query_overdue',
  'conflict',
  'inbox',
  'visit_due',
  'approval',
  'export_waits',
  'release',
  'assigned',
  'export_ended',
] as const
export type NoticeGroup = (typeof noticeGroups)[number]

/** What a notice is about. */
export function groupOf(kind: NoticeKind): NoticeGroup {
  return kind === 'taken_back' || kind === 'changed' ? 'assigned' : kind
}
