import * as z from 'zod/mini'
import { MOST_UAT_SUBJECTS } from '#core/study/uat.ts'
import { missingReason } from '#core/sync/entryChange.ts'
import { defineCall } from '#core/api/call.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { id, instant, json, queryInt } from '#core/wire/shapes.ts'

/**
 * UAT data: what testers fill in on a version in test (docs/adr/0031-uat-data.md). It lies apart from what is
 * entered for patients, and none of it is ever counted.
 */

const UAT = 'server/areas/uat'

const subject = z.int().check(z.minimum(1), z.maximum(MOST_UAT_SUBJECTS))
const repeat = z.union([z.literal('0'), id])

const place = { subject, folderId: id, folderRepeat: repeat, pageId: id, pageRepeat: repeat }
const data = { values: z.record(z.string(), json), missing: z.record(z.string(), missingReason) }

/** Where a UAT page stands: a test subject of its tester, and a page of a visit. */
const uatPlace = z.object(place)
export type UatPlace = z.infer<typeof uatPlace>

/** How far a UAT page is. */
const told = {
  /** How often it was saved: a save names the one that it builds on. */
  rev: z.int(),
  /** `other`: submitted in this round of testing, and not changed since. */
  status: z.enum(['process', SUBMITTED]),
  savedAt: instant,
}

const uatLine = z.object({ testerId: id, testerName: z.string(), ...place, ...told })
export type UatLine = z.infer<typeof uatLine>

/** What the version still has fields for. */
const uatEntry = z.object({ ...place, ...told, ...data })
export type UatEntry = z.infer<typeof uatEntry>

const saved = z.object(told)
export type UatSaved = z.infer<typeof saved>

const uatInput = z.object({ ...place, ...data, rev: z.int().check(z.minimum(0)) })
export type UatInput = z.infer<typeof uatInput>

const byVersion = z.object({ crfId: id })

export const uatCalls = [
  defineCall({
    id: 'trial.list',
    area: 'uat',
    method: 'GET',
    path: '/edc/data/crf/:id/trial/list',
    summary:
      'How far user testing of a version is: the own pages of a tester, and those of all for who designs the forms. `mayWrite`: the user is a tester and the version is in test.',
    params: z.object({ id }),
    data: z.object({ mayWrite: z.boolean(), lines: z.array(uatLine) }),
    errors: ['not_found', 'forbidden'],
    servedBy: UAT,
  }),
  defineCall({
    id: 'trial.read',
    area: 'uat',
    method: 'GET',
    path: '/edc/data/crf/:id/trial/read',
    summary: 'All pages of one test subject, with what is in them.',
    params: z.object({ id }),
    query: z.object({ testerId: id, subject: queryInt(1, MOST_UAT_SUBJECTS) }),
    data: uatEntry,
    answer: 'tree',
    errors: ['not_found', 'forbidden'],
    servedBy: UAT,
  }),
  defineCall({
    id: 'trial.save',
    area: 'uat',
    method: 'POST',
    path: '/edc/data/crf/trial/save',
    summary: 'Saves a UAT page of the own as it is now; refused where it was saved elsewhere since `rev`.',
    query: byVersion,
    body: uatInput,
    data: saved,
    permission: 'project_crf_test_check',
    errors: ['invalid', 'revision_changed', 'page_unreadable', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: UAT,
  }),
  defineCall({
    id: 'trial.submit',
    area: 'uat',
    method: 'POST',
    path: '/edc/data/crf/trial/submit',
    summary:
      "Saves a UAT page and checks it as a submit would: submitted where nothing is wrong, else saved, with what the rules have against it by the field's address.",
    query: byVersion,
    body: uatInput,
    data: z.object({ ...told, error: z.record(z.string(), z.string()) }),
    permission: 'project_crf_test_check',
    errors: ['invalid', 'revision_changed', 'page_unreadable', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: UAT,
  }),
  defineCall({
    id: 'trial.clear',
    area: 'uat',
    method: 'POST',
    path: '/edc/data/crf/trial/clear',
    summary: 'Puts a test subject of the own away.',
    query: byVersion,
    body: z.object({ subject }),
    data: z.boolean(),
    permission: 'project_crf_test_check',
    errors: ['transition_refused', 'not_found', 'forbidden', 'invalid'],
    servedBy: UAT,
  }),
]
