import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { MOMENT, VITALS, YES_NO, compiled, entry, opened } from '#tests/core/form/filling.ts'

describe('filling a page', () => {
  it('shows a field by its rule, a second one by the first, and takes both away again', () => {
    const form = opened(VITALS)
    expect(form.getCell('pregnant')?.visible).toBe(false)
    form.setValue('sex', '0')
    expect(form.getCell('pregnant')?.visible).toBe(true)
    form.setValue('pregnant', '1')
    expect(form.getCell('weeks')?.visible).toBe(true)
    form.setValue('sex', '1')
    expect(form.getCell('pregnant')?.visible).toBe(false)
    expect(form.getCell('weeks')?.visible).toBe(false)
  })

  it('keeps a hidden value, takes it for missing in rules, and brings it back', () => {
    const form = opened(VITALS)
    form.setValue('sex', '0')
    form.setValue('pregnant', '1')
    form.setText('weeks', '12')
    form.setValue('sex', '1')
    expect(form.data().values).toEqual({ sex: '1', pregnant: '1', weeks: 12 })
    form.setValue('sex', '0')
    expect(form.getCell('weeks')).toMatchObject({ visible: true, value: 12 })
  })

  it('computes the BMI as soon as both inputs are there, and empties it when one goes', () => {
    const form = opened(VITALS)
    form.setText('height', '170')
    expect(form.getCell('bmi')?.value).toBeNull()
    form.setText('weight', '65')
    expect(form.getCell('bmi')?.value).toBe(22.5)
    form.setText('height', '')
    expect(form.getCell('bmi')?.value).toBeNull()
  })

  it('follows a calculation with what is required by it', () => {
    const form = opened(VITALS)
    form.setText('height', '160')
    form.setText('weight', '80')
    expect(form.getCell('advice')).toMatchObject({ required: true, issues: [{ code: 'required' }] })
    form.setText('weight', '50')
    expect(form.getCell('advice')).toMatchObject({ required: false, issues: [] })
  })

  it('speaks up with a warning that does not count as an error', () => {
    const form = opened(VITALS)
    form.setText('advice', '少')
    expect(form.getCell('advice')?.issues).toEqual([
      {
        code: 'check',
        id: 'short',
        severity: 'warning',
        message: { zh: '太短', en: 'too short' },
        says: expect.any(String) as string,
        answer: null,
      },
    ])
    expect(form.completeness().withErrors).toEqual([])
  })

  it('tells of text that is no number as soon as the page is opened again, and does not count it as filled', () => {
    const form = opened(VITALS, entry({ weight: '82.552.4' }))
    expect(form.getCell('weight')).toMatchObject({ value: '82.552.4', left: true, issues: [{ code: 'not-number' }] })
    expect(form.completeness()).toMatchObject({ answered: 0, withErrors: ['weight'] })
  })

  it('keeps text that is no number, reports it, and leaves it out of calculations', () => {
    const form = opened(VITALS)
    form.setText('height', '170')
    form.setText('weight', '约65')
    expect(form.getCell('weight')).toMatchObject({ value: '约65', issues: [{ code: 'not-number' }] })
    expect(form.getCell('bmi')?.value).toBeNull()
    expect(form.data().values.weight).toBe('约65')
  })

  it('remembers the text as typed beside the number', () => {
    const form = opened(VITALS)
    form.setText('weight', '1.10')
    expect(form.changes()).toMatchObject([{ code: 'weight', value: 1.1, base: null, text: '1.10' }])
  })

  it('refuses to edit what is calculated', () => {
    expect(opened(VITALS).setText('bmi', '20')).toBe('read-only')
  })

  it('shows what is stored when it is opened read-only, and takes no edit', () => {
    const data = entry({ height: 170, weight: 65, bmi: 99 })
    const form = createFormState(compiled(VITALS), data, { moment: MOMENT, readOnly: true })
    expect(form.getCell('bmi')?.value).toBe(99)
    expect(form.setText('height', '180')).toBe('read-only')
    expect(form.data()).toEqual(data)
  })

  it('locks a field by its rule', () => {
    const form = opened([
      { prop: 'done', label: '完成', type: 'radio', dicData: YES_NO },
      { prop: 'score', label: '评分', type: 'number', zl: { readOnlyWhen: 'page.done == "1"' } },
    ])
    expect(form.setText('score', '3')).toBe('changed')
    form.setValue('done', '1')
    expect(form.setText('score', '4')).toBe('read-only')
    expect(form.getCell('score')?.value).toBe(3)
  })
})

