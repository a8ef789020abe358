// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useInsideWindow } from '#src/ui/table/head/useInsideWindow.ts'

const WINDOW_PX = 820

beforeEach(() => {
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(WINDOW_PX)
})

function placed(left: number, width: number): string {
  const element = document.createElement('div')
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(left, 0, width, 100))
  renderHook(() => useInsideWindow({ current: element }, true))
  return element.style.translate
}

test.each([
  ['has room', 100, 300, ''],
  ['would go over the right edge', 500, 480, '-168px'],
  ['would begin left of the window', -40, 300, '48px'],
  ['is a sheet as wide as the window', 0, WINDOW_PX, ''],
] as const)('a layer that %s', (_name, left, width, translate) => {
  expect(placed(left, width)).toBe(translate)
})
