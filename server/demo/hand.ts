import type { BodyOf, QueryOf } from '#core/api/call.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { OnlineContext } from '#server/operations/act.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'
import { deriveId } from '#server/demo/changes.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import type { Write } from '#server/http/runOnce.ts'
import type { Services } from '#server/services.ts'

/** The calls of the demo's people. Each has a key derived from the name of its step, so that it is made once. */

/** The server is stopping; the next start makes the rest. */
export class Interrupted extends Error {
  constructor() {
    super('the demo was interrupted')
  }
}

type SetUpCall =
  | 'project.save'
  | 'project.confUpdate'
  | 'project.changeStatus'
  | 'center.save'
  | 'member.save'
  | 'member.update'
  | 'projectDict.fastSubmit'
  | (`version.${string}` & CallId)

export class DemoHand {
  readonly services: Services
  readonly #people: ReadonlyMap<DemoAccount, Actor>
  readonly #stopped: AbortSignal | undefined

  constructor(services: Services, people: ReadonlyMap<DemoAccount, Actor>, stopped?: AbortSignal) {
    this.services = services
    this.#people = people
    this.#stopped = stopped
  }

  person(account: DemoAccount): Actor {
    const person = this.#people.get(account)
    if (person === undefined) throw new RangeError(`the demo has no ${account}`)
    return person
  }

  /** Only an administrator sets up a project. In the demo the project manager gets that right for it. */
  setUp(): Actor {
    return { ...this.person('pm'), isAdmin: true }
  }

  /**
   * The context of an administrative call.
   *
   * @throws Interrupted when the server is stopping
   */
  write<Id extends SetUpCall>(
    call: Id,
    step: string,
    query: QueryOf<CallOf<Id>>,
    body: BodyOf<CallOf<Id>>,
  ): Pick<Write<Id>, 'call' | 'services' | 'acted' | 'ip' | 'key' | 'protocol' | 'query' | 'body'> & {
    readonly actor: Actor
  } {
    const base = { services: this.services, acted: this.acted(), ip: '', protocol: null }
    return { ...base, call, actor: this.setUp(), key: this.keyOf(step), query, body }
  }

  /**
   * The context of what a person enters in a version.
   *
   * @throws Interrupted when the server is stopping
   */
  online(account: DemoAccount, step: string, crfId: string, pass: 1 | 2 = 1): OnlineContext {
    const base = { services: this.services, acted: this.acted(), ip: '', protocol: null, language: 'zh' } as const
    return { ...base, actor: this.person(account), key: this.keyOf(step), crfId, pass }
  }

  /** @throws Interrupted when the server is stopping */
  keyOf(step: string): string {
    if (this.#stopped?.aborted === true) throw new Interrupted()
    return deriveId(`step ${step}`)
  }

  acted(): Acted {
    return { at: this.services.now(), offsetMinutes: 480, driftMs: null, deviceId: null, appVersion: null }
  }
}
