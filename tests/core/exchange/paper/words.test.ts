import { expect, test } from 'vitest'
import { en } from '#core/exchange/paper/words.en.ts'
import { zh } from '#core/exchange/paper/words.zh.ts'
import { trail } from '#src/i18n/zh/trail.ts'

/** Words of paper beside those of screens: one word for one thing, wherever it is read. */

const keyOf = (action: string) => action.replace('.', '_').replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`)

test('an act is called on paper as the trail on screen calls it', () => {
  const shown: Readonly<Record<string, string>> = trail.action
  for (const [action, word] of Object.entries(zh.actions)) {
    const onScreen = shown[keyOf(action)]
    // On screen an entry and a change are told apart; of a refused deletion there is no word.
    if (action !== 'item.update' && onScreen !== undefined) expect([action, word]).toEqual([action, onScreen])
  }
})

test('both languages have the same words', () => {
  for (const key of ['actions', 'reasons', 'acts', 'answers'] as const)
    expect(Object.keys(en[key])).toEqual(Object.keys(zh[key]))
})
