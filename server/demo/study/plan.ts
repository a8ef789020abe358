import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

/** When the visits of the demo study take place. */

/** A visit so many days after another, or after enrolment, with its window. */
export function planVisit(anchor: string | null, day: number, before: number, after: number): FolderSchedule {
  const counted =
    anchor === null ? ({ of: 'enrolment' } as const) : ({ of: 'visit', folderCode: anchor, date: 'actual' } as const)
  return { kind: 'planned', anchor: counted, day, before, after, repeating: false }
}

/**
 * Screening within five days of consent, baseline within a week. Follow-ups are counted from baseline, and the end
 * from the last follow-up.
 */
export const plan = {
  SCR: planVisit(null, 0, 0, 4),
  BL: planVisit(null, 5, 5, 2),
  V1: planVisit('BL', 14, 3, 3),
  V2: planVisit('BL', 28, 3, 3),
  V3: planVisit('BL', 56, 3, 3),
  EOS: planVisit('V3', 2, 2, 5),
  UNS: { kind: 'unscheduled' },
  LOG: { kind: 'log' },
} as const satisfies Readonly<Record<string, FolderSchedule>>
