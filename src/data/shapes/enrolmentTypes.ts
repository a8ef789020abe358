/** How many patients the user sees of a project. */
export interface Enrolled {
  readonly enrolled: number
  /** What the centers that the user sees plan together; null where one of them says nothing. */
  readonly planned: number | null
  /** How many centers that is about. */
  readonly centers: number
  /** Whether all of them are on this device: then the figure holds without the server. */
  readonly isHere: boolean
}

/** On which days they were enrolled. */
export interface Enrolment extends Enrolled {
  /** The days with an enrolment, the first one first. */
  readonly days: readonly EnrolmentDay[]
  /** Patients without a day of enrolment. */
  readonly undated: number
}

export interface EnrolmentDay {
  /** `yyyy-MM-dd`. */
  readonly day: string
  readonly count: number
}
