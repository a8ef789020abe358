import { act, cleanup, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { FormState } from '#core/form/engine/engine.ts'
import { FormView } from '#src/form/FormView.tsx'
import { VITALS, entry, opened } from '#tests/core/form/filling.ts'

import { i18n, standInForBrowser } from './screen.tsx'

beforeAll(standInForBrowser)
afterEach(cleanup)

function show(state: FormState, mode: 'input' | 'view' = 'input') {
  render(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter>
        <FormView state={state} mode={mode} language="zh" conflictPath={conflictAt} />
      </MemoryRouter>
    </I18nextProvider>,
  )
}

const conflictAt = (id: string) => `/conflict/${id}`

test('a field in conflict carries the way to where it is decided, and loses it with the decision; its value stays under the hand', () => {
  const state = opened(VITALS, entry({ weight: 60 }))
  show(state)
  expect(screen.queryByRole('link')).toBeNull()
  act(() => state.setConflicts(new Map([['weight', 'c1']])))
  expect(screen.getByRole('link', { name: '体重：查看两个值并决定' }).getAttribute('href')).toBe('/conflict/c1')
  act(() => void state.setText('weight', '61'))
  expect(state.getCell('weight')).toMatchObject({ value: 61, conflict: 'c1' })
  act(() => state.setConflicts(new Map()))
  expect(screen.queryByRole('link')).toBeNull()
})

test('conflicts that are as they were draw no field again', () => {
  const state = opened(VITALS, entry({ weight: 60 }))
  state.setConflicts(new Map([['weight', 'c1']]))
  const told: string[] = []
  for (const prop of ['weight', 'height']) state.subscribe(prop, () => told.push(prop))
  state.setConflicts(new Map([['weight', 'c1']]))
  expect(told).toEqual([])
  state.setConflicts(new Map([['weight', 'c2']]))
  expect(told).toEqual(['weight'])
})

test('who only reads sees both values, and is not asked to decide', () => {
  const state = opened(VITALS, entry({ weight: 60 }))
  act(() => state.setConflicts(new Map([['weight', 'c1']])))
  show(state, 'view')
  expect(screen.getByRole('link', { name: '体重：查看两个值' }).getAttribute('href')).toBe('/conflict/c1')
})
