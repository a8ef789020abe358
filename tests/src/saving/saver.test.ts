import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Saver } from '#src/saving/saver.ts'
import type { WriteOutcome } from '#src/saving/saver.ts'

/** What is edited, on its way to where it is saved: on a page, in the designer, in user testing. */

const PAUSES = { save: 500, retry: { first: 1000, longest: 30_000 } }
const DONE: WriteOutcome = { is: 'done' }
const AWAY: WriteOutcome = { is: 'failed', error: { code: 'offline' } }
const REFUSED: WriteOutcome = { is: 'refused', error: { code: 'transition_refused' } }

/** A clock that goes when the test says so. */
class Hand {
  #now = 0
  #alarms: { readonly at: number; readonly act: () => void }[] = []

  readonly wait = (millis: number, act: () => void): (() => void) => {
    const alarm = { at: this.#now + millis, act }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((one) => one !== alarm)
    }
  }

  async rest(millis: number): Promise<void> {
    const end = this.#now + millis
    for (;;) {
      await settle()
      const [next] = this.#alarms.toSorted((a, b) => a.at - b.at)
      if (next === undefined || next.at > end) break
      this.#now = next.at
      this.#alarms = this.#alarms.filter((one) => one !== next)
      next.act()
    }
    this.#now = end
  }

