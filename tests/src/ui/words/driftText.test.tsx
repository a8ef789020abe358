import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useDriftText } from '#src/ui/words/driftText.ts'
import { speak } from '#tests/src/support/screen.tsx'

test('a clock that is wrong is told in the unit that fits, and in which direction', async () => {
  await speak('zh')
  const { result } = renderHook(() => useDriftText())
  expect([30_000, -300_000, 3 * 3_600_000, -2 * 86_400_000].map((drift) => result.current(drift))).toEqual([
    '快 30 秒',
    '慢 5 分钟',
    '快 3 小时',
    '慢 2 天',
  ])
})
