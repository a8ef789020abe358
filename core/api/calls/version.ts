import * as z from 'zod/mini'
import { changeSummary } from '#core/design/difference/changeSummary.ts'
import { migrationMappings } from '#core/study/migration/migrationMappings.ts'
import { paperFormats } from '#core/study/paperForms.ts'
import { versionRow, versionSummary } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, id, instant, paging } from '#core/wire/shapes.ts'

/** CRF versions (specification §7). Folder and page ids are the same in all versions of a project. */

const VERSION = 'server/areas/version'

export type VersionSummary = z.infer<typeof versionSummary>

/** A version as the project's history has it; drafts that were deleted are in it. */
const versionRecord = z.object({
  ...versionSummary.def.shape,
  deleted: z.boolean(),
  /** The version that it was made from; null for the first. */
  baseId: z.nullable(id),
  createdByName: z.string(),
  releasedAt: z.nullable(instant),
  /** What it changed against that one. Null until it is published to test. */
  changes: z.nullable(changeSummary),
  /** A release that came after it is in its place. */
  superseded: z.boolean(),
  /** The tasks that brought what was entered before to it, the oldest first: `task/:id/result` has the log of each. */
  migrationTaskIds: z.array(id),
})
export type VersionRecord = z.infer<typeof versionRecord>

const field = z.object({ id: z.string(), label: z.string(), code: z.string() })
const treePage = z.object({
  id,
  pageName: z.string(),
  pageNameEn: englishName,
  pageCode: z.string(),
  crfPageId: id,
  refCrfFolderName: z.string(),
  extraFields: z.string(),
  pageContentWithAvueForm: z.string(),
  repeatable: z.boolean(),
  parentPageId: z.nullable(id),
  crfFieldVOList: z.array(field),
})
export const treeFolder = z.object({
  id,
  folderName: z.string(),
  folderNameEn: englishName,
  folderCode: z.string(),
  crfPageVOList: z.array(treePage),
})
export type TreeFolder = z.infer<typeof treeFolder>

const approval = z.object({
  id,
  username: z.string(),
  userId: id,
  result: z.nullable(z.union([z.literal(1), z.literal(2)])),
  content: z.nullable(z.string()),
  suggest: z.nullable(z.string()),
  isSign: z.boolean(),
  /** When they signed; null where they have not. */
  signedAt: z.nullable(instant),
  /** Whether they are a tester today. What somebody else had signed is told as evidence, and counts no more. */
  isTester: z.boolean(),
  /**
   * What they tried out in this round of testing: of so many places of pages, how many they filled in, how many they
   * submitted, and when last.
   */
  trial: z.object({ pages: z.int(), tried: z.int(), submitted: z.int(), lastAt: z.nullable(instant) }),
})

/** What somebody has planned for the data: how what was renamed is called now. */
export const planned = z.object({ mappings: z.optional(migrationMappings) })

const crfQuery = z.object({ crfId: id })

export const versionCalls = [
  defineCall({
    id: 'version.save',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/save',
    summary: 'Makes a draft from the release (or the first draft), with a requirement note.',
    body: z.object({ projectId: id, remark: filledText(2000) }),
    data: versionSummary,
    permission: 'project_crf_new',
    errors: ['invalid', 'already_exists', 'forbidden', 'not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.remove',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/remove',
    summary: 'Deletes a draft.',
    query: crfQuery,
    data: z.boolean(),
    permission: 'project_crf_draft_del',
    errors: ['transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.releaseTest',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/release/test',
    summary: 'Publishes a draft to test; code -1 and a list of target, output, content when it is not sound.',
    query: crfQuery,
    data: versionSummary,
    permission: 'project_crf_draft_publish',
    errors: ['version_not_sound', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.release',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/release',
    summary:
      'Releases a test version once all approvals are signed, and brings what was entered before to it: `taskId` names the task, null where there is nothing to bring. `mappings`: what a person said of fields and choices that are called otherwise now.',
    query: crfQuery,
    body: planned,
    data: z.extend(versionSummary, { taskId: z.nullable(id) }),
    permission: 'project_crf_test_publish',
    errors: ['approvals_missing', 'transition_refused', 'not_found', 'forbidden', 'invalid'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.back',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/back',
    summary: 'Sends a test version back to draft.',
    query: crfQuery,
    data: versionSummary,
    permission: 'project_crf_test_revent',
    errors: ['transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.approveList',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/approve/list',
    summary: 'Testers and their judgements.',
    query: crfQuery,
    data: approval,
    answer: 'tree',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.approveCheck',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/approve/check',
    summary: "Records a tester's judgement.",
    query: crfQuery,
    body: z.object({
      result: z.union([z.literal(1), z.literal(2)]),
      content: filledText(4000),
      suggest: filledText(4000),
    }),
    data: z.boolean(),
    permission: 'project_crf_test_check',
    errors: ['transition_refused', 'not_found', 'forbidden', 'invalid'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.approveSign',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/approve/sign',
    summary: 'Signs the own judgement with the login password, which travels in the body only and is verified anew.',
    query: crfQuery,
    body: z.object({ password: filledText(400) }),
    data: z.boolean(),
    permission: 'project_crf_test_check',
    errors: ['invalid_credentials', 'account_locked', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.history',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/history/list',
    summary: 'All versions ever, with their change summaries.',
    query: z.object({ projectId: id, ...paging }),
    data: versionRecord,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.tree',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/tree/list',
    summary: 'Folders, pages and fields of a version.',
    params: z.object({ id }),
    data: treeFolder,
    answer: 'tree',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.list',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/list',
    summary: 'Versions of a project, newest first.',
    query: z.object({ projectId: id, ...paging }),
    data: versionSummary,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.detail',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/detail',
    summary: 'A version with all it defines, as a pull brings it.',
    params: z.object({ id }),
    data: versionRow,
    offline: 'cache',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.print',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/print',
    summary:
      'A version as PDF, for whoever may see it: blank to be filled in by hand, or annotated with codes, types and rules. `not_available` where this server cannot make PDF.',
    params: z.object({ id }),
    query: z.object({ style: z.enum(paperFormats), language: z.enum(['zh', 'en']) }),
    data: z.unknown(),
    answer: 'blob',
    errors: ['not_found', 'not_available', 'too_much_work', 'busy'],
    servedBy: VERSION,
  }),
]
