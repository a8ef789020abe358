import { expect, test } from 'vitest'
import { rankPatients } from '#src/frame/palette/rankPatients.ts'

/** One of a ward's 140 subjects by two characters. */

const WARD = Array.from({ length: 140 }, (_, at) => ({
  no: `01-${String(at + 1).padStart(3, '0')}`,
  mark: '',
  initials: at === 77 ? 'ZXM' : at === 90 ? 'AZX' : 'LHY',
}))

const firstFor = (text: string): string | undefined => rankPatients(WARD, text)[0]?.no

test('two digits are the end of a number, with or without its zeros', () => {
  expect(WARD.every(({ no }) => firstFor(no.slice(-3)) === no)).toBe(true)
  for (let no = 10; no < 100; no += 1) expect(firstFor(String(no))).toBe(`01-0${no}`)
  expect(firstFor('07')).toBe('01-007')
  expect(rankPatients(WARD, '42').map(({ no }) => no)).toEqual(['01-042'])
  expect(rankPatients(WARD, '40').map(({ no }) => no)).toEqual(['01-040', '01-140'])
})

test('two letters are the beginning of initials before they are anything else', () => {
  expect(firstFor('zx')).toBe('01-078')
  expect(rankPatients(WARD, 'ZX').map(({ no }) => no)).toEqual(['01-078', '01-091'])
})

test('a subject without a number is found by its mark, and what fits nobody finds nobody', () => {
  const unnumbered = { no: null, mark: 'A7F2', initials: null }
  expect(rankPatients([...WARD, unnumbered], 'f2')).toEqual([unnumbered])
  expect(rankPatients(WARD, '99x')).toEqual([])
})
