import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { FormEdit } from '#src/form/formActions.ts'
import { PageNotDone } from '#src/screens/ecrf/page/PageNotDone.tsx'
import { VITALS, entry, opened, compiled } from '#tests/core/form/filling.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** A page that was not done: one reason for all of it, in a sheet. */

beforeAll(() => speak('zh'))

function open() {
  const form = opened(compiled(VITALS), entry({ weight: 61 }))
  const edits: FormEdit[] = []
  show(
    <>
      <PageNotDone form={form} onEdit={(edit) => edits.push(edit)} />
      <main id="main" tabIndex={-1} />
    </>,
  )
  return { form, edits }
}

test('one tap on the reason marks all that is empty, and the focus goes to the page, whose button is gone', async () => {
  const { form, edits } = open()
  await userEvent.click(screen.getByRole('button', { name: '本页未做' }))
  await userEvent.click(screen.getByRole('button', { name: '未查' }))
  expect(form.getCell('height')?.missing).toEqual({ m: 'ND', reason: '未查' })
  expect(form.getCell('weight')).toMatchObject({ value: 61, missing: null })
  expect(edits.length).toBeGreaterThan(0)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('closed without a reason it marks nothing, and the focus is back on the button', async () => {
  const { form, edits } = open()
  await userEvent.click(screen.getByRole('button', { name: '本页未做' }))
  await screen.findByRole('dialog', { name: '本页未做' })
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '本页未做' }))
  expect([form.getCell('height')?.missing, edits]).toEqual([null, []])
})
