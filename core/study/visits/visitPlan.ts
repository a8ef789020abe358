import * as z from 'zod/mini'
import { prop } from '#core/wire/shapes.ts'

/** The plan of a folder: when its visit takes place, as the definition says. */

/** How many days a plan may reach from its anchor, about a hundred years: a longer one is a typing error. */
const FARTHEST = 36_500
const days = z.int().check(z.minimum(-FARTHEST), z.maximum(FARTHEST))

/**
 * The anchor from which the plan counts: the patient's enrolment, or another visit. For a visit it is the actual date
 * (the planned date until there is one), or always the planned date.
 */
const visitAnchor = z.discriminatedUnion('of', [
  z.object({ of: z.literal('enrolment') }),
  z.object({ of: z.literal('visit'), folderCode: prop, date: z.enum(['actual', 'planned']) }),
])

/**
 * - `planned`: once, on day `day` after its anchor, from `before` days earlier to `after` days later; with `repeating`
 *   a person may make it again.
 * - `unscheduled`: made when it is needed, any number of times; until then there is none.
 * - `log`: filled in at any time, without a date.
 *
 * A folder without a plan is always there and has no date.
 */
export const folderSchedule = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    anchor: visitAnchor,
    day: days,
    before: days,
    after: days,
    repeating: z.boolean(),
  }),
  z.object({ kind: z.literal('unscheduled') }),
  z.object({ kind: z.literal('log') }),
])
export type FolderSchedule = z.infer<typeof folderSchedule>
export type PlannedSchedule = Extract<FolderSchedule, { kind: 'planned' }>

/** The facts of a folder that matter for its plan. */
export interface PlannedFolder {
  readonly folderCode: string
  readonly schedule?: FolderSchedule | undefined
}

/**
 * What is wrong with the plans of a version. `path`: the codes of folders that wait for each other, with the first
 * again at the end.
 */
export type PlanProblem =
  | {
      readonly kind: 'unknown-anchor' | 'anchor-without-date' | 'no-window'
      readonly folderCode: string
      readonly says: string
    }
  | { readonly kind: 'circle'; readonly path: readonly string[] }

/** Whether a person may make a visit of the folder, besides the one that the schedule itself defines. */
export function mayBeMade({ schedule }: Pick<PlannedFolder, 'schedule'>): boolean {
  return schedule?.kind === 'unscheduled' || (schedule?.kind === 'planned' && schedule.repeating)
}

/**
 * All problems of the plans: unknown anchors, anchors that never have a date, windows that end before they begin,
 * circles.
 */
export function planProblems(folders: readonly PlannedFolder[]): readonly PlanProblem[] {
  const byCode = new Map(folders.map((folder) => [folder.folderCode, folder]))
  const problems: PlanProblem[] = folders.flatMap(({ folderCode, schedule }): PlanProblem[] => {
    if (schedule?.kind !== 'planned') return []
    const { anchor, before, after } = schedule
    const window: PlanProblem[] =
      before < 0 || after < 0 ? [{ kind: 'no-window', folderCode, says: `−${before} … +${after}` }] : []
    if (anchor.of === 'enrolment') return window
    const other = byCode.get(anchor.folderCode)
    if (other === undefined) return [...window, { kind: 'unknown-anchor', folderCode, says: anchor.folderCode }]
    return other.schedule?.kind === 'planned'
      ? window
      : [...window, { kind: 'anchor-without-date', folderCode, says: anchor.folderCode }]
  })
  return [...problems, ...circles(byCode)]
}

/** Each circle once, from its first folder in the order of the definition. */
function circles(byCode: ReadonlyMap<string, PlannedFolder>): readonly PlanProblem[] {
  const settled = new Set<string>()
  const found: PlanProblem[] = []
  for (const start of byCode.keys()) {
    const path: string[] = []
    for (let code: string | null = start; code !== null && !settled.has(code); code = anchorOf(byCode.get(code))) {
      const at = path.indexOf(code)
      if (at >= 0) {
        found.push({ kind: 'circle', path: [...path.slice(at), code] })
        break
      }
      path.push(code)
    }
    for (const code of path) settled.add(code)
  }
  return found
}

/** The folder from which a folder's plan counts; null where the plan counts from no folder. */
export function anchorOf(folder: PlannedFolder | undefined): string | null {
  const schedule = folder?.schedule
  return schedule?.kind === 'planned' && schedule.anchor.of === 'visit' ? schedule.anchor.folderCode : null
}
