import type { CellValue } from '#core/dataset/table.ts'

import { utf8Length } from '../utf8.ts'

/** What is seen of the values of a table while they are written: define.xml tells of it. */

export interface ValueFacts {
  /** How many cells have a value. */
  readonly values: number
  /** The longest as UTF-8. */
  readonly bytes: number
  readonly areNumbers: boolean
  /** Digits after the point, at most. */
  readonly decimals: number
  /** Digits, at most, of whole numbers and before the point. */
  readonly digits: number
  /** Of dates: whether all are whole days, all with a time, or some of either or less. */
  readonly dates: 'days' | 'times' | 'mixed'
}

export class ValueCount {
  #values = 0
  #bytes = 0
  #areNumbers = true
  #decimals = 0
  #digits = 0
  #days = 0
  #times = 0

  add(cell: CellValue): void {
    if (cell === null || cell === '' || typeof cell === 'object') return
    const text = String(cell)
    this.#values += 1
    this.#bytes = Math.max(this.#bytes, utf8Length(text))
    if (text.length === 10) this.#days += 1
    if (text.length > 10) this.#times += 1
    const number = /^(-?\d+)(?:\.(\d+))?$/.exec(text)
    if (number === null) this.#areNumbers = false
    this.#digits = Math.max(this.#digits, number?.[1]?.length ?? 0)
    this.#decimals = Math.max(this.#decimals, number?.[2]?.length ?? 0)
  }

  facts(): ValueFacts {
    const values = this.#values
    const dates = this.#days === values ? 'days' : this.#times === values ? 'times' : 'mixed'
    return {
      values,
      bytes: this.#bytes,
      areNumbers: values > 0 && this.#areNumbers,
      decimals: this.#decimals,
      digits: this.#digits,
      dates,
    }
  }
}