describe('a calculation without a value', () => {
  const RATE: readonly Column[] = [
    { prop: 'dose', label: '剂量', type: 'number' },
    { prop: 'days', label: '天数', type: 'number' },
    { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'page.dose / page.days' } },
  ]

  it('waits until the last of its inputs is there, and again once one is gone', () => {
    const form = opened(RATE)
    const waits = () => form.getCell('daily')?.waits
    expect(waits()).toBe(true)
    form.setValue('dose', 10)
    expect(waits()).toBe(true)
    form.setValue('days', 5)
    expect([waits(), form.getCell('daily')?.value]).toEqual([false, 2])
    form.setValue('days', 0)
    expect([waits(), form.getCell('daily')?.value]).toEqual([false, null])
    form.setMissing('days', { m: 'UNK', reason: '' })
    expect(waits()).toBe(true)
  })

  it('waits where a rule hides an input, because to it the value is missing', () => {
    const form = opened(
      RATE.map((field) => (field.prop === 'dose' ? { ...field, zl: { show: 'page.days < 30' } } : field)),
    )
    form.setValue('days', 5)
    form.setValue('dose', 10)
    expect(form.getCell('daily')).toMatchObject({ value: 2, waits: false })
    form.setValue('days', 30)
    expect(form.getCell('daily')).toMatchObject({ value: null, waits: true })
  })

  it('says nothing of a field that is entered', () => {
    expect(opened(RATE).getCell('dose')?.waits).toBe(false)
  })
})

describe('a value that is missing with a reason', () => {
  it('satisfies required and takes the value away', () => {
    const form = opened([{ prop: 'dose', label: '剂量', type: 'number', required: true }], entry({ dose: 5 }))
    form.setMissing('dose', { m: 'ND', reason: '患者拒绝' })
    expect(form.getCell('dose')).toMatchObject({ value: null, issues: [] })
    expect(form.changes()).toMatchObject([
      { code: 'dose', value: null, base: 5, missing: { m: 'ND', reason: '患者拒绝' } },
    ])
    expect(form.completeness()).toMatchObject({ required: 1, requiredAnswered: 1, missingRequired: [] })
  })

  it('gives way to a value', () => {
    const form = opened([{ prop: 'dose', label: '剂量', type: 'number' }], {
      values: {},
      missing: { dose: { m: 'UNK', reason: '记录遗失' } },
    })
    form.setText('dose', '7')
    expect(form.data()).toEqual({ values: { dose: 7 }, missing: {} })
  })
})

describe('what changed since the base', () => {
  it('is nothing when a page was only opened, even where a calculation has moved on', () => {
    expect(opened(VITALS, entry({ height: 170, weight: 65, bmi: 21 })).changes()).toEqual([])
  })

  it('holds the edited items and the calculated ones that follow', () => {
    const form = opened(VITALS, entry({ height: 170, weight: 65, bmi: 22.5 }))
    form.setText('weight', '70')
    expect(form.changes().map(({ code, value, base, calculated }) => [code, value, base, calculated])).toEqual([
      ['weight', 70, 65, false],
      ['bmi', 24.2, 22.5, true],
    ])
    form.setText('weight', '65')
    expect(form.changes()).toEqual([])
  })

  it('keeps an edit that is newer than the base that arrives', () => {
    const form = opened(VITALS, entry({ height: 170 }))
    form.setText('height', '171')
    const sent = form.data()
    form.setText('height', '172')
    form.rebase(sent)
    expect(form.changes()).toMatchObject([{ code: 'height', value: 172, base: 171 }])
  })

  it('keeps an edit back to the old value while its predecessor was on its way', () => {
    const form = opened(VITALS, entry({ height: 170 }))
    form.setText('height', '171')
    const sent = form.data()
    form.setText('height', '170')
    form.rebase(sent)
    expect(form.getCell('height')?.value).toBe(170)
    expect(form.changes()).toMatchObject([{ code: 'height', value: 170, base: 171 }])
  })

  it('takes over what others changed elsewhere', () => {
    const form = opened(VITALS, entry({ height: 170 }))
    form.setText('weight', '65')
    form.rebase(entry({ height: 180 }))
    expect(form.getCell('height')?.value).toBe(180)
    expect(form.getCell('bmi')?.value).toBe(20.1)
    expect(form.changes().map((change) => change.code)).toEqual(['weight', 'bmi'])
  })
})

