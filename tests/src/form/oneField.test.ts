import { expect, test } from 'vitest'
import type { Field } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { contentOf, oneFieldForm } from '#src/form/oneField.ts'

const MOMENT = { today: '2026-11-21', now: '2026-11-21 09:00:00' }

function field(column: Record<string, unknown>): Field {
  const read = readPage({ column: [{ prop: 'x', label: 'x', ...column }] })
  const found = read.ok ? read.page.byCode.get('x') : undefined
  if (found === undefined) throw new Error('no such field')
  return found
}

const holding = (value: JsonValue) => ({ value, missing: null })

test('a field is entered away from its page, without the rules that need the rest of the page', () => {
  const form = oneFieldForm(
    field({ type: 'number', required: true, zl: { show: 'page.other == "1"', readOnlyWhen: 'page.other == "1"' } }),
    holding(70),
    MOMENT,
  )
  expect(form?.getCell('x')).toMatchObject({ visible: true, readOnly: false, value: 70, issues: [] })
  form?.setText('x', '71.50')
  expect(form === null ? null : contentOf(form)).toEqual(holding(71.5))
  form?.setMissing('x', { m: 'ND', reason: '未称重' })
  expect(form === null ? null : contentOf(form)).toEqual({ value: null, missing: { m: 'ND', reason: '未称重' } })
})

test('a field that is not drawn away from its page is a text box where text is what it holds, and nothing where it is not', () => {
  const form = oneFieldForm(field({ type: 'table' }), holding('2026-05'), MOMENT)
  expect(form?.getCell('x')?.field.type).toBe('input')
  const dicData = [{ label: '肝', value: '1' }]
  const drawn = ['upload', 'dynamic', 'cascader', 'tree'].filter(
    (type) => oneFieldForm(field({ type, dicData }), holding(null), MOMENT) !== null,
  )
  expect(drawn).toEqual(['cascader', 'tree'])
})
