import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countIn, DEFAULT_TEMPLATE, formatFor, mayCollide, numberOf, readTemplate } from '#core/study/patientNumber.ts'
import type { NumberFormat, SiteFacts } from '#core/study/patientNumber.ts'

const north: SiteFacts = { id: 'north', code: 'N01', no: 1 }
const south: SiteFacts = { id: 'south', code: 'S02', no: 12 }

function format(text: string, site: SiteFacts = north): NumberFormat {
  const read = readTemplate(text)
  if (!read.ok) throw new Error(`${text}: ${read.error}`)
  return formatFor(read.value, site)
}

function problem(text: string): string | null {
  const read = readTemplate(text)
  return read.ok ? null : read.error
}

describe('a template of subject numbers', () => {
  it('holds the center’s code, its number, and a count with as many digits as it has zeros, or more', () => {
    expect(numberOf(format(DEFAULT_TEMPLATE), 7)).toBe('N01-007')
    expect(numberOf(format(DEFAULT_TEMPLATE), 1234)).toBe('N01-1234')
    expect(numberOf(format('TCM{SiteNo:000}-{StudySeq:0000}', south), 45)).toBe('TCM012-0045')
    expect(numberOf(format('{Seq}.{SiteCode}'), 45)).toBe('45.N01')
  })

  it('is refused with what is wrong with it', () => {
    expect(problem('{SiteCode}')).toBe('no_sequence')
    expect(problem('{Seq:00}-{StudySeq:00}')).toBe('two_sequences')
    expect(problem('{Site}-{Seq:000}')).toBe('unknown_token')
    expect(problem('{Seq:000')).toBe('unknown_token')
    expect(problem('{Seq:000}}')).toBe('unknown_token')
    expect(problem('{SiteCode:000}{Seq}')).toBe('padding')
    expect(problem('{Seq:abc}')).toBe('padding')
    expect(problem('{Seq:0000000000}')).toBe('padding')
    for (const sign of ['/', '\\', ':', '*', '?', '"', '<', '>', '|', ' ', '\u0007', '\u200B'])
      expect(problem(`P${sign}{Seq}`)).toBe('character')
    expect(problem('.{Seq}')).toBe('character')
    expect(problem('{Seq}.')).toBe('character')
    expect(problem(`${'x'.repeat(55)}{Seq}`)).toBe('too_long')
  })

  it('reads back the count of its own numbers and of no others', () => {
    const own = format('P{SiteCode}-{Seq:000}x')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (count) => countIn(own, numberOf(own, count)) === count),
    )
    for (const no of ['PN01-0007x', 'PN01-07x', 'PN01-000x', 'PN01-007', 'PS02-007x', 'PN01-x', ''])
      expect(countIn(own, no)).toBeNull()
  })
})

describe('two numberings', () => {
  it('of centers with different codes never make one number where something stands between code and count', () => {
    expect(mayCollide(format(DEFAULT_TEMPLATE), format(DEFAULT_TEMPLATE, south))).toBe(false)
    expect(mayCollide(format(DEFAULT_TEMPLATE), format(DEFAULT_TEMPLATE, { ...south, code: 'N011' }))).toBe(false)
  })

  it('collide where a count can be read as part of a code, or the center is not in it', () => {
    expect(mayCollide(format('{SiteCode}{Seq:0}'), format('{SiteCode}{Seq:0}', { ...south, code: 'N011' }))).toBe(true)
    expect(mayCollide(format('P{Seq:000}'), format('P{Seq:000}', south))).toBe(true)
    expect(mayCollide(format('P{SiteNo:0}{Seq:000}'), format('P{SiteNo:0}{Seq:000}', south))).toBe(true)
  })

  it('that count over the project never do under one template', () => {
    expect(mayCollide(format('P{StudySeq:0000}'), format('P{StudySeq:0000}', south))).toBe(false)
    expect(mayCollide(format('P{StudySeq:0000}'), format('P{Seq:0000}', south))).toBe(true)
  })

  it('of one center do where the same text can mean two counts', () => {
    expect(mayCollide(format('A{Seq:000}'), format('A{Seq:0000}'))).toBe(false)
    expect(mayCollide(format('A1{Seq:0}'), format('A{Seq:0}'))).toBe(true)
  })

  it('collide whenever two of their numbers are one', () => {
    const templates = fc.constantFrom(
      '{Seq:0}',
      '{Seq:00}',
      '{SiteNo}{Seq:0}',
      '{SiteCode}{Seq:00}',
      '{SiteNo:00}-{Seq:0}',
      '{Seq:0}1',
      '1{Seq:0}',
    )
    const sites = fc.constantFrom<SiteFacts>(
      { id: 'a', code: '1', no: 1 },
      { id: 'b', code: '11', no: 11 },
      { id: 'c', code: '2', no: 2 },
    )
    fc.assert(
      fc.property(
        templates,
        sites,
        templates,
        sites,
        fc.integer({ min: 1, max: 200 }),
        (one, here, other, there, count) => {
          fc.pre(here.id !== there.id)
          const [a, b] = [format(one, here), format(other, there)]
          expect(countIn(b, numberOf(a, count)) === null || mayCollide(a, b)).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
