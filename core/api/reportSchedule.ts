import * as z from 'zod/mini'
import { reportKinds } from '#core/report/kinds.ts'
import { MOST_MONTH_DAY } from '#core/report/rhythm.ts'
import { day, id } from '#core/wire/shapes.ts'

import { wayStates } from './noticeSettings.ts'
import { messageReasons } from './patientMessage.ts'

/** Reports that a person has sent to themselves by e-mail (docs/adr/0056-reports-by-mail.md). */

/** Most schedules of a person in a project. */
export const MOST_SCHEDULES = 20

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))

/** `core/report/rhythm.ts` says which days these are. */
export const rhythm = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day') }),
  z.object({ every: z.literal('week'), weekday: whole(1, 7) }),
  z.object({ every: z.literal('month'), day: whole(1, MOST_MONTH_DAY) }),
])

/**
 * Why nothing is sent any more, until its person saves it again.
 *
 * - `right`: they may not see reports. `member`: they are not in the project. `account`: their account is disabled.
 * - `project`: the project is removed, or being set up again. `center`: they do not see its center.
 */
export const pauseReasons = ['right', 'member', 'account', 'project', 'center'] as const
export type PauseReason = (typeof pauseReasons)[number]

/**
 * Why a report was not sent on its day. As of messages; `no_address`: the account had no address; `not_counted`: the
 * report could not be counted.
 */
export const unsentReasons = [...messageReasons, 'no_address', 'not_counted'] as const
export type UnsentReason = (typeof unsentReasons)[number]

const wanted = {
  id,
  kind: z.enum(reportKinds),
  /** Null for all centers that the person sees on the day of sending. */
  centerId: z.nullable(id),
  rhythm,
  language: z.enum(['zh', 'en']),
}

export const scheduleWanted = z.object({ ...wanted, projectId: id })

export const reportSchedule = z.object({
  ...wanted,
  centerName: z.nullable(z.string()),
  /** The day on which it is sent next; null while it is paused. */
  nextDay: z.nullable(day),
  paused: z.nullable(z.enum(pauseReasons)),
  /** What became of the last one; null before the first. */
  last: z.nullable(z.object({ day, why: z.nullable(z.enum(unsentReasons)) })),
})
export type ReportSchedule = z.infer<typeof reportSchedule>

export const reportSchedules = z.object({
  /** Whether e-mail reaches the person. */
  email: z.enum(wayStates),
  schedules: z.array(reportSchedule),
})
