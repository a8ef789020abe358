import { describe, expect, it } from 'vitest'

import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'
import type { StudyDefinition } from '#core/exchange/definition.ts'

import { compiled, opened } from '../../form/filling.ts'
import { imported } from './sheets.ts'

/** A field that is calculated as a truth is one where other rules read it, although it holds the word for it. */

const HEAD = ['type', 'name', 'label', 'relevant', 'calculation']

const TRUTHS = imported({
  survey: [
    HEAD,
    ['integer', 'a', 'A'],
    ['calculate', 'hb', '', '', '${a} > 5'],
    ['calculate', 'again', '', '', '${hb}'],
    ['calculate', 'chosen', '', '', "if(${a} = 0, '', ${hb})"],
    ['calculate', 'word', '', '', 'string(${a} > 5)'],
    ['calculate', 'letter', '', '', "if(${hb}, 'T', 'F')"],
    ['calculate', 'letter2', '', '', "if(${again}, 'T', 'F')"],
    ['calculate', 'letter3', '', '', "if(${chosen}, 'T', 'F')"],
    ['calculate', 'letter4', '', '', "if(${word}, 'T', 'F')"],
    ['calculate', 'figure', '', '', 'number(${hb}) + 1'],
    ['text', 'whenTrue', 'T', '${hb}'],
    ['text', 'whenFalse', 'F', 'not(${hb})'],
    ['text', 'whenOne', 'O', '${hb} = 1'],
    ['text', 'both', 'B', '${hb} and ${a} > 5'],
    ['text', 'named', 'N', "${hb} = 'false'"],
    ['begin repeat', 'rows', 'Rows'],
    ['integer', 'x', 'X'],
    ['calculate', 'hx', '', '', '${x} > 5'],
    ['text', 'shown', 'S', '${hx}'],
    ['end repeat'],
  ],
})

function filled({ pages: [page] }: StudyDefinition, a: string) {
  const state = opened(compiled(page?.option ?? { column: [] }))
  state.setText('a', a)
  return {
    values: Object.fromEntries(
      ['hb', 'again', 'chosen', 'letter', 'letter2', 'letter3', 'letter4', 'figure'].map((prop) => [
        prop,
        state.getCell(prop)?.value,
      ]),
    ),
    shown: ['whenTrue', 'whenFalse', 'whenOne', 'both', 'named'].filter(
      (prop) => state.getCell(prop)?.visible === true,
    ),
  }
}

describe('a calculated truth', () => {
  it('that is false is no to what reads it, as in ODK', () => {
    expect(filled(TRUTHS, '5')).toEqual({
      values: {
        hb: 'false',
        again: 'false',
        chosen: 'false',
        letter: 'F',
        letter2: 'F',
        letter3: 'F',
        letter4: 'T',
        figure: '1',
      },
      shown: ['whenFalse', 'named'],
    })
  })

  it('that is true is yes', () => {
    expect(filled(TRUTHS, '6')).toEqual({
      values: {
        hb: 'true',
        again: 'true',
        chosen: 'true',
        letter: 'T',
        letter2: 'T',
        letter3: 'T',
        letter4: 'T',
        figure: '2',
      },
      shown: ['whenTrue', 'whenOne', 'both'],
    })
  })

  it('in a row is one to the fields of the row', () => {
    const [page] = TRUTHS.pages
    const state = opened(compiled(page?.option ?? { column: [] }), {
      missing: {},
      values: {
        rows: [
          { _rid: 'r1', _ord: 1, x: 3 },
          { _rid: 'r2', _ord: 2, x: 7 },
        ],
      },
    })
    expect(state.cells().flatMap(({ field, visible }) => (field.code === 'shown' ? [visible] : []))).toEqual([
      false,
      true,
    ])
  })

  it('goes out and comes in again the same', () => {
    const read = readSheets(writeXlsForm(TRUTHS).bytes)
    const result = read.ok ? readXlsForm(read.sheets, 'form') : null
    expect(result?.ok === true && result.definition.pages).toEqual(TRUTHS.pages)
  })
})
