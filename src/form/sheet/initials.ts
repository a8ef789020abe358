/**
 * The pinyin initials of a text, as people type them to find a choice: 气虚血瘀证 is `qxxyz`. Letters and digits stay,
 * in lower case. Each character has its most usual reading, by the browser's own order of Chinese words.
 */
export function initialsOf(text: string): string {
  let initials = ''
  for (const letter of text.toLowerCase()) initials += HAN.test(letter) ? initialOf(letter) : letter
  return initials
}

const HAN = /\p{Script=Han}/u

/**
 * The first character of each letter in the order of pinyin, which no reader sees; no word begins with i, u or v.
 */
const FIRST = Array.from(
  '\u963F\u516B\u5693\u54D2\u59B8\u53D1\u65EE\u54C8\u8BA5\u5494\u5783' +
    '\u5988\u62CF\u5662\u5991\u4E03\u5465\u4EE8\u4ED6\u5C72\u5915\u4E2B\u5E00',
)
const LETTERS = 'abcdefghjklmnopqrstwxyz'

const order = new Intl.Collator('zh-CN-u-co-pinyin')
const known = new Map<string, string>()

function initialOf(letter: string): string {
  const found = known.get(letter)
  if (found !== undefined) return found
  const at = FIRST.findLastIndex((first) => order.compare(first, letter) <= 0)
  const initial = LETTERS[at] ?? letter
  known.set(letter, initial)
  return initial
}
