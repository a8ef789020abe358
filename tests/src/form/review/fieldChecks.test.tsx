import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import type { JsonValue } from '#core/json.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { FormView } from '#src/form/FormView.tsx'
import { ReviewMarks } from '#src/form/review/reviewMarks.ts'
import type { FieldMarks, ReviewPort } from '#src/form/review/reviewMarks.ts'
import { compiled, entry, VITALS } from '#tests/core/form/filling.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The marks of checking beside the fields of a page that is read. */

beforeAll(() => speak('zh'))

const NONE = { state: null, due: false, busy: false } as const

function open(values: Readonly<Record<string, JsonValue>>, masked = false) {
  const state = createFormState(compiled(VITALS), entry(values), {
    moment: { today: '2026-03-01', now: '2026-03-01 09:30:00' },
    readOnly: true,
    masked,
  })
  const marks = new ReviewMarks()
  const press = vi.fn<ReviewPort['press']>()
  marks.answer(press)
  const port: ReviewPort = {
    own: ['sdv'],
    at: marks.at,
    subscribe: marks.subscribe,
    version: marks.version,
    press: marks.press,
  }
  show(<FormView state={state} mode="view" language="zh" review={port} />)
  const say = (some: Readonly<Record<string, Partial<FieldMarks>>>) =>
    act(() =>
      marks.show(new Map(Object.entries(some).map(([at, one]) => [at, { sdv: NONE, dmr: NONE, ...one }] as const))),
    )
  return { say, press, state }
}

const nameOf = (code: string) =>
  document.querySelector(`[data-row="${code}"] [data-check]`)?.getAttribute('aria-label') ?? null

test('a mark says its state in colour, shape and word; what the plan does not ask for may be verified too', async () => {
  const { say, press } = open({ height: 170, weight: 61 })
  expect(nameOf('weight')).toBeNull()
  say({
    weight: { sdv: { state: 'changed', due: true, busy: false }, dmr: { state: 'verified', due: true, busy: false } },
  })
  expect(nameOf('weight')).toBe('体重：源数据核查，需重新核查')
  expect(document.querySelector('[data-row="weight"] [data-review="changed"]')).toBeTruthy()
  expect(document.querySelector('[data-row="weight"] [data-review="verified"]')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /数据审核/ })).toBeNull()
  expect(nameOf('height')).toBe('身高：源数据核查，计划不要求核查')
  await userEvent.click(screen.getByRole('button', { name: /身高/ }))
  expect(press).toHaveBeenCalledWith('height', 'sdv')
})

test('what identifies the subject and is masked, what is calculated and what is empty cannot be verified', async () => {
  const { say, press } = open({ height: 170, weight: 61, advice: '***' }, true)
  say({})
  expect(nameOf('advice')).toContain('内容对您不可见')
  expect(nameOf('bmi')).toContain('自动计算')
  expect(nameOf('sex')).toContain('没有内容')
  await userEvent.click(screen.getByRole('button', { name: /建议/ }))
  expect(press).not.toHaveBeenCalled()
})

test('a mark that changes tells its own field only', () => {
  const marks = new ReviewMarks()
  const told: string[] = []
  for (const at of ['weight', 'height']) marks.subscribe(at, () => told.push(at))
  const height: FieldMarks = { sdv: { state: 'verified', due: true, busy: false }, dmr: NONE }
  marks.show(new Map([['height', height]]))
  expect(told.toSorted()).toEqual(['height', 'weight'])
  told.length = 0
  marks.show(
    new Map([
      ['height', { ...height }],
      ['weight', { ...height, sdv: { ...height.sdv, busy: true } }],
    ]),
  )
  expect(told).toEqual(['weight'])
})
