import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

import { compareWithOracle } from './oracleComparison.ts'
import { fixtureSets, readOracleSets } from './oracleData.ts'

/** What R said of our data sets (fixtures/results.txt, by oracle.R) is what our statistics say. */

const read = (name: string) => readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8')

describe('what R says of data sets', () => {
  const sets = readOracleSets(read('data.txt'))
  const results = read('results.txt')

  it('is what we say, to nine digits, in the tails too', { timeout: 60_000 }, () => {
    const { compared, differences, smallest } = compareWithOracle(sets, results)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(9000)
    expect(smallest).toBeLessThan(1e-150)
  })

  it('was asked of every set of the generator', () => {
    expect(sets.map(({ name }) => name)).toEqual(fixtureSets().map(({ name }) => name))
    const answered = new Set(results.split('\n').map((line) => line.split(' ')[0]))
    expect(sets.filter(({ name }) => !answered.has(name))).toEqual([])
    expect(results.split('\n')[0]).toMatch(/^# R version \d/)
  })

  it('is compared at all: a digit that differs is found', { timeout: 60_000 }, () => {
    const line = /^table-usual chiSquare \S+/m.exec(results)?.[0] ?? ''
    const wrong = results.replace(
      line,
      line
        .replace(/(\.\d{7})\d/, '$1x')
        .replace('x', '0')
        .replace(/\d{6}$/, ''),
    )
    expect(wrong).not.toBe(results)
    const usual = sets.filter(({ name }) => name === 'table-usual')
    const only = (text: string) =>
      text
        .split('\n')
        .filter((one) => one.startsWith('table-usual '))
        .join('\n')
    expect(compareWithOracle(usual, only(results)).differences).toEqual([])
    expect(compareWithOracle(usual, only(wrong)).differences).toHaveLength(1)
  })
})
