import * as z from 'zod/mini'
import { ACT_KINDS, TOUCHED_PARTS } from '#core/wire/designAct.ts'
import { IMPORT_MODES } from '#core/wire/importModes.ts'
import { RULE_ROLES } from '#core/wire/ruleRoles.ts'
import { changeSummary } from '#core/design/difference/changeSummary.ts'
import { crfProfiles } from '#core/study/versionLife.ts'
import { migrationMappings } from '#core/study/migration/migrationMappings.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import { versionRow } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, id, instant, paging, prop, text } from '#core/wire/shapes.ts'

/** CRF versions (specification §7). Folder and page ids are the same in all versions of a project. */

const VERSION = 'server/areas/version'

export const versionSummary = z.object({
  id,
  versionNo: z.int(),
  versionNoDesc: z.string(),
  crfProfile: z.enum(crfProfiles),
  crfProfileDesc: z.string(),
  remark: z.nullable(z.string()),
  createdAt: instant,
})
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
  /** What they tried out in this round of testing: of so many places of pages, how many they filled in, how many they submitted, and when last. */
  trial: z.object({ pages: z.int(), tried: z.int(), submitted: z.int(), lastAt: z.nullable(instant) }),
})

/** One page of a definition as an import or a designer sends it. */
const pageInput = z.object({ pageName: filledText(200), pageNameEn: z.optional(filledText(200)), pageCode: prop, repeatable: z.boolean(), option: text(4_000_000) })
export const definitionInput = z.object({
  folders: z
    .array(z.object({ folderName: filledText(200), folderNameEn: z.optional(filledText(200)), folderCode: prop, pages: z.array(pageInput).check(z.maxLength(500)), schedule: z.optional(folderSchedule) }))
    .check(z.maxLength(500)),
})
export type DefinitionInput = z.infer<typeof definitionInput>

/** What was done to a draft, by whom and when; `id` names the draft as it was before. Of the names of a part the first are told. */
const designAct = z.object({
  id,
  kind: z.enum(ACT_KINDS),
  /** The revision before and after. */
  fromRev: z.int(),
  toRev: z.int(),
  byId: id,
  byName: z.string(),
  begunAt: instant,
  at: instant,
  /** Of an import: the file, and how it was put in. */
  source: z.nullable(z.string()),
  mode: z.nullable(z.enum(IMPORT_MODES)),
  parts: z.array(z.object({ part: z.enum(TOUCHED_PARTS), count: z.int(), names: z.array(z.string()) })),
})
export type DesignAct = z.infer<typeof designAct>

/** How far a draft's design has come, who was last at it, and what was done to it last, the latest first. */
export const designState = z.object({ rev: z.int(), byId: z.nullable(id), byName: z.nullable(z.string()), at: z.nullable(instant), acts: z.array(designAct) })
export type DesignState = z.infer<typeof designState>

/**
 * What a designer has changed since `rev`: all visits with the pages in them, and of the pages those that are new or were edited. Ids are made on the
 * device; a page or visit that there was before keeps its own.
 */
export const designInput = z.object({
  rev: z.int().check(z.minimum(0)),
  folders: z
    .array(z.object({ id, folderName: filledText(200), folderNameEn: z.optional(filledText(200)), folderCode: prop, pageIds: z.array(id).check(z.maxLength(500)), schedule: z.optional(folderSchedule) }))
    .check(z.maxLength(500)),
  pages: z.array(z.object({ id, pageName: filledText(200), pageNameEn: z.optional(filledText(200)), pageCode: prop, repeatable: z.boolean(), option: text(4_000_000) })).check(z.maxLength(2000)),
})
export type DesignInput = z.infer<typeof designInput>

/** What becomes of a field of a page, or a column of a table, with a release: named as it was; `to` is what it is now. */
const planLine = z.object({
  pageId: id,
  pageName: z.string(),
  pageNameEn: englishName,
  table: z.nullable(z.string()),
  code: z.string(),
  label: z.string(),
  labelEn: englishName,
  kind: z.enum(['mapped', 'converted', 'retired', 'new']),
  to: z.nullable(z.object({ code: z.string(), label: z.string() })),
  choices: z.array(z.object({ value: z.string(), label: z.string(), to: z.nullable(z.string()), toLabel: z.nullable(z.string()), by: z.enum(['value', 'label', 'person', 'none']) })),
  /** What may be chosen now, where there is a list. */
  offered: z.array(z.object({ value: z.string(), label: z.string() })),
})
export type PlanLine = z.infer<typeof planLine>

