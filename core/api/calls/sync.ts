import * as z from 'zod/mini'
import { changeReason, itemContent } from '#core/sync/entryChange.ts'
import { casebookPlace } from '#core/sync/entryMark.ts'
import { outcome } from '#core/sync/protocol/operation.ts'
import { pullLine } from '#core/api/sync/pull.ts'
import { deviceKeys } from '#core/sync/protocol/deviceKeys.ts'
import { pushAnswer, pushRequest } from '#core/api/sync/push.ts'
import { inboxRow, inboxStates } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { closedErrors } from '#core/api/writeErrors.ts'
import { wireError } from '#core/wire/wireError.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, hash, id, instant, json, paging, pass, queryInt, text } from '#core/wire/shapes.ts'

/** Devices: keys, number blocks, push and pull (ours); tasks; audit. */

const SYNC = 'server/areas/sync'
/** What a trail can be narrowed down to. `values`: what was entered and calculated; `pages`: where pages stand. */
export const auditKinds = [
  'values',
  'pages',
  'conflicts',
  'patient',
  'visits',
  'files',
  'double',
  'queries',
  'operations',
] as const
export type AuditKind = (typeof auditKinds)[number]

const AUDIT = 'server/areas/audit'

/** A block of subject numbers that one device may give out (docs/adr/0001-ids-and-rows.md). */
export const numberLease = z.object({
  id,
  centerId: id,
  deviceId: id,
  /** The numbers as they will be shown, oldest first. Numbers are never reused; gaps stay. */
  numbers: z.array(z.string()),
})
export type NumberLease = z.infer<typeof numberLease>

/** An operation that waits for a decision, as a list shows it. */
const inboxLine = z.extend(inboxRow, {
  centerName: z.nullable(z.string()),
  patientId: z.nullable(id),
  patientNo: z.nullable(z.string()),
  pageName: z.nullable(z.string()),
  pageNameEn: englishName,
})
export type InboxLine = z.infer<typeof inboxLine>

/** One thing that an operation in the inbox would change. Values are masked as for any reader. */
const inboxItem = z.object({
  table: z.nullable(z.string()),
  rid: z.nullable(z.string()),
  code: z.string(),
  /** The field's label; its code where no definition has it. */
  label: z.string(),
  labelEn: englishName,
  /** Of a field in a row: the label of its table; null elsewhere. */
  tableLabel: z.nullable(z.string()),
  tableLabelEn: englishName,
  /** Place of the row among those that are there now, from 1; null where it is not there, or none is meant. */
  rowNo: z.nullable(z.int()),
  base: itemContent,
  /** What stands now; null where it has no place. */
  current: z.nullable(itemContent),
  to: itemContent,
  /** Why its author changed it, where they said so. */
  reason: z.nullable(changeReason),
})

const inboxDetail = z.object({
  line: inboxLine,
  /** The visit's folder that it is about; null where none is meant. */
  folderId: z.nullable(id),
  /** Pass of the double entry that it belongs to. */
  pass,
  items: z.array(inboxItem),
  /** Why it cannot be released now; null where it can. */
  barred: z.nullable(
    z.enum([
      'project_stopped',
      'project_closed',
      'frozen',
      'locked',
      'no_place_in_version',
      'waits_for_earlier',
      'other_pass',
      'own',
      'forbidden',
    ]),
  ),
})
export type InboxDetail = z.infer<typeof inboxDetail>

/** A device as those who look after them see it. */
const deviceLine = z.object({
  id,
  name: z.string(),
  userAgent: z.string(),
  appVersion: z.string(),
  persisted: z.boolean(),
  createdAt: instant,
  lastContactAt: instant,
  lastUserName: z.nullable(z.string()),
  clockDriftMs: z.nullable(z.number()),
  /** What it said at its last contact that it had not sent, in this project. */
  unsent: z.int(),
  oldestUnsent: z.nullable(instant),
  refused: z.int(),
  drafts: z.int(),
  storage: z.nullable(z.object({ usedBytes: z.number(), quotaBytes: z.number() })),
  /** Centers whose data it may keep, in this project. */
  centers: z.array(z.string()),
  blocked: z.boolean(),
  blockReason: z.nullable(z.string()),
  blockedByName: z.nullable(z.string()),
  blockedAt: z.nullable(instant),
  /** When it found its own storage gone, and how much it had not sent by its last word before. */
  storageLostAt: z.nullable(instant),
  lostUnsent: z.nullable(z.int()),
})
export type DeviceLine = z.infer<typeof deviceLine>

