import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { Loaded } from '#src/ui/Loaded.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { show, speak } from '#tests/src/support/screen.tsx'

beforeAll(() => speak('zh'))

test('a list that is on its way holds its place and says so', () => {
  show(<Loaded of={{ state: 'loading' }}>{() => null}</Loaded>)
  expect(screen.getByRole('status', { name: '正在加载…' })).toBeDefined()
})

test('a list that failed says what happened and offers the next step', async () => {
  const retry = vi.fn<() => void>()
  show(
    <Loaded of={{ state: 'failed', error: { code: 'offline' } }} onRetry={retry}>
      {() => null}
    </Loaded>,
  )
  expect(screen.getByRole('alert').textContent).toContain('网络中断')
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(retry).toHaveBeenCalledOnce()
})

test('a state is never a colour alone: its word is there even when only its shape is drawn', () => {
  show(
    <>
      <StatusBadge status="conflict" />
      <StatusBadge status="missing" count={2} compact />
    </>,
  )
  expect(screen.getByText('有冲突')).toBeDefined()
  expect(screen.getByText('缺 2 项')).toBeDefined()
})
