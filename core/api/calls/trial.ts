import * as z from 'zod/mini'
import { MOST_TRIAL_SUBJECTS } from '#core/study/trial.ts'
import { missingReason } from '#core/sync/entryChange.ts'
import { defineCall } from '#core/api/call.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { id, instant, json, queryInt } from '#core/wire/shapes.ts'

/**
 * Trial data: what testers fill in on a version in test (docs/adr/0031-trial-data.md). It lies apart from what is
 * entered for patients, and none of it is ever counted.
 */

const TRIAL = 'server/areas/trial'

const subject = z.int().check(z.minimum(1), z.maximum(MOST_TRIAL_SUBJECTS))
const repeat = z.union([z.literal('0'), id])

const place = { subject, folderId: id, folderRepeat: repeat, pageId: id, pageRepeat: repeat }
const data = { values: z.record(z.string(), json), missing: z.record(z.string(), missingReason) }

/** Where a trial page stands: a trial subject of its tester, and a page of a visit. */
const trialPlace = z.object(place)
export type TrialPlace = z.infer<typeof trialPlace>

/** How far a trial page is. */
const told = {
  /** How often it was saved: a save names the one that it builds on. */
  rev: z.int(),
  /** `other`: submitted in this round of testing, and not changed since. */
  status: z.enum(['process', SUBMITTED]),
  savedAt: instant,
}

const trialLine = z.object({ testerId: id, testerName: z.string(), ...place, ...told })
export type TrialLine = z.infer<typeof trialLine>

/** What the version still has fields for. */
const trialEntry = z.object({ ...place, ...told, ...data })
export type TrialEntry = z.infer<typeof trialEntry>

const saved = z.object(told)
export type TrialSaved = z.infer<typeof saved>

const trialInput = z.object({ ...place, ...data, rev: z.int().check(z.minimum(0)) })
export type TrialInput = z.infer<typeof trialInput>

const byVersion = z.object({ crfId: id })

export const trialCalls = [
  defineCall({
    id: 'trial.list',
    area: 'trial',
    method: 'GET',
    path: '/edc/data/crf/:id/trial/list',
    summary:
      'How far the trial of a version is: the own pages of a tester, and those of all for who designs the forms. `mayWrite`: the user is a tester and the version is in test.',
    params: z.object({ id }),
    data: z.object({ mayWrite: z.boolean(), lines: z.array(trialLine) }),
    errors: ['not_found', 'forbidden'],
    servedBy: TRIAL,
  }),
  defineCall({
    id: 'trial.read',
    area: 'trial',
    method: 'GET',
    path: '/edc/data/crf/:id/trial/read',
    summary: 'All pages of one trial subject, with what is in them.',
    params: z.object({ id }),
    query: z.object({ testerId: id, subject: queryInt(1, MOST_TRIAL_SUBJECTS) }),
    data: trialEntry,
    answer: 'tree',
    errors: ['not_found', 'forbidden'],
    servedBy: TRIAL,
  }),
  defineCall({
    id: 'trial.save',
    area: 'trial',
    method: 'POST',
    path: '/edc/data/crf/trial/save',
    summary: 'Saves a trial page of the own as it is now; refused where it was saved elsewhere since `rev`.',
    query: byVersion,
    body: trialInput,
    data: saved,
    permission: 'project_crf_test_check',
    errors: ['invalid', 'revision_changed', 'page_unreadable', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: TRIAL,
  }),
  defineCall({
    id: 'trial.submit',
    area: 'trial',
    method: 'POST',
    path: '/edc/data/crf/trial/submit',
    summary:
      "Saves a trial page and checks it as a submit would: submitted where nothing is wrong, else saved, with what the rules have against it by the field's address.",
    query: byVersion,
    body: trialInput,
    data: z.object({ ...told, error: z.record(z.string(), z.string()) }),
    permission: 'project_crf_test_check',
    errors: ['invalid', 'revision_changed', 'page_unreadable', 'transition_refused', 'not_found', 'forbidden'],
    servedBy: TRIAL,
  }),
  defineCall({
    id: 'trial.clear',
    area: 'trial',
    method: 'POST',
    path: '/edc/data/crf/trial/clear',
    summary: 'Puts a trial subject of the own away.',
    query: byVersion,
    body: z.object({ subject }),
    data: z.boolean(),
    permission: 'project_crf_test_check',
    errors: ['transition_refused', 'not_found', 'forbidden', 'invalid'],
    servedBy: TRIAL,
  }),
]
