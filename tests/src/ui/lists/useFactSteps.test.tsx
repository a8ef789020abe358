// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFactSteps } from '#src/ui/lists/useFactSteps.ts'

const IDS = Array.from({ length: 30 }, (_, at) => `p${at}`)
const factsOf = (word: string): ReadonlyMap<string, string> => new Map(IDS.map((id) => [id, word]))

test('facts that come late reach every row, frame by frame, and other facts after them too', async () => {
  const { result, rerender } = renderHook(({ facts }) => useFactSteps(facts, IDS, 4, 'columns'), {
    initialProps: { facts: new Map<string, string>() as ReadonlyMap<string, string> },
  })
  const shown = () => [...new Set(result.current.values())]
  expect(shown()).toEqual([undefined])
  rerender({ facts: factsOf('到期') })
  expect(shown()).toContain(undefined)
  await waitFor(() => expect(shown()).toEqual(['到期']))
  rerender({ facts: factsOf('due') })
  await waitFor(() => expect(shown()).toEqual(['due']))
})

test('in other columns, as those of another language, all rows take their facts at once', () => {
  const { result, rerender } = renderHook(({ facts, columns }) => useFactSteps(facts, IDS, 4, columns), {
    initialProps: { facts: factsOf('到期'), columns: 'zh' },
  })
  rerender({ facts: factsOf('due'), columns: 'en' })
  expect([...new Set(result.current.values())]).toEqual(['due'])
})
