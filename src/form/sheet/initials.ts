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

/** The first character of each letter in the order of pinyin; no word begins with i, u or v. */
const FIRST = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨他屲夕丫帀']
const LETTERS = [...'abcdefghjklmnopqrstwxyz']

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