/** What a rescue export holds, and what became of it. */
const rescueReport = z.object({
  deviceId: z.nullable(id),
  exportedAt: z.nullable(instant),
  operations: z.array(
    z.object({
      key: id,
      call: z.string(),
      authorName: z.nullable(z.string()),
      actedAt: instant,
      patientNo: z.nullable(z.string()),
      pageName: z.nullable(z.string()),
      pageNameEn: englishName,
      items: z.int(),
      /** Whether the server had it before. */
      known: z.boolean(),
      outcome: z.nullable(outcome),
      error: z.nullable(wireError),
    }),
  ),
  /** Typing that was in no operation yet: who typed how much on which page. It is for its author to enter. */
  drafts: z.array(
    z.object({
      authorName: z.nullable(z.string()),
      pageName: z.nullable(z.string()),
      pageNameEn: englishName,
      patientNo: z.nullable(z.string()),
      steps: z.int(),
    }),
  ),
})
export type RescueReport = z.infer<typeof rescueReport>

export const syncCalls = [
  defineCall({
    id: 'sync.device',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/device',
    summary: 'Makes a device known, or tells what has changed about it.',
    body: z.object({
      deviceId: id,
      name: text(100),
      userAgent: text(500),
      appVersion: text(40),
      persisted: z.boolean(),
      storageLost: z.optional(z.boolean()),
    }),
    data: z.object({
      deviceId: id,
      blocked: z.boolean(),
      serverTime: instant,
      epoch: text(40),
      lostUnsent: z.nullable(z.int()),
    }),
    write: false,
    errors: ['client_too_old'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.scopes',
    area: 'sync',
    method: 'GET',
    path: '/edc/sync/scopes',
    summary:
      'Scopes the user may keep on a device, with their sizes. withheld: not on the device of this session, for its keys would open what a colleague keeps there.',
    query: z.object({ projectId: id }),
    data: z.object({
      scope: text(120),
      centerId: z.nullable(id),
      centerName: z.nullable(z.string()),
      patients: z.int(),
      entries: z.int(),
      withheld: z.optional(z.boolean()),
    }),
    answer: 'tree',
    errors: ['not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.keys',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/keys',
    summary: "The user's keys on this device for the scopes asked for; made and kept before they are handed out.",
    body: z.object({ deviceId: id, scopes: z.array(text(120)).check(z.maxLength(200)) }),
    data: deviceKeys,
    write: false,
    errors: ['forbidden', 'device_blocked', 'not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.lease',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/lease',
    summary: 'Leases a block of subject numbers of a center; what is left of earlier blocks counts.',
    body: z.object({ projectId: id, deviceId: id, centerId: id, want: z.int().check(z.minimum(1), z.maximum(200)) }),
    data: numberLease,
    permission: 'patient_enrol',
    write: false,
    errors: ['forbidden', 'device_blocked', 'not_found', 'center_disabled', 'project_closed', 'project_stopped'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.push',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/push',
    summary:
      'Many operations in one envelope, answered one by one as they commit. Body may be gzip. What a blocked device sends is taken in for a decision.',
    body: pushRequest,
    data: pushAnswer,
    answer: 'ndjson',
    write: false,
    errors: ['client_too_old', 'too_large', 'invalid'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.pull',
    area: 'sync',
    method: 'GET',
    path: '/edc/sync/pull',
    summary: 'Changes of a scope since a change number; of one patient alone where one is named.',
    query: z.object({
      scope: text(120),
      cursor: z._default(queryInt(0, 999_999_999), 0),
      from: z.optional(text(120)),
      deviceId: id,
      patientId: z.optional(id),
    }),
    data: pullLine,
    answer: 'ndjson',
    errors: ['forbidden', 'not_found', 'device_blocked'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.inbox',
    area: 'sync',
    method: 'GET',
    path: '/edc/sync/inbox',
    summary: 'Operations taken in for a decision, oldest first.',
    query: z.object({ projectId: id, state: z.optional(z.enum(inboxStates)), ...paging }),
    data: inboxLine,
    answer: 'page',
    permission: 'data_review',
    errors: ['forbidden', 'not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.inboxDetail',
    area: 'sync',
    method: 'GET',
    path: '/edc/sync/inbox/:id',
    summary: 'What an operation in the inbox would change, beside what stands now.',
    params: z.object({ id }),
    query: z.object({ projectId: id }),
    data: inboxDetail,
    permission: 'data_review',
    errors: ['forbidden', 'not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.inboxDecide',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/inbox/:id/decide',
    summary:
      "Releases an operation from the inbox, so that it is applied in its author's name, or returns it to its author. With a reason, and never one's own.",
    params: z.object({ id }),
    body: z.object({ projectId: id, decision: z.enum(['release', 'return']), note: filledText(2000) }),
    data: z.object({ state: z.enum(inboxStates), outcome }),
    permission: 'data_review',
    errors: [
      'forbidden',
      'not_found',
      ...closedErrors,
      'other_pass',
      'transition_refused',
      'waits_for_earlier',
      'invalid',
    ],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.devices',
    area: 'sync',
    method: 'GET',
    path: '/edc/sync/devices',
    summary: 'Devices that keep data of a project, those with unsent work first.',
    query: z.object({ projectId: id, ...paging }),
    data: deviceLine,
    answer: 'page',
    permission: 'device_manage',
    errors: ['forbidden', 'not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.deviceBlock',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/device/:id/block',
    summary:
      'Blocks a device or lets it go on. A blocked one gets no data and no keys; what it still sends is taken in for a decision.',
    params: z.object({ id }),
    body: z.object({ projectId: id, blocked: z.boolean(), reason: filledText(2000) }),
    data: z.boolean(),
    permission: 'device_manage',
    errors: ['forbidden', 'not_found'],
    servedBy: SYNC,
  }),
  defineCall({
    id: 'sync.rescue',
    area: 'sync',
    method: 'POST',
    path: '/edc/sync/rescue',
    summary:
      "Reads a rescue export of a device; with `apply`, takes its operations in as if the device had sent them, each in its author's name.",
    body: z.object({ projectId: id, file: text(16_000_000), apply: z.boolean() }),
    data: rescueReport,
    permission: 'device_manage',
    write: false,
    errors: ['forbidden', 'not_found', 'invalid', 'too_large'],
    servedBy: SYNC,
  }),
]

const taskResult = z.object({
  id,
  type: z.string(),
  status: z.int(),
  finishedCount: z.int(),
  totalCount: z.int(),
  source: z.nullable(z.string()),
  log: z.nullable(z.string()),
})
export type TaskResult = z.infer<typeof taskResult>

export const taskCalls = [
  defineCall({
    id: 'task.result',
    area: 'task',
    method: 'GET',
    path: '/edc/task/:id/result',
    summary:
      'State of a long task: 0 it runs, 1 it is done, 2 it failed. The log comes when it has ended. `source` names what it is about.',
    params: z.object({ id }),
    query: z.object({ taskType: z.optional(text(60)) }),
    data: taskResult,
    answer: 'r',
    errors: ['not_found'],
    servedBy: 'server/areas/task',
  }),
]

/** One line of the audit trail. Values are null where the asking user may not see them. */
export const auditLine = z.object({
  id,
  seq: z.int(),
  ord: z.int(),
  action: z.string(),
  call: z.nullable(z.string()),
  opKey: z.nullable(id),
  centerId: z.nullable(id),
  patientId: z.nullable(id),
  entryId: z.nullable(id),
  /** Where the entry stands in the casebook; null where the line is about none. */
  place: z.nullable(casebookPlace),
  /** Code of the table where the line is about a row or a field in it. */
  table: z.nullable(z.string()),
  rid: z.nullable(z.string()),
  /** Place of the row among those that are there now, from 1; null where it is deleted, or none is meant. */
  rowNo: z.nullable(z.int()),
  prop: z.nullable(z.string()),
  versionId: z.nullable(id),
  /**
   * The version in whose words `table` and `prop` name a place of the page; null where none is known. Absent from older
   * servers.
   */
  fieldVersionId: z.optional(z.nullable(id)),
  /**
   * What that place is called as the entry stands now; null where it is gone. Absent of what is about no place of a
   * page, and from older servers.
   */
  now: z.optional(z.nullable(z.object({ table: z.nullable(z.string()), prop: z.nullable(z.string()) }))),
  /**
   * Of what a release brought along, the version and the place of before, in whose words the old value is. Absent where
   * it is in the same as the new one, and from older servers.
   */
  former: z.optional(z.object({ versionId: id, table: z.nullable(z.string()), prop: z.string() })),
  pass: z.nullable(z.int()),
  oldValue: json,
  newValue: json,
  reasonCode: z.nullable(z.string()),
  reasonText: z.nullable(z.string()),
  userId: z.nullable(id),
  userName: z.string(),
  role: z.nullable(z.string()),
  carriedBy: z.nullable(id),
  deviceId: z.nullable(id),
  occurredAt: instant,
  occurredOffsetMinutes: z.nullable(z.int()),
  clockDriftMs: z.nullable(z.number()),
  receivedAt: instant,
  appVersion: z.nullable(z.string()),
  redacted: z.boolean(),
})
export type AuditLine = z.infer<typeof auditLine>

/** A line's place in the trail, `seq.ord`. */
/** What of an audit chain does not hold (server/areas/audit/chain.ts). */
const chainProblem = z.enum(['link', 'values', 'head', 'operation', 'cut', 'empty', 'entry'])
export type ChainProblem = z.infer<typeof chainProblem>

const chainReport = z.object({
  holds: z.boolean(),
  checked: z.int(),
  redacted: z.int(),
  firstBroken: z.nullable(z.int()),
  problem: z.nullable(chainProblem),
  seq: z.int(),
  head: hash,
})

const auditPlace = z.string().check(z.regex(/^\d{1,15}\.\d{1,9}$/))

export const auditCalls = [
  defineCall({
    id: 'audit.list',
    area: 'audit',
    method: 'GET',
    path: '/edc/data/audit/list',
    summary:
      'The audit trail, newest first; `before` is `seq.ord` of the last line of the page before, for long trails. `from` and `to` bound the time of receipt; `unexplained`: only changes that needed a reason and have none.',
    query: z.object({
      projectId: id,
      patientId: z.optional(id),
      entryId: z.optional(id),
      pageId: z.optional(id),
      prop: z.optional(text(100)),
      userId: z.optional(id),
      kind: z.optional(z.enum(auditKinds)),
      unexplained: z.optional(z.literal('1')),
      from: z.optional(instant),
      to: z.optional(instant),
      before: z.optional(auditPlace),
      ...paging,
    }),
    data: auditLine,
    answer: 'page',
    permission: 'audit_view',
    errors: ['forbidden', 'not_found'],
    servedBy: AUDIT,
  }),
  defineCall({
    id: 'audit.field',
    area: 'audit',
    method: 'GET',
    path: '/edc/data/page/:id/history',
    summary:
      'What became of one field of an entry, newest first, for whoever may see its value: old and new, who, when on both clocks, why. Of a field in a table with its row. Also what it held under a code that it had before, and nothing of another field that had its code; `versionId`: the version whose codes these are, without it that of the entry.',
    params: z.object({ id }),
    query: z.object({
      projectId: id,
      prop: text(100),
      table: z.optional(text(100)),
      rid: z.optional(text(60)),
      versionId: z.optional(id),
      before: z.optional(auditPlace),
      ...paging,
    }),
    data: auditLine,
    answer: 'page',
    errors: ['not_found'],
    servedBy: AUDIT,
  }),
  defineCall({
    id: 'audit.verify',
    area: 'audit',
    method: 'GET',
    path: '/edc/data/audit/verify',
    summary: 'Computes the hash chain of a project anew and says whether it holds.',
    query: z.object({ projectId: id }),
    data: chainReport,
    permission: 'audit_view',
    errors: ['forbidden', 'not_found'],
    servedBy: AUDIT,
  }),
  defineCall({
    id: 'audit.redact',
    area: 'audit',
    method: 'POST',
    path: '/edc/data/audit/redact',
    summary: 'Removes accidental personal data from one audit value, by a logged and justified procedure.',
    body: z.object({ projectId: id, auditId: id, reason: filledText(2000) }),
    data: z.boolean(),
    auth: 'admin',
  }),
]
