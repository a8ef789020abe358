import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { PatientPass } from '#server/areas/entry/judgement/crossing.ts'
import { judge, withCalculated } from '#server/areas/entry/judgement/judge.ts'
import type { Judgement } from '#server/areas/entry/judgement/judge.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { EntryIds, PageIds, VersionName } from '#server/areas/entry/versions/versionEngine.ts'

import { calculatedAnew, calculatedInTurn, withCrossing, withoutCalculations } from './turnCalculations.ts'

/** The rules of the new version over a patient's pages, in the turn of a migration and in its dry run. */

/** An entry under the version, whose rules are to run. */
export interface Turning {
  /** Whether the entry was already saved under the version. */
  readonly early: boolean
  readonly patientId: string
  /** As it was before the turn. */
  readonly before: EntryOfPatient
  readonly page: VersionName & PageIds
  readonly steps: readonly PageStep[]
  /** As it came to the version, before any rule ran. */
  readonly stored: EntryOfPatient
  readonly values: EntryData['values']
  readonly hidden: readonly string[]
  readonly progress: EntryOfPatient['progress']
}

/** The pages of the version, as the rules need them. */
export interface TurnPages {
  readonly compiled: (page: VersionName & PageIds) => Promise<CompiledPage>
  /** The saved data of the pages that a page's rules read; `unwritten` counts as saved. */
  readonly readOthers: (
    page: VersionName & PageIds,
    reader: PatientPass & EntryIds,
    unwritten: ReadonlyMap<string, EntryData>,
  ) => Promise<OtherPages>
}

/** The pages as the rules leave them. */
export interface Settled<One extends Turning> {
  readonly pages: readonly One[]
  /** What the rules say of the values that a page has in the end. Null where no rule touches it. */
  readonly judge: (one: One) => Promise<Judgement | null>
}

/** Most rounds in which the rules of a patient's pages may depend on each other. */
const MAX_ROUNDS = 20

/** A run of a page's rules, over what they found. */
interface Run {
  readonly judgement: Judgement
  readonly otherPages: OtherPages
  /** Whether the page has every value that the rules calculate today. */
  readonly isAll: boolean
}

/**
 * Runs the rules of the new version until no page changes any more, because each may read what another has
 * calculated.
 */
export async function settle<One extends Turning>(
  pages: TurnPages,
  brought: readonly One[],
  at: string,
): Promise<Settled<One>> {
  let now = brought
  const mixed = brought.some(({ early }) => early)
  const began = new Map<string, OtherPages>()
  const runs = new Map<string, Run>()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const unwritten = new Map(
      now
        .filter(({ before }) => !before.deleted)
        .map(({ before, stored, values }) => [before.id, { values, missing: stored.missing }]),
    )
    const next: One[] = []
    // A page that reads no other page needs no second round.
    for (const one of now)
      next.push(
        round > 0 && !(await readsOthers(pages, one))
          ? one
          : await runRules(pages, one, { unwritten, mixed, began, runs }, at),
      )
    const rests = next.every((one, nth) => one === now[nth])
    now = next
    if (rests) break
  }
  return { pages: now, judge: (one) => judgeSettled(pages, one, runs.get(one.before.id), at) }
}

async function readsOthers(pages: TurnPages, { page }: Turning): Promise<boolean> {
  return (await pages.compiled(page)).otherPages.length > 0
}

/** The rest of the patient's data. */
interface Others {
  /** Data that are about to be written. */
  readonly unwritten: ReadonlyMap<string, EntryData>
  /** Whether some pages were saved under the version before this turn. */
  readonly mixed: boolean
  /** The data of the other pages that each page found before any rule ran. */
  readonly began: Map<string, OtherPages>
  /** The last run of each page. */
  readonly runs: Map<string, Run>
}

/** The entry with the results of its page's rules; the same object where nothing changes. */
async function runRules<One extends Turning>(
  pages: TurnPages,
  one: One,
  { unwritten, mixed, began, runs }: Others,
  at: string,
): Promise<One> {
  const { before, page, patientId, stored, values, steps } = one
  if (before.control !== 'open' || before.deleted || before.status === 'init') return one
  const data = { values, missing: stored.missing }
  const compiled = await pages.compiled(page)
  const acted = actedAt(at)
  const otherPages = await pages.readOthers(page, { ...before, patientId }, unwritten)
  const judgement = judge(compiled, data, acted, otherPages)
  const anew = one.early ? NOTHING : calculatedAnew(compiled, steps)
  const first = began.get(before.id) ?? otherPages
  began.set(before.id, first)
  const calculated = calculatedInTurn(
    { compiled, data, acted, otherPages: { before: first, now: otherPages } },
    judgement,
    mixed ? withCrossing(compiled, anew) : anew,
  )
  runs.set(before.id, { judgement, otherPages, isAll: calculated.length === judgement.calculated.length })
  const { hidden, progress } = judgement
  if (
    calculated.length === 0 &&
    jsonEqual(hidden, one.hidden) &&
    jsonEqual({ ...progress }, one.progress === null ? null : { ...one.progress })
  )
    return one
  return { ...one, values: withCalculated(data, calculated).values, hidden, progress }
}

/** What the checks of a page say of its values, not of those that its rules would calculate today. */
async function judgeSettled(
  pages: TurnPages,
  { page, values, stored }: Turning,
  run: Run | undefined,
  at: string,
): Promise<Judgement | null> {
  if (run === undefined) return null
  if (run.isAll) return run.judgement
  const compiled = withoutCalculations(await pages.compiled(page))
  return judge(compiled, { values, missing: stored.missing }, actedAt(at), run.otherPages)
}

function actedAt(at: string) {
  return { at, offsetMinutes: null, driftMs: null, deviceId: null, appVersion: null }
}

/** Whether checks ask about a page: once somebody has said that it is complete. */
export function wasSubmitted({ submittedOnce, status }: EntryOfPatient): boolean {
  return submittedOnce || status === SUBMITTED
}

/** Whether any check of a page asks. */
export function asksQueries({ fields }: Pick<PageModel, 'fields'>): boolean {
  return fields.some(({ checks, children }) => checks.some(isQuery) || asksQueries({ fields: children }))
}

function isQuery({ severity }: CheckRule): boolean {
  return severity === 'query'
}

const NOTHING: ReadonlySet<string> = new Set()