  /** How long until the next thing that is planned; null where nothing is. */
  get planned(): number | null {
    return this.#alarms.length === 0 ? null : Math.min(...this.#alarms.map(({ at }) => at)) - this.#now
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** A text that is edited, with a server and a device that do what the test says. */
class Desk {
  readonly hand = new Hand()
  text = ''
  /** What the server has, in the order in which it came. */
  readonly saved: string[] = ['']
  /** What the device has a copy of; null for none. */
  kept: string | null = null
  /** What happened, in order. */
  readonly told: string[] = []
  readonly states: string[] = []
  answer: WriteOutcome = DONE
  storage: 'works' | 'full' | 'broken' = 'works'
  isSlow = false
  /** Somebody has to decide first. */
  isStuck = false
  #waiting: (() => void)[] = []
  readonly saver: Saver

  constructor({ keeps = true } = {}) {
    this.saver = new Saver(
      {
        take: () => (this.isStuck || this.text === this.saved.at(-1) ? null : () => this.write(this.text)),
        isUnsaved: () => this.text !== this.saved.at(-1),
        ...(keeps ? { keep: () => this.#keep() } : {}),
        closed: async () => this.told.push('closed'),
        discard: async () => this.told.push('discarded'),
      },
      PAUSES,
      this.hand.wait,
    )
    this.saver.subscribe(() => this.states.push(this.saver.getState().is))
  }

  edit(text: string): void {
    this.text = text
    this.saver.edited()
  }

  async write(text: string): Promise<WriteOutcome> {
    this.told.push(`sends ${text}`)
    if (this.isSlow) await new Promise<void>((done) => this.#waiting.push(done))
    if (this.answer.is === 'done') this.saved.push(text)
    return this.answer
  }

  /** What was sent is answered. */
  async answerNow(): Promise<void> {
    for (const done of this.#waiting.splice(0)) done()
    await settle()
  }

  async #keep(): Promise<boolean> {
    if (this.storage === 'broken') throw new Error('no storage')
    if (this.storage === 'full') return false
    this.kept = this.text === this.saved.at(-1) ? null : this.text
    this.told.push(this.kept === null ? 'keeps nothing' : `keeps ${this.kept}`)
    return true
  }

  get state(): string {
    return this.saver.getState().is
  }
}

beforeEach(() => vi.stubGlobal('reportError', () => undefined))

describe('what is edited', () => {
  it('has a copy on the device first, and is saved when the hand rests', async () => {
    const desk = new Desk()
    desk.edit('a')
    await desk.hand.rest(200)
    desk.edit('ab')
    await desk.hand.rest(100)
    expect([desk.kept, desk.state]).toEqual(['ab', 'waiting'])
    await desk.hand.rest(399)
    expect(desk.told).toEqual(['keeps ab'])
    await desk.hand.rest(1)
    expect([desk.saved.at(-1), desk.state, desk.kept]).toEqual(['ab', 'saved', null])
    expect(desk.told).toEqual(['keeps ab', 'sends ab', 'keeps nothing'])
    expect(desk.states).toEqual(['waiting', 'saving', 'saved'])
    expect(desk.hand.planned).toBeNull()
  })

  it('has its copy on the device before the network also where it is saved at once', async () => {
    const desk = new Desk()
    desk.edit('a')
    expect(await desk.saver.flush()).toBe(true)
    expect(desk.told).toEqual(['keeps a', 'sends a', 'keeps nothing'])
  })

  it('and taken back before it was sent needs no sending', async () => {
    const desk = new Desk()
    desk.edit('a')
    await desk.hand.rest(300)
    desk.edit('')
    await desk.hand.rest(1000)
    expect([desk.state, desk.kept, desk.saved]).toEqual(['clean', null, ['']])
  })

  it('while a save is under way goes with the next one, which waits for the hand to rest', async () => {
    const desk = new Desk()
    desk.isSlow = true
    desk.edit('a')
    await desk.hand.rest(500)
    desk.edit('ab')
    expect(desk.state).toBe('waiting')
    await desk.hand.rest(100)
    await desk.answerNow()
    expect([desk.saved.at(-1), desk.state]).toEqual(['a', 'waiting'])
    await desk.hand.rest(400)
    await desk.answerNow()
    expect([desk.saved, desk.state, desk.kept]).toEqual([['', 'a', 'ab'], 'saved', null])
  })

  it('is saved as soon as a slow save is over where the hand came to rest meanwhile', async () => {
    const desk = new Desk()
    desk.isSlow = true
    desk.edit('a')
    await desk.hand.rest(500)
    desk.edit('ab')
    await desk.hand.rest(10_000)
    desk.isSlow = false
    await desk.answerNow()
    await desk.hand.rest(0)
    expect(desk.saved).toEqual(['', 'a', 'ab'])
  })

  it('is sent by one write at a time, whoever asks for it', async () => {
    const desk = new Desk()
    desk.isSlow = true
    desk.edit('a')
    const flushes = [desk.saver.flush(), desk.saver.flush()]
    desk.edit('ab')
    const submitted = desk.saver.write(() => desk.write('submitted'))
    await settle()
    expect(desk.told.filter((one) => one.startsWith('sends'))).toEqual(['sends a'])
    desk.isSlow = false
    await desk.answerNow()
    await submitted
    expect(await Promise.all(flushes)).toEqual([true, true])
    expect(new Set(desk.told.filter((one) => one.startsWith('sends')))).toEqual(
      new Set(['sends a', 'sends submitted', 'sends ab']),
    )
  })

  it('goes on at once where what somebody else has saved was joined', async () => {
    const desk = new Desk()
    desk.answer = { is: 'again' }
    desk.edit('a')
    await desk.hand.rest(499)
    const rest = desk.hand.rest(1)
    await settle()
    desk.answer = DONE
    await rest
    expect([desk.saved.at(-1), desk.state]).toEqual(['a', 'saved'])
  })

  it('and left by an earlier time is sent at once', async () => {
    const desk = new Desk()
    desk.text = 'left'
    desk.saver.resume()
    expect(desk.state).toBe('waiting')
    await desk.hand.rest(0)
    expect(desk.saved.at(-1)).toBe('left')
  })

  it('waits without asking anybody while a person has to decide, with a copy on the device', async () => {
    const desk = new Desk()
    desk.isStuck = true
    desk.edit('a')
    await desk.hand.rest(60_000)
    expect([desk.state, desk.kept, desk.hand.planned]).toEqual(['waiting', 'a', null])
    expect(await desk.saver.flush()).toBe(false)
    expect(await desk.saver.secure()).toBe(true)
  })
})

describe('a save that fails', () => {
  it('is tried again after pauses that grow up to the longest, and says so all the while', async () => {
    const desk = new Desk()
    desk.answer = AWAY
    desk.edit('a')
    await desk.hand.rest(500)
    const pauses: (number | null)[] = []
    for (let go = 0; go < 7; go += 1) {
      pauses.push(desk.hand.planned)
      expect([desk.saver.getState(), desk.saver.isFailing]).toEqual([AWAY, true])
      await desk.hand.rest(desk.hand.planned ?? 0)
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    desk.answer = DONE
    await desk.hand.rest(30_000)
    expect([desk.state, desk.saver.isFailing, desk.kept]).toEqual(['saved', false, null])
    desk.answer = AWAY
    desk.edit('ab')
    await desk.hand.rest(500)
    expect(desk.hand.planned).toBe(1000)
  })

  it('is said while more is edited, and tried again when the hand rests', async () => {
    const desk = new Desk()
    desk.answer = AWAY
    desk.edit('a')
    await desk.hand.rest(500)
    desk.edit('ab')
    expect([desk.state, desk.hand.planned]).toEqual(['failed', 300])
    desk.answer = DONE
    await desk.hand.rest(500)
    expect(desk.saved.at(-1)).toBe('ab')
  })

  it('is not tried again by itself where it was refused; more edited or somebody who asks tries it', async () => {
    const desk = new Desk()
    desk.answer = REFUSED
    desk.edit('a')
    await desk.hand.rest(120_000)
    expect([desk.told.filter((one) => one.startsWith('sends')), desk.saver.getState(), desk.kept]).toEqual([
      ['sends a'],
      REFUSED,
      'a',
    ])
    expect(await desk.saver.flush()).toBe(false)
    desk.answer = DONE
    desk.edit('ab')
    await desk.hand.rest(500)
    expect([desk.saved.at(-1), desk.state]).toEqual(['ab', 'saved'])
  })

  it('by a defect of ours is one like any other', async () => {
    const desk = new Desk()
    desk.write = () => Promise.reject(new Error('a defect'))
    desk.edit('a')
    await desk.hand.rest(500)
    expect([desk.saver.getState(), desk.hand.planned]).toEqual([{ is: 'failed', error: { code: 'internal' } }, 1000])
  })

  it.each(['full', 'broken'] as const)(
    'is tried again where the storage is %s, and so is the copy',
    async (storage) => {
      const desk = new Desk()
      desk.storage = storage
      desk.answer = AWAY
      desk.edit('a')
      await desk.hand.rest(500)
      expect([desk.saver.isKept, await desk.saver.secure()]).toEqual([false, false])
      desk.storage = 'works'
      await desk.hand.rest(60_000)
      expect([desk.kept, desk.saver.isKept, await desk.saver.secure()]).toEqual(['a', true, true])
    },
  )

  it('is over where what could not be saved was taken back', async () => {
    const desk = new Desk()
    desk.answer = AWAY
    desk.edit('a')
    await desk.hand.rest(500)
    desk.edit('')
    await desk.hand.rest(500)
    expect([desk.state, desk.saver.isFailing, desk.kept, desk.hand.planned]).toEqual(['clean', false, null, null])
  })
})

describe('a server that is known to be away', () => {
  it('is not asked by the clock; what waits is sent as soon as it is back', async () => {
    const desk = new Desk()
    desk.saver.hear(false)
    desk.edit('a')
    await desk.hand.rest(600_000)
    expect([desk.state, desk.told]).toEqual(['failed', ['keeps a']])
    expect(desk.saver.isAtRest).toBe(false)
    desk.saver.hear(true)
    await desk.hand.rest(0)
    expect([desk.saved.at(-1), desk.state]).toEqual(['a', 'saved'])
  })

  it('holds up no lock and no reload: the copy on the device is enough', async () => {
    const desk = new Desk()
    desk.saver.hear(false)
    desk.edit('a')
    expect(await desk.saver.secure()).toBe(true)
    expect(desk.told).toEqual(['keeps a'])
  })
})

describe('a screen that is left', () => {
  it('saves at once what the pause still held back', async () => {
    const desk = new Desk()
    desk.edit('a')
    await desk.saver.close()
    expect([desk.saved.at(-1), desk.told.at(-1)]).toEqual(['a', 'closed'])
  })

  it('leaves what the server does not take to whoever opens it next, from the copy on the device', async () => {
    const desk = new Desk()
    desk.answer = { is: 'failed', error: { code: 'unauthenticated' } }
    desk.edit('a')
    await desk.saver.close()
    expect([desk.kept, desk.hand.planned]).toEqual(['a', null])
    desk.saver.open()
    desk.answer = DONE
    await desk.hand.rest(0)
    expect(desk.saved.at(-1)).toBe('a')
  })

  it('goes on trying where no copy could be made, until one of both is done', async () => {
    const desk = new Desk()
    desk.answer = AWAY
    desk.storage = 'full'
    desk.edit('a')
    await desk.saver.close()
    desk.storage = 'works'
    await desk.hand.rest(1000)
    expect([desk.kept, desk.hand.planned]).toEqual(['a', null])
  })

  it('goes on trying, however often it takes, where there are no copies', async () => {
    const desk = new Desk({ keeps: false })
    desk.answer = AWAY
    desk.edit('a')
    await desk.saver.close()
    await desk.hand.rest(60_000)
    desk.answer = DONE
    await desk.hand.rest(30_000)
    expect(desk.saved.at(-1)).toBe('a')
  })

  it('keeps and saves when it goes dark, and only what is not kept yet', async () => {
    const desk = new Desk()
    desk.isSlow = true
    desk.edit('a')
    desk.saver.hide()
    await settle()
    expect(desk.told).toEqual(['keeps a', 'sends a'])
    desk.saver.hide()
    await settle()
    expect(desk.told).toEqual(['keeps a', 'sends a'])
    await desk.answerNow()
    expect([desk.saved.at(-1), desk.kept]).toEqual(['a', null])
  })

  it('keeps when it goes dark what could not be kept before', async () => {
    const desk = new Desk()
    desk.saver.hear(false)
    desk.storage = 'full'
    desk.edit('a')
    await desk.hand.rest(500)
    desk.storage = 'works'
    desk.saver.hide()
    await settle()
    expect(desk.kept).toBe('a')
  })

  it('keeps, and asks no server that is away, when it goes dark', async () => {
    const desk = new Desk()
    desk.saver.hear(false)
    desk.edit('a')
    desk.saver.hide()
    await settle()
    expect(desk.told).toEqual(['keeps a'])
  })

  it('forgets what its author gives up, unless they edit on before it is gone', async () => {
    const desk = new Desk({ keeps: false })
    desk.answer = AWAY
    desk.edit('a')
    await desk.hand.rest(500)
    desk.saver.giveUp()
    expect([desk.saver.isFailing, desk.saver.isUnsaved, await desk.saver.flush()]).toEqual([false, false, true])
    await desk.hand.rest(60_000)
    await desk.saver.close()
    expect(desk.told).toEqual(['sends a', 'discarded'])

    const again = new Desk({ keeps: false })
    again.edit('a')
    again.saver.giveUp()
    again.edit('ab')
    await again.saver.close()
    expect([again.saved.at(-1), again.told]).toEqual(['ab', ['sends ab', 'closed']])
  })

  it('lets who waits until all is saved go with the save that succeeds', async () => {
    const desk = new Desk()
    desk.answer = AWAY
    desk.edit('a')
    let isOver = false
    const waits = desk.saver.untilSaved().then(() => {
      isOver = true
    })
    await desk.hand.rest(2000)
    expect(isOver).toBe(false)
    desk.answer = DONE
    await desk.hand.rest(60_000)
    await waits
    expect(desk.saved.at(-1)).toBe('a')
  })
})

describe('whatever is edited, fails and comes back', () => {
  it('everything is at the server in the end, nothing is planned, and no copy is left', async () => {
    const answers: readonly WriteOutcome[] = [DONE, AWAY, DONE, { is: 'again' }, AWAY, REFUSED]
    for (let seed = 1; seed <= 200; seed += 1) {
      const desk = new Desk()
      let state = seed
      const pick = (most: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % most
      }
      for (let step = 0; step < 25; step += 1) {
        desk.answer = answers[pick(answers.length)] ?? DONE
        desk.storage = pick(4) === 0 ? 'full' : 'works'
        desk.isSlow = pick(3) === 0
        const act = pick(6)
        if (act < 3) desk.edit(`${desk.text}${step}`)
        else if (act === 3) desk.saver.hear(pick(2) === 0)
        else if (act === 4) desk.saver.hide()
        else void desk.saver.flush()
        // An answer that is 'again' for ever would be a server that lies.
        if (desk.answer.is === 'again') await settle()
        if (desk.answer.is === 'again') desk.answer = DONE
        await desk.hand.rest(pick(900))
        if (pick(2) === 0) await desk.answerNow()
      }
      desk.answer = DONE
      desk.storage = 'works'
      desk.isSlow = false
      desk.saver.hear(true)
      await desk.answerNow()
      await desk.saver.flush()
      await desk.hand.rest(60_000)
      expect([seed, desk.saved.at(-1), desk.state, desk.kept, desk.hand.planned]).toEqual([
        seed,
        desk.text,
        desk.text === '' ? 'clean' : 'saved',
        null,
        null,
      ])
    }
  })
})
