import type { SaveResult } from '#core/api/calls/entry.ts'
import type { OperationAnswer } from '#server/http/idempotency.ts'
import type { Services } from '#server/services.ts'

import type { EntryChangeAct } from './act.ts'
import { Pace } from './pace.ts'
import { takeIn } from './takeIn.ts'
import { mayBePlain, takeBatch } from './batch.ts'
import type { PlainAct } from './batch.ts'

/**
 * Gathers saves of several people in one project that come at the same time. Writers of a project wait for each other
 * in any case, because the project's change number is taken by one after the other. Saves that would wait go together
 * instead. No save waits for others to come: where nothing is under way, it goes at once.
 */

type TakingServices = Pick<Services, 'pool' | 'log'>
type Answer = OperationAnswer<SaveResult>

interface Waiting {
  readonly act: PlainAct
  readonly resolve: (answer: Answer | Promise<Answer>) => void
}

/** Transactions of one project under way at the same time: one is worked out while the other is written. */
const PARALLEL = 2

class Gathering {
  private readonly services: TakingServices
  private readonly pace = new Pace()
  private waiting: Waiting[] = []
  private running = 0

  constructor(services: TakingServices) {
    this.services = services
  }

  get idle(): boolean {
    return this.running === 0
  }

  async add(act: PlainAct, ended: () => void): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.waiting.push({ act, resolve }))
    this.start(ended)
    return answer
  }

  private start(ended: () => void): void {
    while (this.running < PARALLEL && this.waiting.length > 0) {
      this.running += 1
      void this.run(this.nextGroup()).finally(() => {
        this.running -= 1
        this.start(ended)
        if (this.idle) ended()
      })
    }
  }

  /** Never fails: each waiting caller gets the outcome of their own act. */
  private async run(group: readonly Waiting[]): Promise<void> {
    const start = performance.now()
    const answers = await takeBatch(
      this.services,
      group.map(({ act }) => act),
    )
    this.pace.took(group.length, performance.now() - start)
    for (const { act, resolve } of group) resolve(answers.get(act.key) ?? takeIn(this.services, act))
  }

  /** The first acts in line, no two for the same entry or under the same key. */
  private nextGroup(): readonly Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    const met = new Set<string>()
    for (const one of this.waiting) {
      const { key, entityId } = one.act
      if (group.length >= this.pace.size || met.has(key) || met.has(entityId)) left.push(one)
      else group.push(one)
      met.add(key).add(entityId)
    }
    this.waiting = left
    return group
  }
}

const gatherings = new WeakMap<Services['pool'], Map<string, Gathering>>()

/**
 * Takes one act in, once, as `takeIn` does, together with other saves that come at the same time.
 *
 * @throws ApiFailure where the act is refused; nothing was written then
 */
export async function takeInBatched(services: TakingServices, act: EntryChangeAct): Promise<Answer> {
  if (!mayBePlain(act)) return takeIn(services, act)
  const { pool } = services
  const ofPool = gatherings.get(pool) ?? new Map<string, Gathering>()
  gatherings.set(pool, ofPool)
  const { projectId } = act
  const gathering = ofPool.get(projectId) ?? new Gathering(services)
  ofPool.set(projectId, gathering)
  return gathering.add(act, () => ofPool.delete(projectId))
}
