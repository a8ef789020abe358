// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { VITALS, opened } from '#tests/core/form/filling.ts'

import { i18n, standInForBrowser } from './screen.tsx'

beforeAll(standInForBrowser)
afterEach(cleanup)

it('lists every error and what the server said, and goes to the field', async () => {
  const state = opened(VITALS)
  state.setValue('sex', '0')
  state.setText('height', '20')
  // A field with two errors is one field to correct.
  const weight = '与上次访视相差过大'
  const jumps: string[] = []
  render(
    <I18nextProvider i18n={i18n}>
      <FormErrorBox
        state={state}
        issues={state.validate()}
        messages={{ height: '请核对单位', weight }}
        language="zh"
        onJump={(prop) => jumps.push(prop)}
      />
    </I18nextProvider>,
  )
  expect(screen.getByRole('heading').textContent).toBe('错误')
  expect(screen.getByText('有 3 项需更正后才能提交')).toBeTruthy()
  expect(screen.getAllByRole('button').map((line) => line.textContent)).toEqual([
    '怀孕必须填写',
    '身高：不应小于 50',
    '身高：请核对单位',
    `体重：${weight}`,
  ])
  await userEvent.click(screen.getByText('怀孕必须填写'))
  expect(jumps).toEqual(['pregnant'])
})

it('says nothing of what must be corrected where there are only warnings', () => {
  const state = opened([{ prop: 'pulse', label: '脉搏', type: 'number', zl: { plausible: { max: 120 } } }])
  state.setText('pulse', '150')
  render(
    <I18nextProvider i18n={i18n}>
      <FormErrorBox state={state} issues={state.validate()} language="zh" onJump={() => undefined} />
    </I18nextProvider>,
  )
  expect(screen.getByRole('heading').textContent).toBe('请核对：确认无误或更正')
  expect(screen.queryByText(/需更正后才能提交/)).toBeNull()
})
