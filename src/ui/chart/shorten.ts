/** Names beside marks of a chart: SVG neither wraps nor cuts text. */

/** A character takes about so many px: a Latin letter, and one that is as wide as it is high. */
const PX_OF = { letter: 7.5, wide: 13 } as const
const IS_WIDE = /[\u1100-\u11FF\u2E80-\uA4CF\uAC00-\uD7FF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60]/

/** A name that fits in so many px. */
export function shorten(name: string, px: number): string {
  if (widthOf(name) <= px) return name
  let short = ''
  for (const character of name) {
    if (short !== '' && widthOf(`${short}${character}…`) > px) break
    short += character
  }
  return `${short}…`
}

function widthOf(name: string): number {
  let width = 0
  for (const character of name) width += IS_WIDE.test(character) ? PX_OF.wide : PX_OF.letter
  return width
}
