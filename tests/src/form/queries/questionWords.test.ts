import { expect, test } from 'vitest'
import type { QueryTurn } from '#core/review/queryThread.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { questionWords } from '#src/form/queries/questionWords.ts'

/** What was asked is shown in the reader's language, and never in words in which nobody has asked. */

function fieldWith(message: { readonly zh: string; readonly en?: string }): Field {
  const checks = [{ id: 'order', when: 'page.dbp > 90.0', severity: 'query', message }]
  const parsed = parsePage(
    JSON.stringify({ column: [{ prop: 'dbp', label: '舒张压', type: 'number', zl: { checks } }] }),
  )
  const field = parsed.ok ? parsed.page.byCode.get('dbp') : undefined
  if (field === undefined) throw new Error('no such field')
  return field
}

function asked(rule: string | null, text: string) {
  const at = '2026-11-21T08:00:00.000Z'
  const by = { by: null, byName: '', role: null, at, receivedAt: at }
  const turn: QueryTurn = {
    key: 'k',
    act: 'raise',
    effect: 'applied',
    state: 'open',
    text,
    category: null,
    content: null,
    ...by,
  }
  return { rule, thread: [turn] }
}

const BOTH = { zh: '舒张压过高', en: 'Diastolic is high' }

test('a check’s question is in English for who reads English, in Chinese for who does not', () => {
  expect(questionWords(asked('order', '舒张压过高'), fieldWith(BOTH), 'en')).toBe('Diastolic is high')
  expect(questionWords(asked('order', '舒张压过高'), fieldWith(BOTH), 'zh')).toBe('舒张压过高')
})

test('it stays as it was asked where the check has no English words, says something else by now, or is gone', () => {
  expect(questionWords(asked('order', '舒张压过高'), fieldWith({ zh: '舒张压过高' }), 'en')).toBe('舒张压过高')
  const other = fieldWith({ zh: '请复测舒张压', en: 'Please measure again' })
  for (const language of ['zh', 'en'] as const)
    expect(questionWords(asked('order', '舒张压过高'), other, language)).toBe('舒张压过高')
  expect(questionWords(asked('order', '舒张压过高'), null, 'en')).toBe('舒张压过高')
})

test('a person’s question, and words that are masked, stay as they are', () => {
  expect(questionWords(asked(null, '舒张压过高'), fieldWith(BOTH), 'en')).toBe('舒张压过高')
  expect(questionWords(asked('order', '***'), fieldWith(BOTH), 'en')).toBe('***')
})
