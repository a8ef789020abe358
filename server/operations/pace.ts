/** A batch keeps other writers of its project waiting no longer than about this time. */
const AIM_MS = 100
const [FEWEST, FIRST, MOST] = [6, 12, 20]

/** How many saves are taken together: as many as this machine writes in the time for which others may have to wait. */
export class Pace {
  private current = FIRST

  get size(): number {
    return this.current
  }

  /** Notes how long a batch of this size took, with the time that it waited for other writers. */
  took(count: number, millis: number): void {
    if (count < this.current && millis < AIM_MS) return
    const next = Math.round((count * AIM_MS) / Math.max(1, millis))
    // It grows by steps, because one fast batch tells little about the next one.
    this.current = Math.max(FEWEST, Math.min(MOST, next, this.current * 2))
  }
}
