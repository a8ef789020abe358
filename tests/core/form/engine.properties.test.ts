import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Column } from '#core/form/column.ts'

import { compiled, entry, opened } from './filling.ts'

/** Pages with random rules over earlier fields, so that they have no cycles, and random edits. */
const COUNT = 8
const props = Array.from({ length: COUNT }, (_, at) => `f${at}`)

const columns = fc
  .array(fc.record({ reads: fc.nat(), reads2: fc.nat(), kind: fc.constantFrom('plain', 'show', 'calculate', 'require', 'both') }), {
    minLength: COUNT,
    maxLength: COUNT,
  })
  .map((specs): readonly Column[] =>
    specs.map(({ reads, reads2, kind }, at): Column => {
      const a = `page.f${reads % Math.max(1, at)}`
      const b = `page.f${reads2 % Math.max(1, at)}`
      const show = at > 0 && (kind === 'show' || kind === 'both') ? { show: `${a} > 2 || ${b} < 1` } : {}
      const calculate = at > 0 && (kind === 'calculate' || kind === 'both') ? { calculate: `${a} + ${b}` } : {}
      const require = at > 0 && kind === 'require' ? { require: `has(${a}) && ${b} == 1` } : {}
      return { prop: `f${at}`, label: `f${at}`, type: 'number', zl: { ...show, ...calculate, ...require } }
    }),
  )

const edits = fc.uniqueArray(fc.record({ prop: fc.constantFrom(...props), text: fc.constantFrom('', '0', '1', '2', '3', 'x') }), {
  selector: (edit) => edit.prop,
})

function look(form: ReturnType<typeof opened>) {
  return props.map((prop) => {
    const cell = form.getCell(prop)
    return { value: cell?.value, visible: cell?.visible, required: cell?.required, issues: cell?.issues }
  })
}

describe('whatever the page and the edits', () => {
  it('the order of touching fields never changes the result', () => {
    fc.assert(
      fc.property(columns, edits, fc.func(fc.integer()), (page, list, rank) => {
        const shared = compiled(page)
        const [one, other] = [opened(shared), opened(shared)]
        for (const edit of list) one.setText(edit.prop, edit.text)
        for (const edit of list.toSorted((a, b) => rank(a.prop) - rank(b.prop))) other.setText(edit.prop, edit.text)
        expect(look(other)).toEqual(look(one))
      }),
    )
  })

  it('incremental evaluation equals evaluation from scratch, and saving and loading change nothing', () => {
    fc.assert(
      fc.property(columns, fc.array(edits, { maxLength: 4 }), (page, rounds) => {
        const shared = compiled(page)
        const form = opened(shared)
        for (const round of rounds) for (const edit of round) form.setText(edit.prop, edit.text)
        const again = opened(shared, form.data())
        expect(look(again)).toEqual(look(form))
        expect(again.data()).toEqual(form.data())
      }),
    )
  })

  it('an edit and its reversal leave no change', () => {
    fc.assert(
      fc.property(columns, edits, (page, list) => {
        const form = opened(page, entry({}))
        for (const edit of list) form.setText(edit.prop, edit.text)
        for (const edit of list) form.setText(edit.prop, '')
        expect(form.changes()).toEqual([])
      }),
    )
  })
})
