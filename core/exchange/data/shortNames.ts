/** Names that a format can hold, each once. */

export interface NameRule {
  /** Names are of letters, digits and underscores, so that a character is a byte. */
  readonly most: number
  /** In capital letters; a name that is one of them gets another. */
  readonly reserved?: ReadonlySet<string>
  readonly isUpper?: boolean
}

/**
 * Names in the order in which they came, unique without regard to case. One that fits stays as it is; of the others the
 * end gives way, and where two become the same, further to a number.
 */
export function shortenNames(names: readonly string[], { most, reserved, isUpper = false }: NameRule): string[] {
  const taken = new Set(reserved)
  const fits = names.map((name) => {
    const key = name.toUpperCase()
    if (name.length > most || taken.has(key)) return false
    taken.add(key)
    return true
  })
  // Where the next number of a beginning is looked for, so that 10,000 alike names do not each begin at 1.
  const next = new Map<string, number>()
  return names.map((name, at) => {
    const result = fits[at] === true ? name : shortenName(name, most, taken, next)
    return isUpper ? result.toUpperCase() : result
  })
}

function shortenName(name: string, most: number, taken: Set<string>, next: Map<string, number>): string {
  let short = name.slice(0, most)
  for (let number = next.get(short.toUpperCase()) ?? 1; taken.has(short.toUpperCase()); number += 1) {
    const start = name.slice(0, most).toUpperCase()
    next.set(start, number + 1)
    const end = String(number)
    short = `${name.slice(0, most - end.length - 1)}_${end}`
  }
  taken.add(short.toUpperCase())
  return short
}