describe('listening', () => {
  it('calls only the listeners of cells that look different', () => {
    const form = opened(VITALS)
    const heard: string[] = []
    for (const column of VITALS) form.subscribe(column.prop, () => heard.push(column.prop))
    form.setText('height', '170')
    expect(heard).toEqual(['height'])
    heard.length = 0
    form.setText('weight', '65')
    expect(heard.toSorted()).toEqual(['bmi', 'weight'])
  })

  it('keeps the identity of a cell that did not change', () => {
    const form = opened(VITALS)
    const sex = form.getCell('sex')
    form.setText('height', '170')
    expect(form.getCell('sex')).toBe(sex)
  })
})

describe('completeness', () => {
  it('counts visible fields that a person can answer', () => {
    const form = opened(VITALS)
    form.setValue('sex', '0')
    expect(form.completeness()).toMatchObject({ total: 5, answered: 1, required: 1, missingRequired: ['pregnant'] })
  })

  it('does not ask for a field that this version cannot collect', () => {
    const form = opened([{ prop: 'course', label: '疗程', type: 'dynamic', required: true }])
    expect(form.completeness()).toMatchObject({ total: 0, required: 0 })
    expect(form.validate()).toEqual([])
  })

  it('asks for the attachments of a page that requires them, and is content with one that has not been sent', () => {
    const form = opened(
      compiled({ column: [{ prop: 'note', label: '备注', type: 'input' }], zl: { attachmentRequired: true } }),
    )
    expect(form.completeness()).toMatchObject({ total: 2, missingRequired: ['_files'] })
    expect(form.validate()).toEqual([{ key: '_files', issues: [{ code: 'required' }] }])
    const photo = {
      id: '0196aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
      name: 'IMG_1.jpg',
      type: 'image/jpeg',
      size: 3,
      hash: 'a'.repeat(64),
    }
    form.setValue('_files', [photo])
    expect(form.validate()).toEqual([])
    expect(form.data().values['_files']).toEqual([photo])
  })
})

describe('a rule that fails although its inputs are there', () => {
  it('is a fault, and shows its field', () => {
    const form = opened(
      [
        { prop: 'code', label: '编码', type: 'input' },
        { prop: 'more', label: '更多', type: 'input', zl: { show: 'int(page.code) > 3' } },
      ],
      entry({ code: 'abc' }),
    )
    expect(form.getCell('more')?.visible).toBe(true)
    expect(form.faults()).toMatchObject([{ code: 'more', role: 'show', failure: 'int_conversion_error' }])
    form.setText('code', '5')
    expect(form.faults()).toEqual([])
  })
})

describe('the same engine on the server', () => {
  it('judges an entry from scratch: hidden, issues, and what its rules change', () => {
    const result = evaluateEntry(compiled(VITALS), entry({ sex: '0', height: 170, weight: 65, bmi: 1 }), MOMENT)
    expect(result.data.values.bmi).toBe(22.5)
    expect(result.hidden).toEqual(['weeks'])
    expect(result.issues).toEqual([{ key: 'pregnant', issues: [{ code: 'required' }] }])
    expect(result.effects).toEqual([
      { table: null, rid: null, code: 'pregnant', value: null, isShow: 1 },
      { table: null, rid: null, code: 'weeks', value: null, isShow: 0 },
      { table: null, rid: null, code: 'bmi', value: 22.5, isShow: 1 },
    ])
  })
})
