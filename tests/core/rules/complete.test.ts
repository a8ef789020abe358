import { describe, expect, it } from 'vitest'
import type { RuleNames } from '#core/rules/complete.ts'
import { complete } from '#core/rules/complete.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import { RULE_FUNCTIONS } from '#core/rules/signatures.ts'

/** What a rule could go on with where it is being written. The bar stands for the cursor. */

const tongue = {
  code: 'tongue',
  label: '舌色',
  type: 'string' as const,
  choices: [
    { value: '1', label: '淡红' },
    { value: '2', label: '红绛' },
  ],
}
const names: RuleNames = {
  page: [{ code: 'pulse', label: '脉搏', type: 'double', choices: [] }, tongue],
  row: [{ code: 'dose', label: '剂量', type: 'double', choices: [] }],
  pages: [
    { code: 'vitals', label: '生命体征', folders: ['V1', 'V2'], fields: [tongue] },
    {
      code: 'labs',
      label: '检验',
      folders: ['V2'],
      fields: [{ code: 'hb', label: '血红蛋白', type: 'double', choices: [] }],
    },
  ],
  folders: [
    { code: 'V1', label: '筛选' },
    { code: 'V2', label: '随访' },
  ],
}
function at(marked: string): readonly string[] {
  const cursor = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = complete(text, cursor, names)
  return (found?.suggestions ?? []).map((one) => `${text.slice(0, found?.from)}${one.text}${text.slice(found?.to)}`)
}

describe('completion of a rule', () => {
  it('knows the fields of the page, of the row and of other pages, step by step', () => {
    expect(at('page.|')).toEqual(['page.pulse', 'page.tongue'])
    expect(at('page.pu| > 3')).toEqual(['page.pulse > 3'])
    expect(at('1 < row.|')).toEqual(['1 < row.dose'])
    expect(at('form.|')).toEqual(['form.V1.', 'form.V2.'])
    expect(at('form.V1.|')).toEqual(['form.V1.vitals.'])
    expect(at('form.V2.labs.|')).toEqual([
      'form.V2.labs.hb',
      'form.V2.labs.first.',
      'form.V2.labs.last.',
      'form.V2.labs.prev.',
    ])
    expect(at('visit.labs.last.|')).toEqual(['visit.labs.last.hb'])
    expect(at('visits.labs.|')).toEqual(['visits.labs.first.', 'visits.labs.last.', 'visits.labs.prev.'])
  })

  it('finds a field by its name in the language of the study', () => {
    expect(at('has(page.pulse) && 舌|')).toEqual(['has(page.pulse) && page.tongue'])
    expect(at('tong|')).toEqual(['page.tongue'])
    expect(at('page.tong|')).toEqual(['page.tongue'])
    expect(complete('page.', 5, names)?.suggestions.map(({ label }) => label)).toEqual(['脉搏', '舌色'])
  })

  it('offers the choices of a field after it is compared, with or without quotes', () => {
    expect(at('page.tongue == |')).toEqual(['page.tongue == "1"', 'page.tongue == "2"'])
    expect(at('page.tongue != "2|')).toEqual(['page.tongue != "2"'])
    expect(at('page.tongue == "红|')).toEqual(['page.tongue == "1"', 'page.tongue == "2"'])
    expect(at('page.tongue in ["1", |]')).toEqual(['page.tongue in ["1", "1"]', 'page.tongue in ["1", "2"]'])
    expect(at('form.V1.vitals.tongue == |')).toHaveLength(2)
    expect(at('page.pulse == "|')).toEqual([])
  })

  it('knows the functions, and is silent within texts and after a value', () => {
    expect(at('rou|')).toEqual(['round(', 'roundUp(', 'roundDown('])
    expect(at('page.pulse == 1 && "rou|')).toEqual([])
    expect(at('page.pulse |')).toEqual([])
    expect(at('|')).toContain('page.')
  })

  it('names only functions that there are, with examples that hold', () => {
    const compiler = ruleCompiler(new Map([['x', 'string']] as const))
    for (const { name, example } of RULE_FUNCTIONS) {
      const compiled = compiler.compile(example, 'bool')
      expect(compiled.ok ? null : [name, compiled.problem]).toBeNull()
    }
  })

  it('takes no longer for a long rule than for a short one', () => {
    const long = `${'page.pulse == 1 || '.repeat(3000)}page.`
    const began = performance.now()
    expect(complete(long, long.length, names)?.suggestions).toHaveLength(2)
    expect(performance.now() - began).toBeLessThan(200)
  })
})
