// @vitest-environment jsdom
import '#tests/src/data/support/indexedDb.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'

/** Plans in the making stay while the tab is open: what another test left would be asked about here. */

vi.resetModules()
const { speak } = await import('#tests/src/support/screen.tsx')
const { lookAsOneWho } = await import('./checkDesk.tsx')

beforeAll(() => speak('zh'))

test('an unfinished plan is there again after another part was looked at, and a closing tab asks', async () => {
  lookAsOneWho(['data_review'], {}, { address: '/check?part=plan' })
  await userEvent.click(await screen.findByRole('button', { name: '修订计划' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /说明/ }), '写了一半')
  await userEvent.click(screen.getByRole('tab', { name: '进度' }))
  await screen.findByText('还没有进度')
  await userEvent.click(screen.getByRole('tab', { name: '核查计划' }))
  expect(await screen.findByDisplayValue('写了一半')).toBeTruthy()
  expect(asksToClose()).toBe(true)

  await userEvent.click(screen.getByRole('button', { name: '放弃修改' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '放弃' }))
  expect(await screen.findByText('现行计划 · 第 1 版')).toBeTruthy()
  expect(asksToClose()).toBe(false)
})

function asksToClose(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}
