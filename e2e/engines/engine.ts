import { setTimeout as sleep } from 'node:timers/promises'
import { inPage } from './found.ts'
import type { Kind } from './found.ts'

/**
 * A browser of another make, driven by the little that all of them can do. The tests' own browser is Chromium; wards
 * have iPads as well, and a hospital's computers Firefox.
 */
export interface Engine {
  /** Opens an address and waits until its page is there. */
  open(address: string): Promise<void>
  /** Value of an expression in the page; a promise is waited for. */
  evaluate(expression: string): Promise<unknown>
  /** Presses what the expression gives, as a hand does: it has to be in sight. */
  press(expression: string): Promise<void>
  /** Gives keys to what the expression gives. */
  keys(expression: string, text: string): Promise<void>
  /** Ends the browser without a word and starts it again on the same disk; null where the driver keeps none. */
  readonly pullBattery: (() => Promise<void>) | null
  close(): Promise<void>
}

const LIMIT_MS = 60_000
const PAUSE_MS = 100

/** What a person does and sees in an engine, by the names on the screen. */
export class EngineHand {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async press(kind: Kind, name: string): Promise<void> {
    await this.sees(kind, name)
    await this.#engine.press(inPage(kind, name))
  }

  /** Replaces what a field holds. */
  async write(name: string, text: string): Promise<void> {
    await this.sees('field', name)
    await this.#engine.evaluate(`${inPage('field', name)}.select()`)
    await this.#engine.keys(inPage('field', name), text)
  }

  async valueOf(name: string): Promise<unknown> {
    await this.sees('field', name)
    return this.#engine.evaluate(`${inPage('field', name)}.value`)
  }

  /** Opens what the tablet keeps: every new page of it is locked. */
  async unlock(password: string): Promise<void> {
    await this.write('密码', password)
    await this.press('button', '解锁')
    await this.missesSoon('button', '解锁')
  }

  sees(kind: Kind, name: string): Promise<void> {
    return this.until(`a ${kind} “${name}”`, `${inPage(kind, name)} !== null`)
  }

  missesSoon(kind: Kind, name: string): Promise<void> {
    return this.until(`no ${kind} “${name}”`, `${inPage(kind, name)} === null`)
  }

  has(kind: Kind, name: string): Promise<boolean> {
    return this.#engine.evaluate(`${inPage(kind, name)} !== null`).then(Boolean)
  }

  /** Waits until an expression holds in the page. */
  async until(what: string, expression: string): Promise<void> {
    const end = Date.now() + LIMIT_MS
    for (;;) {
      if ((await this.#engine.evaluate(expression)) === true) return
      if (Date.now() > end)
        throw new Error(
          `Waited for ${what}; the page says:\n${String(await this.#engine.evaluate('document.body.innerText'))}`,
        )
      await sleep(PAUSE_MS)
    }
  }
}
