import { describe, expect, it } from 'vitest'
import { designOf } from '#core/design/design.ts'
import type { Design } from '#core/design/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import { applyEdit } from '#core/design/edit.ts'
import { addCheck, ruleAt, rulesOf, setCheck, setRule } from '#core/design/rules/ruleList.ts'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import { touchedBy } from '#core/design/touched.ts'

/** Whose work a change of a definition is: the rules are one right, all else another. */

const OPTION = {
  column: [
    {
      prop: 'pulse',
      label: '脉搏',
      type: 'number',
      zl: {
        unit: '次/分',
        show: 'page.sex == "1"',
        checks: [{ id: 'c1', when: 'page.pulse > 200', severity: 'error', message: { zh: '过高' } }],
      },
    },
    { prop: 'sex', label: '性别', type: 'radio' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: { column: [{ prop: 'dose', label: '剂量', type: 'number' }] },
    },
  ],
}
const page = (id: string, option: string) => ({ id, pageName: id, pageCode: id, repeatable: false, option, sort: 1 })
const before = designOf([
  { id: 'f1', folderName: '筛选', folderCode: 'V1', sort: 1, pages: [page('vitals', JSON.stringify(OPTION))] },
  { id: 'f2', folderName: '随访', folderCode: 'V2', sort: 2, pages: [page('vitals', JSON.stringify(OPTION))] },
])
const rule = (
  prop: string,
  kind: RuleKey['kind'],
  table: string | null = null,
  checkId: string | null = null,
): RuleKey => ({ pageId: 'vitals', table, prop, kind, checkId })
const after = (edit: DesignEdit | null, of: Design = before): Design => (edit === null ? of : applyEdit(of, edit))
const touched = (edit: DesignEdit | null) => touchedBy(before, after(edit))
const [RULES, FORM, BOTH] = [
  { rules: true, form: false },
  { rules: false, form: true },
  { rules: true, form: true },
]

describe('the rules of a design', () => {
  it('are listed once, whatever visits their page stands in', () => {
    expect(rulesOf(before).map(({ address, source }) => [address.prop, address.kind, source])).toEqual([
      ['pulse', 'show', 'page.sex == "1"'],
      ['pulse', 'check', 'page.pulse > 200'],
    ])
  })

  it('are written, changed and taken away, and what else the field says stays', () => {
    const required = after(setRule(before, rule('dose', 'require', 'drugs'), 'has(page.sex)'))
    expect(ruleAt(required, rule('dose', 'require', 'drugs'))?.source).toBe('has(page.sex)')
    const checked = after(setCheck(before, rule('pulse', 'check', null, 'c1'), { severity: 'query' }))
    expect(ruleAt(checked, rule('pulse', 'check', null, 'c1'))?.check).toEqual({
      id: 'c1',
      when: 'page.pulse > 200',
      severity: 'query',
      message: { zh: '过高' },
    })
    const without = after(
      setRule(after(setRule(before, rule('pulse', 'show'), null)), rule('pulse', 'check', null, 'c1'), null),
    )
    expect(rulesOf(without)).toHaveLength(0)
    expect(without.pages.get('vitals')?.form?.sections[0]?.columns[0]?.zl).toMatchObject({ unit: '次/分' })
    expect(setRule(before, rule('nobody', 'show'), 'true')).toBeNull()
  })
})

describe('what a change touches', () => {
  it('is the rules alone, where a rule is written, changed or taken away', () => {
    expect(touchedBy(before, before)).toEqual({ rules: false, form: false })
    expect(touched(setRule(before, rule('pulse', 'show'), null))).toEqual(RULES)
    expect(touched(setRule(before, rule('sex', 'require'), 'true'))).toEqual(RULES)
    expect(touched(setRule(before, rule('dose', 'calculate', 'drugs'), '1.0'))).toEqual(RULES)
    expect(
      touched(
        addCheck(before, rule('sex', 'check'), { id: 'c2', when: 'false', severity: 'error', message: { zh: '' } }),
      ),
    ).toEqual(RULES)
  })

  it('is the form alone, where anything else is, also where a field goes with its rules', () => {
    expect(
      touched({ kind: 'field-set', field: { pageId: 'vitals', table: null, prop: 'pulse' }, patch: { label: '心率' } }),
    ).toEqual(FORM)
    expect(touched({ kind: 'fields-remove', pageId: 'vitals', table: null, props: ['pulse'] })).toEqual(FORM)
    expect(touched({ kind: 'folder-set', folderId: 'f1', patch: { folderName: '基线' } })).toEqual(FORM)
    expect(touched({ kind: 'page-remove', pageId: 'vitals', folderId: 'f2' })).toEqual(FORM)
    expect(touched({ kind: 'page-set', pageId: 'vitals', patch: { repeatable: true } })).toEqual(FORM)
  })

  it('is both, where a new field brings rules, a code is changed that rules name, or a page cannot be read', () => {
    const brought = { prop: 'temp', label: '体温', type: 'number', zl: { show: 'true' } }
    expect(
      touched({ kind: 'fields-add', place: { pageId: 'vitals', table: null, section: '', at: 9 }, columns: [brought] }),
    ).toEqual(BOTH)
    expect(
      touched({ kind: 'field-code', field: { pageId: 'vitals', table: null, prop: 'sex' }, code: 'gender' }),
    ).toEqual(BOTH)
    expect(
      touchedBy(
        before,
        designOf([{ id: 'f1', folderName: '筛选', folderCode: 'V1', sort: 1, pages: [page('vitals', '{')] }]),
      ),
    ).toEqual(BOTH)
  })
})
