import { expect, test } from 'vitest'
import { svgFile } from '#src/ui/chart/exportChart.ts'

/** A chart as a file of its own. */

const NAMESPACE = 'http://www.w3.org/2000/svg'

test('holds the title, the legend and the drawing, with room for them, and depends on no style sheet', async () => {
  document.body.innerHTML = `<svg xmlns="${NAMESPACE}" width="600" height="220" class="drawing"><path d="M0,0" class="solid"/></svg>`
  const svg = document.querySelector('svg')
  if (svg === null) throw new Error('nothing is drawn')
  const line = document.createElementNS(NAMESPACE, 'line')
  const file = svgFile(svg, { title: '心绞痛研究 · 累计入组', legend: [{ name: '计划 40 例', line }] })
  expect(file.type).toBe('image/svg+xml')
  const whole = new DOMParser().parseFromString(await file.text(), 'image/svg+xml')
  expect(whole.querySelector('parsererror')).toBeNull()
  expect(whole.querySelector('title')?.textContent).toBe('心绞痛研究 · 累计入组')
  expect([...whole.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual([
    '心绞痛研究 · 累计入组',
    '计划 40 例',
  ])
  expect(whole.querySelector('path')?.getAttribute('d')).toBe('M0,0')
  expect(whole.querySelector('[class]')).toBeNull()
  expect(whole.documentElement.getAttribute('viewBox')).toBe('0 0 632 292')
})
