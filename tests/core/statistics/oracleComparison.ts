import { answersOf } from './oracleAnswers.ts'
import type { Answer } from './oracleAnswers.ts'
import type { OracleSet } from './oracleData.ts'

/** Compares what R said with what we say. */

/** Of every number, in the tails too: nothing is allowed for numbers near 0. */
const RELATIVE = 1e-9
/** Where a key ends in "~": as far as the joining of ways by fexact goes. */
const LOOSE = 2e-2
/** And how near R's own search for a root comes (`uniroot` with its usual tolerance, of a ratio or of 1 / ratio). */
const ROOT = Number.EPSILON ** 0.25

export interface Comparison {
  /** How many numbers (or failures) were compared. */
  readonly compared: number
  readonly differences: readonly string[]
  /** The smallest p of all that were compared, above 0. */
  readonly smallest: number
}

/** Compares the lines of oracle.R with the answers of each set. */
export function compareWithOracle(sets: readonly OracleSet[], results: string): Comparison {
  const byName = new Map(sets.map((set) => [set.name, answersOf(set)]))
  const differences: string[] = []
  let [compared, smallest] = [0, 1]
  for (const line of results.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [name = '', key = '', ...texts] = line.trim().split(/ +/)
    const ours = byName.get(name)?.get(key)
    const theirs: Answer = texts[0] === 'error' ? 'error' : texts.map(readNumber)
    compared += theirs === 'error' ? 1 : theirs.length
    if (ours === undefined || !isSame(ours, theirs, key))
      differences.push(`${name} ${key}: R ${String(theirs)}, ours ${String(ours)}`)
    if (theirs !== 'error')
      for (const value of theirs) if (value !== null && value > 0) smallest = Math.min(smallest, value)
  }
  return { compared, differences, smallest }
}

function readNumber(text: string): number | null {
  if (text === 'NA') return null
  if (text === 'Inf') return Number.POSITIVE_INFINITY
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text)
}

function isSame(ours: Answer, theirs: Answer, key: string): boolean {
  if (ours === 'error' || theirs === 'error') return ours === theirs
  return ours.length === theirs.length && ours.every((value, index) => isClose(value, theirs[index] ?? null, key))
}

function isClose(ours: number | null, theirs: number | null, key: string): boolean {
  if (ours === null || theirs === null) return ours === theirs
  if (ours === theirs) return true
  const distance = Math.abs(ours - theirs)
  const size = Math.max(Math.abs(ours), Math.abs(theirs))
  // R looks for ratios above 1 by their inverse: the tolerance is one of whatever lies between 0 and 1.
  if (key === 'fisherRatio~' && distance <= ROOT * Math.max(1, Math.abs(ours * theirs))) return true
  if (key.endsWith('~')) return distance <= LOOSE * size
  return distance <= RELATIVE * size
}
