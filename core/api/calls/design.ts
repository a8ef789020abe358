import * as z from 'zod/mini'
import { ACT_KINDS, TOUCHED_PARTS } from '#core/wire/designStep.ts'
import { IMPORT_MODES } from '#core/wire/importModes.ts'
import { RULE_ROLES } from '#core/wire/ruleRoles.ts'
import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import { versionRow, versionSummary } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { filledText, id, instant, paging, prop, text } from '#core/wire/shapes.ts'

/** The design of a draft: its pages, what was done to it, its rules tried on what was entered (specification §7). */

const VERSION = 'server/areas/version'

/** One page of a definition as an import or a designer sends it. */
const pageInput = z.object({
  pageName: filledText(200),
  pageNameEn: z.optional(filledText(200)),
  pageCode: prop,
  repeatable: z.boolean(),
  option: text(4_000_000),
})
export const definitionInput = z.object({
  folders: z
    .array(
      z.object({
        folderName: filledText(200),
        folderNameEn: z.optional(filledText(200)),
        folderCode: prop,
        pages: z.array(pageInput).check(z.maxLength(500)),
        schedule: z.optional(folderSchedule),
      }),
    )
    .check(z.maxLength(500)),
})
export type DefinitionInput = z.infer<typeof definitionInput>

/**
 * What was done to a draft, by whom and when; `id` names the draft as it was before. Of the names of a part the first
 * are told.
 */
const designStep = z.object({
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
export type DesignStep = z.infer<typeof designStep>

/** How far a draft's design has come, who was last at it, and what was done to it last, the latest first. */
export const designState = z.object({
  rev: z.int(),
  byId: z.nullable(id),
  byName: z.nullable(z.string()),
  at: z.nullable(instant),
  acts: z.array(designStep),
})
export type DesignState = z.infer<typeof designState>

/**
 * What a designer has changed since `rev`: all visits with the pages in them, and of the pages those that are new or
 * were edited. Ids are made on the device; a page or visit that there was before keeps its own.
 */
export const designInput = z.object({
  rev: z.int().check(z.minimum(0)),
  folders: z
    .array(
      z.object({
        id,
        folderName: filledText(200),
        folderNameEn: z.optional(filledText(200)),
        folderCode: prop,
        pageIds: z.array(id).check(z.maxLength(500)),
        schedule: z.optional(folderSchedule),
      }),
    )
    .check(z.maxLength(500)),
  pages: z
    .array(
      z.object({
        id,
        pageName: filledText(200),
        pageNameEn: z.optional(filledText(200)),
        pageCode: prop,
        repeatable: z.boolean(),
        option: text(4_000_000),
      }),
    )
    .check(z.maxLength(2000)),
})
export type DesignInput = z.infer<typeof designInput>

/** A rule as it stands in the editor, tried on what was entered on its page; `after` goes on where an answer ended. */
const ruleRun = z.object({
  pageId: id,
  /** The table whose field it is of; null for one of the page. */
  table: z.nullable(prop),
  kind: z.enum(RULE_ROLES),
  source: filledText(64_000),
  after: z.nullable(id),
})

/** What a rule came to on some entries. */
const ruleRunCounts = z.object({
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
  examples: z.array(
    z.object({
      patientId: id,
      patient: z.string(),
      entryId: z.string(),
      folderName: z.string(),
      folderNameEn: englishName,
      pageName: z.string(),
      pageNameEn: englishName,
    }),
  ),
  /** Where the next answer goes on; null at the end. */
  next: z.nullable(id),
})
export type RuleRunCounts = z.infer<typeof ruleRunCounts>

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

const crfQuery = z.object({ crfId: id })

export const designCalls = [
  defineCall({
    id: 'version.import',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/import',
    summary:
      'Puts a definition that was read on the device (REDCap …) into a draft: beside what is there, by codes, or (without `mode`) in its place. `source` is kept as evidence. `stateId` names the draft as it was before; `rev` the revision that it was meant for.',
    query: crfQuery,
    body: z.object({
      definition: definitionInput,
      sourceName: text(300),
      source: text(8_000_000),
      mode: z.optional(z.enum(IMPORT_MODES)),
      rev: z.optional(z.int()),
    }),
    data: z.object({ pages: z.int(), fields: z.int(), stateId: id, rev: z.int() }),
    permission: 'design_edit',
    errors: ['invalid', 'too_large', 'draft_changed', 'version_not_editable', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.design',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/design',
    summary: 'A version with all it defines, for those who design it, and how far the design has come.',
    params: z.object({ id }),
    data: z.object({ state: designState, version: versionRow }),
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.designState',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/design/state',
    summary: 'Whether somebody else has saved the design since.',
    params: z.object({ id }),
    data: designState,
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.designSave',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/design',
    summary:
      'Saves what was designed in a draft; refused where somebody else has saved since. Answers the options that were saved otherwise: with the lists that they name.',
    query: crfQuery,
    body: designInput,
    data: z.object({ state: designState, pages: z.array(z.object({ id, option: z.string() })) }),
    permission: 'design_edit',
    errors: ['invalid', 'too_large', 'draft_changed', 'version_not_editable', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.designHistory',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/design/history',
    summary: 'What was done to a draft, the latest first; each can be gone back before.',
    params: z.object({ id }),
    query: z.object(paging),
    data: designStep,
    answer: 'page',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.designRestore',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/design/restore',
    summary:
      'Makes a draft what it was before something was done to it; refused where somebody else has saved since `rev`.',
    query: crfQuery,
    body: z.object({ stateId: id, rev: z.int() }),
    data: designState,
    permission: 'design_edit',
    errors: ['draft_changed', 'version_not_editable', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.designEntered',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/:id/design/entered',
    summary: 'How many of the patients whom one may see have something entered on each page of each visit.',
    params: z.object({ id }),
    data: z.object({ folderId: id, pageId: id, patients: z.int() }),
    answer: 'tree',
    errors: ['not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.ruleTry',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/rule/try',
    summary:
      'Tries a rule on the entries of its page in the version in use, some at a time; `invalid` names why it is no rule there. Changes nothing.',
    query: crfQuery,
    body: ruleRun,
    data: ruleRunCounts,
    permission: 'rule_edit',
    write: false,
    errors: ['invalid', 'forbidden', 'not_found'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.ruleFaults',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/rule/faults',
    summary: 'Rules of the project that failed on saved entries, the latest 200.',
    query: crfQuery,
    data: ruleFaultLine,
    answer: 'tree',
    permission: 'rule_edit',
    errors: ['forbidden', 'not_found'],
    servedBy: VERSION,
  }),
]
