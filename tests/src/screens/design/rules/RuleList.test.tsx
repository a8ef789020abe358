import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import { rulesOf } from '#core/design/rules/ruleList.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'
import { RuleList } from '#src/screens/design/rules/RuleList.tsx'
import { designWith } from '#tests/src/screens/design/support/draft.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

/** All rules of a version, as somebody looks for one and walks through them. */

beforeAll(() => speak('zh'))
// Nothing is laid out in jsdom, and of a list without a height no line is drawn.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600))
afterEach(() => void vi.restoreAllMocks())

const check = { id: 'c', when: 'page.pulse > 200.0', severity: 'warning', message: { zh: '过快', en: 'Too fast' } }
const design = designWith([
  { prop: 'pulse', label: '脉搏', type: 'number', zl: { show: 'page.weight > 1.0', checks: [check] } },
  { prop: 'weight', label: '体重', type: 'number', zl: { require: 'page.pulse > 50.0' } },
])

function showList(problems: readonly VersionProblem[] = []): (RuleKey | null)[] {
  const chosen: (RuleKey | null)[] = []
  function Choosing() {
    const [address, setAddress] = useState<RuleKey | null>(null)
    return (
      <RuleList
        design={design}
        lines={rulesOf(design)}
        problems={problems}
        chosen={address}
        onChoose={(next) => {
          chosen.push(next)
          setAddress(next)
        }}
      />
    )
  }
  show(<Choosing />)
  return chosen
}

const lines = () => screen.getByRole('listbox', { name: '规则列表' })
const shown = () => [...lines().querySelectorAll('[role="option"]')].map((line) => line.textContent)
const choose = async (list: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: list }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

test('each says what it does, of which field on which page, and how it is written', () => {
  showList()
  expect(shown()).toEqual([
    '显示脉搏体征 · page.weight > 1.0',
    '核查 · 警告脉搏体征 · page.pulse > 200.0',
    '必填体重体征 · page.pulse > 50.0',
  ])
  expect(screen.getByText('共 3 条规则')).toBeTruthy()
})

test('they are narrowed down by what they do, by page, and by a word of theirs in either language', async () => {
  showList()
  await choose('类型', '必填')
  expect(shown()).toEqual(['必填体重体征 · page.pulse > 50.0'])
  expect(screen.getByText('3 条中的 1 条')).toBeTruthy()
  await choose('类型', '核查')
  fireEvent.change(screen.getByRole('textbox', { name: '查找字段、编码、表达式或提示' }), { target: { value: 'FAST' } })
  expect(shown()).toEqual(['核查 · 警告脉搏体征 · page.pulse > 200.0'])
  await choose('表单页', '随访 · 用药')
  expect(shown()).toEqual([])
})

test('keys go from rule to rule, and what is chosen is said', async () => {
  const chosen = showList()
  lines().focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(chosen.at(-1)).toMatchObject({ prop: 'pulse', kind: 'show' })
  expect(lines().getAttribute('aria-activedescendant')).toBe('rule-0')
  await userEvent.keyboard('{End}')
  expect(chosen.at(-1)).toMatchObject({ prop: 'weight', kind: 'require' })
  await userEvent.keyboard('{ArrowDown}')
  expect(chosen).toHaveLength(2)
  await userEvent.keyboard('{Home}')
  expect(chosen.at(-1)).toMatchObject({ kind: 'show' })
  await userEvent.click(screen.getByText('体重'))
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('体重')
})

test('one that is wrong or goes in a circle is marked', () => {
  const at = { folder: 'V1', page: 'VS' }
  showList([
    { ...at, kind: 'rule', field: 'weight', says: 'weight: page.pulse > 50.0' },
    { ...at, kind: 'cycle', field: null, says: 'pulse → weight → pulse' },
  ])
  const [showing, checking, requiring] = shown()
  expect(showing).toContain('循环引用')
  expect(checking).not.toMatch(/循环|有误/u)
  expect(requiring).toContain('有误')
})
