import { expect, test } from 'vitest'
import { shownOn } from '#scripts/lib/shownOn.ts'

const context = (yaml: string) =>
  `# Error details\n\n\`\`\`\nError\n\`\`\`\n\n# Page snapshot\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n\n# Test source\n`

test('what stands in the main part of the page when a story fails is told, without frames and references', () => {
  const told = shownOn(
    context(
      [
        '- banner [ref=e4]:',
        '  - link "证录" [ref=e9] [cursor=pointer]',
        '- main [ref=e40]:',
        '  - generic [ref=e50]:',
        '    - heading "生命体征" [level=1] [ref=e53]',
        '    - paragraph [ref=e70]: 正在下载',
      ].join('\n'),
    ),
  )
  expect(told).toEqual(['|     - heading "生命体征" [level=1]', '|     - paragraph: 正在下载'])
})

test('of a long screen the beginning is told, and how much is left', () => {
  const told = shownOn(context(['- main:', ...Array.from({ length: 50 }, (_, at) => `  - text: ${at}`)].join('\n')))
  expect(told).toHaveLength(41)
  expect(told.at(-1)).toBe('| … 10 more lines')
})

test('a context without a screen tells nothing', () => {
  expect(shownOn('# Error details\n')).toEqual([])
})
