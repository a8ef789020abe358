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
const FIRST = [
  0x963f, 0x516b, 0x5693, 0x54d2, 0x59b8, 0x53d1, 0x65ee, 0x54c8, 0x8ba5, 0x5494, 0x5783, 0x5988, 0x62cf, 0x5662,
  0x5991, 0x4e03, 0x5465, 0x4ee8, 0x4ed6, 0x5c72, 0x5915, 0x4e2b, 0x5e00,
].map((code) => String.fromCodePoint(code))
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
