import { describe, expect, it } from 'vitest'
import {
  DEEPEST,
  MOST_CONDITIONS,
  condition,
  isFitting,
  isFittingChange,
  opsOf,
  shapeOf,
} from '#core/dataset/conditions.ts'
import type { AnswerAt, AnswerTest, Condition } from '#core/dataset/conditions.ts'
import { sentenceOf } from '#core/dataset/conditionWords.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { newId } from '#core/ids.ts'

/** Conditions: what may be asked of which answers, how far they may go, and how they read. */

const field = { pageId: newId(), table: null, code: 'sbp', part: null }
const [visit, baseline, center] = [newId(), newId(), newId()]
const asked = (test: AnswerTest, at: AnswerAt = { which: 'any' }): Condition => ({ kind: 'field', field, at, test })

describe('what can be asked', () => {
  it('depends on what the answers are', () => {
    const option = JSON.stringify({
      column: [
        { prop: 'n', type: 'number' },
        { prop: 'd', type: 'date' },
        { prop: 'r', type: 'daterange' },
        { prop: 'c', type: 'checkbox', dicData: [{ label: '甲', value: 'a' }] },
        { prop: 't', type: 'textarea' },
        { prop: 'u', type: 'upload' },
        { prop: 'rows', type: 'dynamic', children: { column: [{ prop: 'x', type: 'input' }] } },
      ],
    })
    const read = parsePage(option)
    const shapes = read.ok ? read.page.fields.map((one) => [one.code, shapeOf(one)]) : []
    expect(Object.fromEntries(shapes)).toEqual({
      n: { kind: 'number', stored: 'one' },
      d: { kind: 'date', stored: 'one' },
      r: { kind: 'date', stored: 'one' },
      c: { kind: 'choice', stored: 'list' },
      t: { kind: 'text', stored: 'one' },
      u: { kind: 'file', stored: 'list' },
      rows: null,
    })
    expect(opsOf('text')).not.toContain('lt')
    expect(opsOf('file')).toEqual(['empty', 'filled', 'missing'])
  })

  it('takes values that such answers can have', () => {
    expect(isFitting({ op: 'ge', value: 140 }, 'number')).toBe(true)
    expect(isFitting({ op: 'ge', value: '140' }, 'number')).toBe(false)
    expect(isFitting({ op: 'lt', value: '2026-01-31' }, 'date')).toBe(true)
    expect(isFitting({ op: 'lt', value: '1月' }, 'date')).toBe(false)
    expect(isFitting({ op: 'contains', value: '1' }, 'number')).toBe(false)
    expect(isFittingChange({ op: 'le', value: -20 })).toBe(true)
    expect(isFittingChange({ op: 'filled' })).toBe(false)
  })

  it('has an end in depth and in number', () => {
    const deep = (levels: number): Condition =>
      levels === 0 ? asked({ op: 'filled' }) : { kind: 'not', of: deep(levels - 1) }
    expect(condition.safeParse(deep(DEEPEST)).success).toBe(true)
    expect(condition.safeParse(deep(DEEPEST + 1)).success).toBe(false)
    const many = (count: number): Condition => ({
      kind: 'any',
      of: [
        { kind: 'all', of: Array.from({ length: MOST_CONDITIONS - 1 }, () => asked({ op: 'filled' })) },
        { kind: 'all', of: Array.from({ length: count }, () => asked({ op: 'filled' })) },
      ],
    })
    expect(condition.safeParse(many(1)).success).toBe(true)
    expect(condition.safeParse(many(2)).success).toBe(false)
  })
})

describe('in words', () => {
  const names = {
    field: () => '收缩压',
    value: (_: unknown, value: string | number) => `${value} mmHg`,
    visit: (id: string) => (id === visit ? 'V2' : 'V1'),
    center: () => '北院',
  }
  const said = (of: Condition, language: 'zh' | 'en' = 'zh') => sentenceOf(of, names, language)

  it('each operator reads as a person says it', () => {
    const tests: readonly [AnswerTest, string][] = [
      [{ op: 'eq', value: 1 }, '等于 1 mmHg'],
      [{ op: 'ne', value: 1 }, '不等于 1 mmHg'],
      [{ op: 'lt', value: 1 }, '小于 1 mmHg'],
      [{ op: 'le', value: 1 }, '不大于 1 mmHg'],
      [{ op: 'gt', value: 1 }, '大于 1 mmHg'],
      [{ op: 'ge', value: 1 }, '不小于 1 mmHg'],
      [{ op: 'between', from: 1, to: 2 }, '在 1 mmHg 至 2 mmHg 之间'],
      [{ op: 'contains', value: '痛' }, '包含“痛”'],
      [{ op: 'oneOf', values: [1, 2] }, '为以下之一：1 mmHg、2 mmHg'],
      [{ op: 'empty' }, '为空（未填，也未说明原因）'],
      [{ op: 'filled' }, '已填'],
      [{ op: 'missing', reason: null }, '缺失并已说明原因'],
      [{ op: 'missing', reason: 'ND' }, '缺失，原因为未做'],
    ]
    for (const [test, words] of tests) expect(said(asked(test))).toBe(`任一访视的「收缩压」${words}`)
  })

  it('each quantifier says which values are meant', () => {
    const at: readonly [AnswerAt, string][] = [
      [{ which: 'every' }, '“收缩压” at every visit is filled'],
      [{ which: 'visit', folderId: visit }, '“收缩压” at V2 is filled'],
      [{ which: 'first' }, 'the first value of “收缩压” is filled'],
      [{ which: 'last' }, 'the last value of “收缩压” is filled'],
      [{ which: 'change', folderId: visit, baseline }, 'the change of “收缩压” from V1 to V2 is filled'],
      [{ which: 'change', folderId: null, baseline }, 'the change of “收缩压” from V1 to any other visit is filled'],
    ]
    for (const [which, words] of at) expect(said(asked({ op: 'filled' }, which), 'en')).toBe(words)
  })

  it('groups stand in brackets inside of others', () => {
    const filled = asked({ op: 'filled' })
    const of: Condition = {
      kind: 'all',
      of: [
        { kind: 'any', of: [filled, { kind: 'sex', sex: 'F' }] },
        { kind: 'not', of: { kind: 'center', centers: [center] } },
      ],
    }
    expect(said(of)).toBe('（任一访视的「收缩压」已填或性别为女）且不满足（研究中心为北院）')
    expect(said({ kind: 'all', of: [] })).toBe('全部受试者')
    expect(said({ kind: 'enrolled', from: '2026-01-01', to: null })).toBe('2026-01-01 及以后入组')
  })
})
