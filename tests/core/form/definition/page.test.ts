import { describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import { parsePage, readPage } from '#core/form/definition/page.ts'

function page(option: unknown) {
  const result = readPage(option)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.page
}

describe('reading a stored page option', () => {
  it('reads what a stock designer wrote, with its renamed dictionary keys and rules', () => {
    const { fields } = page({
      column: [
        {
          type: 'select',
          label: '舌苔',
          prop: 'tongue',
          dicData: [{ name: '薄白', code: 1 }],
          props: { label: 'name', value: 'code' },
          rules: [{ required: true, message: '舌苔必须填写' }],
          control: '(val) => { throw new Error("never run") }',
        },
      ],
    })
    expect(fields[0]).toMatchObject({ code: 'tongue', required: true, choices: [{ value: '1', label: '薄白' }] })
  })

  it('takes an unknown or absent type for a text input', () => {
    expect(
      page({ column: [{ prop: 'a' }, { prop: 'b', type: 'hologram' }] }).fields.map((field) => field.type),
    ).toEqual(['input', 'input'])
  })

  it('keeps groups as sections, wherever the designer left them, and children of tables apart', () => {
    const { sections, fields } = page({
      column: [
        { prop: 'a', label: 'A' },
        { type: 'group', prop: 'g1', label: 'Inner', children: { column: [{ prop: 'b' }] } },
        { prop: 'drugs', type: 'dynamic', children: { column: [{ prop: 'name' }, { prop: 'a' }] } },
      ],
      group: [{ prop: 'g2', label: 'Last', column: [{ prop: 'c' }] }],
    })
    expect(sections.map((section) => [section.label, section.fields.map((field) => field.code)])).toEqual([
      ['', ['a']],
      ['Inner', ['b']],
      ['', ['drugs']],
      ['Last', ['c']],
    ])
    expect(fields.find((field) => field.code === 'drugs')?.children.map((child) => child.code)).toEqual(['name', 'a'])
  })

  it.each([
    ['{', { kind: 'not-json' }],
    ['[]', { kind: 'wrong-shape', path: '' }],
    ['{"column":{}}', { kind: 'wrong-shape', path: 'column' }],
    ['{"column":[{"prop":"a"},{"prop":"a"}]}', { kind: 'duplicate-prop', path: 'column[1]', code: 'a' }],
    ['{"column":[{"prop":"__proto__"}]}', { kind: 'bad-prop', path: 'column[0]', code: '__proto__' }],
    ['{"column":[{"prop":"valueOf"}]}', { kind: 'bad-prop', path: 'column[0]', code: 'valueOf' }],
    ['{"column":[{"prop":"_deleted"}]}', { kind: 'bad-prop', path: 'column[0]', code: '_deleted' }],
    ['{"column":[{"prop":"a b"}]}', { kind: 'bad-prop', path: 'column[0]', code: 'a b' }],
  ])('says why %s is no page', (text, error) => {
    expect(parsePage(text)).toEqual({ ok: false, error })
  })
})

describe('compiling a page', () => {
  it('names the fields of a cycle in order', () => {
    const result = compilePage(
      page({
        column: [
          { prop: 'a', zl: { show: 'page.c == "1"' } },
          { prop: 'b', zl: { show: 'page.a == "1"' } },
          { prop: 'c', zl: { show: 'page.b == "1"' } },
        ],
      }),
    )
    expect(result).toEqual({ ok: false, errors: [{ kind: 'cycle', path: ['a', 'c', 'b', 'a'] }] })
  })

  it('lets a check and a lock read their own field', () => {
    const zl = { readOnlyWhen: 'page.a > 9', checks: [{ id: 'x', when: 'page.a < 0', message: { zh: '负' } }] }
    expect(compilePage(page({ column: [{ prop: 'a', type: 'number', zl }] })).ok).toBe(true)
  })

  it('finds every broken rule at once, and where', () => {
    const result = compilePage(
      page({
        column: [
          { prop: 'a', type: 'number', zl: { show: 'page.nope > 1' } },
          { prop: 'b', zl: { calculate: 'page.a +' } },
          { prop: 'c', zl: { require: 'page.a + 1' } },
        ],
      }),
    )
    expect(result).toMatchObject({
      ok: false,
      errors: [
        { code: 'a', role: 'show', problem: { kind: 'unknown-field', code: 'nope' } },
        { code: 'b', role: 'calculate', problem: { kind: 'syntax' } },
        { code: 'c', role: 'require', problem: { kind: 'wrong-result', expected: 'bool', found: 'double' } },
      ],
    })
  })
})
