/** As many characters of a name stand on one line beside other things. */
const SHORT = 18

/** A word before the title, such as 示例： or Demo:. */
const PREFIX = /^\s*(?:\p{Script=Han}{1,4}[：:]|(?:Demo|Example|Test):)\s*/u

/**
 * The short name of a study: its title up to the first bracket, colon, comma or dash, as people call it, and cut where
 * that is still long. The whole name is to stand where a pointer and a screen reader find it.
 */
export function shortStudyName(name: string): string {
  const title = name.replace(PREFIX, '')
  const [head = ''] = title.split(/[（(：:—–，,；;]/)
  const called = head.trim().length > 1 ? head.trim() : title.trim() || name.trim()
  const letters = Array.from(called)
  // A Latin letter is half as wide as a Chinese one.
  const width = letters.map((letter) => (letter.charCodeAt(0) < 0x2e80 ? 0.5 : 1))
  let room = SHORT
  const fits = letters.findIndex((_, at) => (room -= width[at] ?? 1) < 0)
  return fits === -1
    ? called
    : `${letters
        .slice(0, fits - 1)
        .join('')
        .trimEnd()}…`
}
