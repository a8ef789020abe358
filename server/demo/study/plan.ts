import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'

/** When the visits of the demo study take place. */

function planned(anchor: string | null, day: number, before: number, after: number): FolderSchedule {
  const counted =
    anchor === null ? ({ of: 'enrolment' } as const) : ({ of: 'visit', folderCode: anchor, date: 'actual' } as const)
  return { kind: 'planned', anchor: counted, day, before, after, repeating: false }
}

/**
 * Screening within five days of consent, baseline within a week, follow-ups counted from baseline, the end from the
 * last of them.
 */
export const plan = {
  SCR: planned(null, 0, 0, 4),
  BL: planned(null, 5, 5, 2),
  V1: planned('BL', 14, 3, 3),
  V2: planned('BL', 28, 3, 3),
  V3: planned('BL', 56, 3, 3),
  EOS: planned('V3', 2, 2, 5),
  UNS: { kind: 'unscheduled' },
  LOG: { kind: 'log' },
} as const satisfies Readonly<Record<string, FolderSchedule>>
