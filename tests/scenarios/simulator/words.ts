import type { Random } from './random.ts'
import type { Entered, PageName, RowIntent } from './simTablet.ts'

const FIGURES: readonly string[] = ['height', 'weight', 'pulse', 'packs', 'given']

/** What people enter in a history: nearly each value once only, so that it can be looked for. */
export class Words {
  readonly #random: Random
  readonly #crosses: boolean
  #count = 0

  /** @param crosses whether there is something more to enter, since pages read each other */
  constructor(random: Random, crosses: boolean) {
    this.#random = random
    this.#crosses = crosses
  }

  /** A figure that was not entered yet. */
  next(): number {
    this.#count += 1
    return this.#count
  }

  /** What is entered into some field of a page. */
  entered(page: PageName): { readonly field: string; readonly entered: Entered } {
    const field = this.#field(page)
    const how = this.#random.weighted([
      [12, 'value'],
      [1, 'empty'],
      [1, 'missing'],
      [1, 'back'],
    ])
    if (how === 'back') return { field, entered: { how } }
    if (how === 'missing')
      return { field, entered: { how, m: this.#random.pick(['ND', 'UNK', 'NA']), reason: `缘由${this.next()}` } }
    if (field === 'smokes') return { field, entered: { how: 'choice', value: this.#random.pick(['1', '1', '0']) } }
    if (field === 'signs')
      return {
        field,
        entered: { how: 'choice', value: this.#random.several(['a', 'b', 'c', 'd'], this.#random.whole(1, 3)) },
      }
    if (how === 'empty') return { field, entered: { how: 'text', text: '' } }
    return { field, entered: { how: 'text', text: this.#text(field) } }
  }

  #field(page: PageName): string {
    if (page === 'therapy') return this.#random.pick(['plan', 'given', 'cough'])
    if (page === 'event') return this.#crosses ? this.#random.pick(['term', 'lung']) : 'term'
    if (this.#crosses && this.#random.chance(0.7)) return this.#random.pick(['weight', 'weight', 'smokes', 'packs'])
    return this.#random.pick(['height', 'weight', 'weight', 'note', 'smokes', 'packs', 'signs', 'contact', 'pulse'])
  }

  #text(field: string): string {
    const count = this.next()
    // Now and then two people enter the same, or somebody a figure with a zero that says more than the number.
    if (this.#random.chance(0.08)) return FIGURES.includes(field) ? '61.50' : '无'
    switch (field) {
      case 'height':
        return `${150 + count / 100}`
      case 'weight':
      case 'pulse':
        return `${50 + count / 100}`
      case 'packs':
      case 'given':
        return `${count / 10}`
      default:
        return `${field}${count}`
    }
  }

  /** What is done to some row of its table. */
  rowIntent(): RowIntent {
    const row = this.#random.whole(0, 5)
    const change = this.#random.weighted([
      [4, 'insert'],
      [4, 'edit'],
      [1, 'move'],
      [2, 'delete'],
      [1, 'restore'],
    ])
    switch (change) {
      case 'insert':
        return { change, order: this.#order(), drug: `药${this.next()}` }
      case 'edit':
        return this.#random.chance(0.5)
          ? { change, row, field: 'drug', text: `药${this.next()}` }
          : { change, row, field: 'dose', text: `${this.next() / 2}` }
      case 'move':
        return { change, row, order: this.#order() }
      case 'delete':
      case 'restore':
        return { change, row }
    }
  }

  #order(): string {
    return `m${this.#random.whole(10, 99)}`
  }
}
