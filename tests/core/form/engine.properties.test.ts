import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { Column } from '#core/form/definition/column.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { checkEntryShape } from '#core/form/definition/shape.ts'
import { canonicalValue, isList, typingText, valueFromTyping } from '#core/form/definition/value.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { nonConformity } from '#core/form/engine/issue.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { MOMENT, compiled, entry, opened } from './filling.ts'
import type { Edit } from './randomPages.ts'
import { VARIANTS, edits, pages, rawOf } from './randomPages.ts'

/**
 * Pages of every type of field, with random rules over earlier fields so that they have no cycles, and random edits.
 */

type Form = ReturnType<typeof opened>

function apply(form: Form, list: readonly Edit[]): void {
  for (const { prop, change } of list) {
    if (change.kind === 'text') form.setText(prop, change.text)
    else if (change.kind === 'end') form.setEnd(prop, change.end, change.text)
    else if (change.kind === 'value') form.setValue(prop, change.value)
    else form.setMissing(prop, change.missing)
  }
}

function look(form: Form) {
  return form.compiled.page.fields.map(({ code }) => {
    const cell = form.getCell(code)
    return {
      code,
      value: cell?.value,
      missing: cell?.missing,
      visible: cell?.visible,
      required: cell?.required,
      readOnly: cell?.readOnly,
      issues: cell?.issues,
    }
  })
}

/** As it comes back from the disk or the wire. */
function stored(data: EntryData): EntryData {
  return JSON.parse(JSON.stringify(data)) as EntryData
}

function fieldOf(column: Column) {
  const [field] = compiled([column]).page.fields
  if (field === undefined) throw new Error('no field')
  return field
}

describe('whatever the page and the edits', () => {
  it('every type of field is among the pages', () => {
    expect(new Set(VARIANTS.map(({ type }) => type))).toEqual(new Set(FIELD_TYPES))
  })

  it('the order of touching fields never changes the result', () => {
    fc.assert(
      fc.property(pages, edits, fc.func(fc.integer()), (page, list, rank) => {
        const shared = compiled(page)
        const [one, other] = [opened(shared), opened(shared)]
        apply(one, list)
        apply(
          other,
          list.toSorted((a, b) => rank(a.prop) - rank(b.prop)),
        )
        expect(look(other)).toEqual(look(one))
        expect(other.data()).toEqual(one.data())
      }),
      { numRuns: 60 },
    )
  })

  it('incremental evaluation equals evaluation from scratch, here and on the server, and saving and loading change nothing', () => {
    fc.assert(
      fc.property(pages, fc.array(edits, { maxLength: 4 }), (page, rounds) => {
        const shared: CompiledPage = compiled(page)
        const form = opened(shared)
        for (const round of rounds) apply(form, round)
        const data = form.data()
        const again = opened(shared, stored(data))
        expect(look(again)).toEqual(look(form))
        expect(again.data()).toEqual(data)
        expect(again.changes()).toEqual([])
        expect(evaluateEntry(shared, stored(data), MOMENT)).toMatchObject({
          data,
          issues: form.issues(),
          faults: form.faults(),
        })
      }),
      { numRuns: 60 },
    )
  })

  it('a page that newer data come to is as one that is opened with them, and with older ones as it was', () => {
    fc.assert(
      fc.property(pages, edits, edits, (page, before, after) => {
        const shared = compiled(page)
        const elsewhere = opened(shared)
        apply(elsewhere, before)
        const older = stored(elsewhere.data())
        apply(elsewhere, after)
        const form = opened(shared, older)
        form.receive(stored(elsewhere.data()))
        expect(look(form)).toEqual(look(elsewhere))
        expect(form.data()).toEqual(elsewhere.data())
        form.receive(older)
        expect(look(form)).toEqual(look(opened(shared, older)))
      }),
      { numRuns: 60 },
    )
  })

  it('what was entered is never refused for its structure', () => {
    fc.assert(
      fc.property(pages, edits, (page, list) => {
        const shared = compiled(page)
        const form = opened(shared)
        apply(form, list)
        expect(checkEntryShape(shared.page, stored(form.data()))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('a hidden field keeps its value and its reason, and says nothing', () => {
    fc.assert(
      fc.property(pages, edits, (page, list) => {
        const form = opened(page)
        apply(form, list)
        const { values, missing } = form.data()
        const cells = look(form)
        for (const { code, value, missing: reason } of cells) {
          expect(values[code] ?? null).toEqual(value)
          expect(missing[code] ?? null).toEqual(reason)
        }
        const hidden = cells.filter(({ visible }) => visible === false)
        expect(hidden.filter(({ required, issues }) => required === true || issues?.length !== 0)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('an edit and its reversal leave no change', () => {
    fc.assert(
      fc.property(pages, edits, (page, list) => {
        const form = opened(page, entry({}))
        apply(form, list)
        for (const { prop } of list) {
          form.setMissing(prop, null)
          form.setValue(prop, null)
        }
        expect(form.changes()).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(
  VARIANTS.map(
    (column) =>
      [
        `${column.type}${column.multiple === true || column.range === true ? ' (several)' : ''} ${column.zl?.partial ?? column.valueFormat ?? ''}`,
        column,
      ] as const,
  ),
)('values of %s', (_, column) => {
  const field = fieldOf(column)

  it('are canonical once they have been made so', () => {
    fc.assert(
      fc.property(rawOf(column), (raw) => {
        const once = canonicalValue(field, raw)
        expect(canonicalValue(field, once)).toEqual(once)
      }),
    )
  })

  it('are the same when what a text box shows of them is typed again', () => {
    fc.assert(
      fc.property(rawOf(column), (raw) => {
        const value = canonicalValue(field, raw)
        fc.pre(typeof value !== 'string' || value.trim() !== '')
        fc.pre(!isList(value) && (value === null || nonConformity(field, value) === null))
        const shown = typingText(field, value)
        const again = valueFromTyping(field, shown)
        expect(typingText(field, again)).toBe(shown)
        // Any day stands for its week; typed again it is the Monday.
        expect(column.type === 'week' ? null : again).toEqual(column.type === 'week' ? null : value)
      }),
    )
  })
})