const migrationPlan = z.object({
  /** The release before; null for the first, after which nothing is migrated. */
  from: z.nullable(versionSummary),
  /** How many patients there are to bring along. */
  patients: z.int(),
  lines: z.array(planLine),
  /** Pages that are there no more, with the visit in which they were: what was entered there stays, to be read. */
  archived: z.array(z.object({ folderId: id, folderName: z.string(), folderNameEn: englishName, pageId: id, pageName: z.string(), pageNameEn: englishName })),
  /** Paths of mappings that lead from or to nowhere. */
  problems: z.array(z.string()),
  /** What is called otherwise now by the names that designers gave anew. */
  proposed: migrationMappings,
})
export type MigrationPlan = z.infer<typeof migrationPlan>

/** What a release makes of what was entered of one patient. */
const migrationReport = z.object({
  patientId: id,
  /** The subject number, or the mark as long as there is none. */
  patient: z.string(),
  counts: z.object({ mapped: z.int(), converted: z.int(), retired: z.int(), unconverted: z.int(), archived: z.int() }),
  /** All but what stands as it was. Values are masked as for any reader. */
  items: z.array(
    z.object({
      kind: z.enum(['converted', 'retired', 'unconverted', 'archived']),
      folderName: z.string(),
      folderNameEn: englishName,
      pageName: z.string(),
      pageNameEn: englishName,
      label: z.string(),
      labelEn: englishName,
      tableLabel: z.nullable(z.string()),
      tableLabelEn: englishName,
      value: z.string(),
      to: z.nullable(z.string()),
    }),
  ),
})
export type MigrationReport = z.infer<typeof migrationReport>

/** A rule as it stands in the editor, tried on what was entered on its page; `after` goes on where an answer ended. */
const ruleTrial = z.object({
  pageId: id,
  /** The table whose field it is of; null for one of the page. */
  table: z.nullable(prop),
  kind: z.enum(RULE_ROLES),
  source: filledText(64_000),
  after: z.nullable(id),
})

/** What a rule came to on some entries. */
const ruleTrialCounts = z.object({
  /** The version in use, whose entries they are; null while there is none. */
  version: z.nullable(versionSummary),
  /** How many entries there are to go through, or at least; null but in the first answer. */
  total: z.nullable(z.int()),
  totalIsLeast: z.boolean(),
  entries: z.int(),
  fires: z.int(),
  silent: z.int(),
  unknown: z.int(),
  faults: z.int(),
  /** Some of the entries on which it fires. */
  examples: z.array(z.object({ patientId: id, patient: z.string(), entryId: z.string(), folderName: z.string(), folderNameEn: englishName, pageName: z.string(), pageNameEn: englishName })),
  /** Where the next answer goes on; null at the end. */
  next: z.nullable(id),
})
export type RuleTrialCounts = z.infer<typeof ruleTrialCounts>

/** A rule that failed on saved entries although every input was there: where, how often and when. No values. */
const ruleFaultLine = z.object({
  version: z.string(),
  pageId: id,
  pageName: z.string(),
  pageNameEn: englishName,
  field: z.string(),
  role: z.enum(RULE_ROLES),
  /** How it failed last: it could not be evaluated, or it asked for too much work. */
  kind: z.enum(['failed', 'work']),
  count: z.int(),
  firstAt: instant,
  lastAt: instant,
  /** The entry on which it failed last; null where that is not the reader's to see. */
  last: z.nullable(z.object({ entryId: id, patientId: id, patient: z.string() })),
})
export type RuleFaultLine = z.infer<typeof ruleFaultLine>

const planned = z.object({ mappings: z.optional(migrationMappings) })

const crfQuery = z.object({ crfId: id })

