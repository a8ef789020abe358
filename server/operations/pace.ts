/** A transaction of several saves keeps other writers of its project waiting no longer than about this. */
const AIM_MS = 100
const [FEWEST, FIRST, MOST] = [6, 12, 20]

/** How many saves are taken together: as many as this machine writes in the time that others may be made to wait. */
export class Pace {
  private current = FIRST

  get size(): number {
    return this.current
  }

  /** Notes how long so many took, others that were waited for included. */
  took(count: number, millis: number): void {
    if (count < this.current && millis < AIM_MS) return
    const next = Math.round((count * AIM_MS) / Math.max(1, millis))
    // Up by steps: one that went fast says little of the next.
    this.current = Math.max(FEWEST, Math.min(MOST, next, this.current * 2))
  }
}
