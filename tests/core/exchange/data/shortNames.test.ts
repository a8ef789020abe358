import { expect, it } from 'vitest'
import { shortenNames } from '#core/exchange/data/shortNames.ts'

it('leaves names that fit as they are, also where a longer one came before', () => {
  expect(shortenNames(['WEIGHT_AT_SCREENING', 'WEIGHT_A'], { most: 8 })).toEqual(['WEIGHT_1', 'WEIGHT_A'])
})

it('gives each name once without regard to case', () => {
  const names = shortenNames(['Questionnaire1', 'QUESTIONNAIRE2', 'questionnaire3'], { most: 8 })
  expect(names).toEqual(['Question', 'QUESTI_1', 'questi_2'])
})

it('keeps 10,000 names that begin alike apart', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `ADVERSE_EVENT_DESCRIPTION_${at}`)
  const short = shortenNames(names, { most: 8, isUpper: true })
  expect(new Set(short).size).toBe(10_000)
  expect(Math.max(...short.map((name) => name.length))).toBe(8)
  expect(short.every((name) => /^[A-Z]\w*$/.test(name))).toBe(true)
})

it('gives way to a word of the format', () => {
  expect(shortenNames(['by', 'BYE'], { most: 8, reserved: new Set(['BY']) })).toEqual(['by_1', 'BYE'])
})
