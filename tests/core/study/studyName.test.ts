import { expect, test } from 'vitest'
import { studyName } from '#core/study/studyName.ts'

test.each([
  ['心绞痛研究 / Angina study', '心绞痛研究', 'Angina study'],
  ['Angina study / 心绞痛研究', '心绞痛研究', 'Angina study'],
  ['心绞痛研究', '心绞痛研究', '心绞痛研究'],
  ['Angina / Heart failure', 'Angina / Heart failure', 'Angina / Heart failure'],
  ['心绞痛 / 心衰 / Angina', '心绞痛 / 心衰 / Angina', '心绞痛 / 心衰 / Angina'],
])('%s is read as %s and as %s', (name, zh, en) => {
  expect([studyName(name, 'zh'), studyName(name, 'en')]).toEqual([zh, en])
})