export const versionCalls = [
  defineCall({ id: 'version.save', area: 'version', method: 'POST', path: '/edc/data/crf/save', summary: 'Makes a draft from the release (or the first draft), with a requirement note.', body: z.object({ projectId: id, remark: filledText(2000) }), data: versionSummary, permission: 'project_crf_new', errors: ['invalid', 'already_exists', 'forbidden', 'not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.remove', area: 'version', method: 'POST', path: '/edc/data/crf/remove', summary: 'Deletes a draft.', query: crfQuery, data: z.boolean(), permission: 'project_crf_draft_del', errors: ['transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.releaseTest', area: 'version', method: 'POST', path: '/edc/data/crf/release/test', summary: 'Publishes a draft to test; code -1 and a list of target, output, content when it is not sound.', query: crfQuery, data: versionSummary, permission: 'project_crf_draft_publish', errors: ['version_not_sound', 'transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.release', area: 'version', method: 'POST', path: '/edc/data/crf/release', summary: 'Releases a test version once all approvals are signed, and brings what was entered before to it: `taskId` names the task, null where there is nothing to bring. `mappings`: what a person said of fields and choices that are called otherwise now.', query: crfQuery, body: planned, data: z.extend(versionSummary, { taskId: z.nullable(id) }), permission: 'project_crf_test_publish', errors: ['approvals_missing', 'transition_refused', 'not_found', 'forbidden', 'invalid'], servedBy: VERSION }),
  defineCall({ id: 'version.migrationPlan', area: 'version', method: 'POST', path: '/edc/data/crf/migration/plan', summary: 'What a release would make of each field and choice. Changes nothing.', query: crfQuery, body: planned, data: migrationPlan, permission: 'project_crf_test_publish', write: false, errors: ['transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.migrationCheck', area: 'version', method: 'POST', path: '/edc/data/crf/migration/check', summary: 'A dry run of a release on what was entered, patient by patient. Changes nothing.', query: z.object({ crfId: id, ...paging }), body: planned, data: migrationReport, answer: 'page', permission: 'project_crf_test_publish', write: false, errors: ['transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.migrationTask', area: 'version', method: 'GET', path: '/edc/data/crf/migration/task', summary: 'The migration of a project that runs; else the last one, where it left patients behind; else null. `task/:id/result` tells of it.', query: z.object({ projectId: id }), data: z.nullable(z.object({ taskId: id, crfId: id, status: z.int(), left: z.int() })), permission: 'project_crf_test_publish', errors: ['not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.migrationAgain', area: 'version', method: 'POST', path: '/edc/data/crf/migration/again', summary: 'Begins anew to bring the patients to the newest release whom its migration left behind; `taskId` names the new task.', query: crfQuery, data: z.object({ taskId: id }), permission: 'project_crf_test_publish', errors: ['transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.back', area: 'version', method: 'POST', path: '/edc/data/crf/back', summary: 'Sends a test version back to draft.', query: crfQuery, data: versionSummary, permission: 'project_crf_test_revent', errors: ['transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.import', area: 'version', method: 'POST', path: '/edc/data/crf/import', summary: 'Puts a definition that was read on the device (REDCap …) into a draft: beside what is there, by codes, or (without `mode`) in its place. `source` is kept as evidence. `stateId` names the draft as it was before; `rev` the revision that it was meant for.', query: crfQuery, body: z.object({ definition: definitionInput, sourceName: text(300), source: text(8_000_000), mode: z.optional(z.enum(IMPORT_MODES)), rev: z.optional(z.int()) }), data: z.object({ pages: z.int(), fields: z.int(), stateId: id, rev: z.int() }), permission: 'design_edit', errors: ['invalid', 'too_large', 'draft_changed', 'version_not_editable', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.design', area: 'version', method: 'GET', path: '/edc/data/crf/:id/design', summary: 'A version with all it defines, for those who design it, and how far the design has come.', params: z.object({ id }), data: z.object({ state: designState, version: versionRow }), errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.designState', area: 'version', method: 'GET', path: '/edc/data/crf/:id/design/state', summary: 'Whether somebody else has saved the design since.', params: z.object({ id }), data: designState, errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.designSave', area: 'version', method: 'POST', path: '/edc/data/crf/design', summary: 'Saves what was designed in a draft; refused where somebody else has saved since. Answers the options that were saved otherwise: with the lists that they name.', query: crfQuery, body: designInput, data: z.object({ state: designState, pages: z.array(z.object({ id, option: z.string() })) }), permission: 'design_edit', errors: ['invalid', 'too_large', 'draft_changed', 'version_not_editable', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.designHistory', area: 'version', method: 'GET', path: '/edc/data/crf/:id/design/history', summary: 'What was done to a draft, the latest first; each can be gone back before.', params: z.object({ id }), query: z.object(paging), data: designAct, answer: 'page', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.designRestore', area: 'version', method: 'POST', path: '/edc/data/crf/design/restore', summary: 'Makes a draft what it was before something was done to it; refused where somebody else has saved since `rev`.', query: crfQuery, body: z.object({ stateId: id, rev: z.int() }), data: designState, permission: 'design_edit', errors: ['draft_changed', 'version_not_editable', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.designEntered', area: 'version', method: 'GET', path: '/edc/data/crf/:id/design/entered', summary: 'How many of the patients whom one may see have something entered on each page of each visit.', params: z.object({ id }), data: z.object({ folderId: id, pageId: id, patients: z.int() }), answer: 'tree', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.ruleTry', area: 'version', method: 'POST', path: '/edc/data/crf/rule/try', summary: 'Tries a rule on the entries of its page in the version in use, some at a time; `invalid` names why it is no rule there. Changes nothing.', query: crfQuery, body: ruleTrial, data: ruleTrialCounts, permission: 'rule_edit', write: false, errors: ['invalid', 'forbidden', 'not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.ruleFaults', area: 'version', method: 'GET', path: '/edc/data/crf/rule/faults', summary: 'Rules of the project that failed on saved entries, the latest 200.', query: crfQuery, data: ruleFaultLine, answer: 'tree', permission: 'rule_edit', errors: ['forbidden', 'not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.approveList', area: 'version', method: 'GET', path: '/edc/data/crf/approve/list', summary: 'Testers and their judgements.', query: crfQuery, data: approval, answer: 'tree', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.approveCheck', area: 'version', method: 'POST', path: '/edc/data/crf/approve/check', summary: "Records a tester's judgement.", query: crfQuery, body: z.object({ result: z.union([z.literal(1), z.literal(2)]), content: filledText(4000), suggest: filledText(4000) }), data: z.boolean(), permission: 'project_crf_test_check', errors: ['transition_refused', 'not_found', 'forbidden', 'invalid'], servedBy: VERSION }),
  defineCall({ id: 'version.approveSign', area: 'version', method: 'POST', path: '/edc/data/crf/approve/sign', summary: 'Signs the own judgement with the login password, which travels in the body only and is verified anew.', query: crfQuery, body: z.object({ password: filledText(400) }), data: z.boolean(), permission: 'project_crf_test_check', errors: ['invalid_credentials', 'account_locked', 'transition_refused', 'not_found', 'forbidden'], servedBy: VERSION }),
  defineCall({ id: 'version.history', area: 'version', method: 'GET', path: '/edc/data/crf/history/list', summary: 'All versions ever, with their change summaries.', query: z.object({ projectId: id, ...paging }), data: versionRecord, answer: 'page', offline: 'cache', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.tree', area: 'version', method: 'GET', path: '/edc/data/crf/:id/tree/list', summary: 'Folders, pages and fields of a version.', params: z.object({ id }), data: treeFolder, answer: 'tree', offline: 'cache', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.list', area: 'version', method: 'GET', path: '/edc/data/crf/list', summary: 'Versions of a project, newest first.', query: z.object({ projectId: id, ...paging }), data: versionSummary, answer: 'page', offline: 'cache', errors: ['not_found'], servedBy: VERSION }),
  defineCall({ id: 'version.detail', area: 'version', method: 'GET', path: '/edc/data/crf/:id/detail', summary: 'A version with all it defines, as a pull brings it.', params: z.object({ id }), data: versionRow, offline: 'cache', errors: ['not_found'], servedBy: VERSION }),
]
