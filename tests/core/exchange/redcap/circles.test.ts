import { describe, expect, it } from 'vitest'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { writeRedcapDictionary } from '#core/exchange/redcap/write.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import type { JsonValue } from '#core/json.ts'

import { compiled, compiledVisit, entry, opened } from '../../form/filling.ts'

/** Branching that asks for each other's answer is no circle in REDCap. */

const HEADER =
  'Variable / Field Name,Form Name,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Branching Logic (Show field only if...)'

function read(...lines: readonly string[]) {
  const result = readRedcapDictionary([HEADER, ...lines].join('\n'))
  if (!result.ok) throw new Error(result.error.kind)
  return result.definition
}

const WEIGHT = read(
  `id,f,text,Id,,`,
  `weight,f,text,Weight,,"[weight_nk(1)] <> '1' and [height_nk] = ''"`,
  `weight_nk,f,checkbox,Weight not known,"1, Not known","[weight] = ''"`,
  `height_nk,f,radio,Nothing is known,"1, Yes","[weight] = '' and [weight_nk(1)] = '0'"`,
  `why,f,text,Why not known,,"[weight_nk(1)] = '1'"`,
  `bmi,f,calc,BMI,[weight] / 4,`,
  `heavy,f,text,Heavy,,[bmi] > 25`,
)

function form(values: Readonly<Record<string, JsonValue>> = {}) {
  const state = opened(compiled(WEIGHT.pages[0]?.option ?? { column: [] }), entry(values))
  const shown = () => state.cells().flatMap(({ key, visible }) => (visible ? [key] : []))
  return { state, shown }
}

const ALWAYS = ['id', 'bmi']
const BLANK = ['id', 'weight', 'weight_nk', 'height_nk', 'bmi']

describe('branching by each other’s answer', () => {
  it('loses no rule', () => {
    expect(WEIGHT.notCarried).toEqual([])
  })

  it('shows both until one is answered, and both again when the answer is taken back', () => {
    const { state, shown } = form()
    expect(shown()).toEqual(BLANK)
    state.setText('weight', '120')
    expect(shown()).toEqual([...ALWAYS.slice(0, 1), 'weight', 'bmi', 'heavy'])
    state.setText('weight', '')
    expect(shown()).toEqual(BLANK)
    state.setValue('weight_nk', ['1'])
    expect(shown()).toEqual(['id', 'weight_nk', 'why', 'bmi'])
    state.setValue('weight_nk', [])
    expect(shown()).toEqual(BLANK)
  })

  it('leaves on the page what two tablets answered both, so that somebody can decide', () => {
    const { state, shown } = form({ weight: '80', weight_nk: ['1'] })
    expect(shown()).toEqual(['id', 'weight', 'weight_nk', 'why', 'bmi'])
    state.setText('weight', '')
    expect(shown()).toEqual(['id', 'weight_nk', 'why', 'bmi'])
  })

  it('says the same wherever it is begun: a form that is opened, and one that is filled in', () => {
    const { state, shown } = form()
    state.setText('weight', '80')
    expect(form({ weight: '80' }).shown()).toEqual(shown())
    state.receive(entry({ weight_nk: ['1'] }))
    state.rebase(entry({ weight_nk: ['1'] }))
    expect(state.getCell('weight')?.value).toBe('80')
    expect(shown()).toEqual(form({ weight: '80', weight_nk: ['1'] }).shown())
  })

  it('is read by another form as its own form shows it', () => {
    const { pages, notCarried } = read(
      'weight,f,text,Weight,,"[weight_nk] <> \'1\'"',
      'weight_nk,f,radio,Not known,"1, Yes","[weight] = \'\'"',
      `dose,g,text,Dose,,"[weight] <> '' and [weight_nk] = ''"`,
    )
    expect(notCarried).toEqual([])
    const dose = compiledVisit(pages).get('g')
    if (dose === undefined) throw new Error('no page g')
    const saved = (values: Readonly<Record<string, JsonValue>>) =>
      new Map([[placeKey({ folder: 'crf', page: 'f' }), entry(values)]])
    const state = opened(dose, entry({}), saved({ weight: '80' }))
    expect(state.getCell('dose')?.visible).toBe(true)
    state.setOtherPages(saved({ weight_nk: '1' }))
    expect(state.getCell('dose')?.visible).toBe(false)
    state.setOtherPages(saved({ weight: '70' }))
    expect(state.getCell('dose')?.visible).toBe(true)
  })

  it('reports what is lost of a rule in it once', () => {
    const { notCarried } = read('a,f,text,A,,"[b] = \'\'"', 'b,f,calc,B,[ghost] + 1,"[a] = \'\'"')
    expect(notCarried.map(({ what, why }) => [what, why])).toEqual([['calculation', 'unknown-field']])
  })

  it('goes out as REDCap has it, and comes in again the same', () => {
    const { text, notWritten } = writeRedcapDictionary(WEIGHT.pages)
    expect(notWritten).toEqual([])
    expect(text).not.toContain('[weight] <> ')
    const again = readRedcapDictionary(text)
    expect(again.ok && again.definition.pages).toEqual(WEIGHT.pages)
  })

  it('through a calculation reads what is held, and of calculations alone stays a circle', () => {
    const through = read('a,f,text,A,,[sum] < 10', 'sum,f,calc,Sum,[a] + 1,')
    expect(through.notCarried).toEqual([])
    const state = opened(compiled(through.pages[0]?.option ?? { column: [] }), entry({ a: '3' }))
    expect([state.getCell('a')?.visible, state.getCell('sum')?.value]).toEqual([true, 4])
    state.setText('a', '20')
    expect([state.getCell('a')?.visible, state.getCell('sum')?.value]).toEqual([true, 21])
    expect(read('e,f,calc,E,[f] + 1,', 'f,f,calc,F,[e] + 1,').notCarried.map(({ why }) => why)).toEqual(['circular'])
  })
})
