import * as z from 'zod/mini'
import { migrationMappings } from '#core/study/migration/migrationMappings.ts'
import { versionSummary } from '#core/api/sync/rows.ts'
import { defineCall } from '#core/api/call.ts'
import { englishName } from '#core/api/englishName.ts'
import { id, paging } from '#core/wire/shapes.ts'

import { planned } from './version.ts'

/** What a release makes of what was entered before: planned, tried, done, told (specification §7). */

const VERSION = 'server/areas/version'

/**
 * What becomes of a field of a page, or a column of a table, with a release: named as it was; `to` is what it is now.
 */
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
  choices: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      to: z.nullable(z.string()),
      toLabel: z.nullable(z.string()),
      by: z.enum(['value', 'label', 'person', 'none']),
    }),
  ),
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
  archived: z.array(
    z.object({
      folderId: id,
      folderName: z.string(),
      folderNameEn: englishName,
      pageId: id,
      pageName: z.string(),
      pageNameEn: englishName,
    }),
  ),
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
  counts: z.object({
    mapped: z.int(),
    converted: z.int(),
    retired: z.int(),
    unconverted: z.int(),
    archived: z.int(),
    /** Queries that checks of the version raise, and those that end. An older server does not say. */
    asks: z.exactOptional(z.int()),
    ends: z.exactOptional(z.int()),
  }),
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

const crfQuery = z.object({ crfId: id })

export const migrationCalls = [
  defineCall({
    id: 'version.migrationPlan',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/migration/plan',
    summary: 'What a release would make of each field and choice. Changes nothing.',
    query: crfQuery,
    body: planned,
    data: migrationPlan,
    permission: 'project_crf_test_publish',
    write: false,
    errors: ['transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.migrationCheck',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/migration/check',
    summary: 'A dry run of a release on what was entered, patient by patient. Changes nothing.',
    query: z.object({ crfId: id, ...paging }),
    body: planned,
    data: migrationReport,
    answer: 'page',
    permission: 'project_crf_test_publish',
    write: false,
    errors: ['transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.migrationTask',
    area: 'version',
    method: 'GET',
    path: '/edc/data/crf/migration/task',
    summary:
      'The migration of a project that runs; else the last one, where it left patients behind; else null. `task/:id/result` tells of it.',
    query: z.object({ projectId: id }),
    data: z.nullable(z.object({ taskId: id, crfId: id, status: z.int(), left: z.int() })),
    permission: 'project_crf_test_publish',
    errors: ['not_found', 'forbidden'],
    servedBy: VERSION,
  }),
  defineCall({
    id: 'version.migrationAgain',
    area: 'version',
    method: 'POST',
    path: '/edc/data/crf/migration/again',
    summary:
      'Begins anew to bring the patients to the newest release whom its migration left behind; `taskId` names the new task.',
    query: crfQuery,
    data: z.object({ taskId: id }),
    permission: 'project_crf_test_publish',
    errors: ['transition_refused', 'not_found', 'forbidden'],
    servedBy: VERSION,
  }),
]
