import { expect, test } from 'vitest'
import { en } from '#core/exchange/paper/words.en.ts'
import { zh } from '#core/exchange/paper/words.zh.ts'
import { trail } from '#src/i18n/zh/trail.ts'

/** Words of paper beside those of screens: one word for one thing, wherever it is read. */

const keyOf = (action: string) => action.replace('.', '_').replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`)

test('an act is called on paper as the trail on screen calls it', () => {
  const shown: Readonly<Record<string, string>> = trail.action
  // On screen an entry and a change are told apart.
  const onPaper = Object.entries(zh.actions).filter(([action]) => action !== 'item.update')
  const onBoth = onPaper.filter(([action]) => keyOf(action) in shown)
  expect(onBoth.length).toBeGreaterThan(40)
  expect(onBoth.map(([action]) => shown[keyOf(action)])).toEqual(onBoth.map(([, word]) => word))
})

test.each(['actions', 'reasons', 'acts', 'answers'] as const)('both languages have the same %s', (key) => {
  expect(Object.keys(en[key])).toEqual(Object.keys(zh[key]))
})
