/** A piece of a text, and whether the other text lacks it. */
export interface TextPart {
  readonly text: string
  readonly differs: boolean
}

/** Up to this length a text is compared by letters; a longer one by words, else every second letter is marked. */
const BY_LETTER = 40
/** More pieces than this are not compared one by one: what lies between the same beginning and end is marked whole. */
const MOST_PIECES = 600
/** Where less than this share of the shorter text is in the other one, the two have nothing to do with each other. */
const RELATED = 0.34

/**
 * Where two texts differ: both cut into pieces, those marked that the other lacks. Nothing is marked in texts that have
 * nothing in common: there is nothing to look for in them.
 *
 * @param unit what a text may end with that nobody entered: it is not compared
 */
export function differingParts(a: string, b: string, unit: string | null = null): Both {
  const ending = unit === null ? '' : ` ${unit}`
  const [left, right] = [a, b].map((text) =>
    text.endsWith(ending) ? text.slice(0, text.length - ending.length) : text,
  )
  const withUnit = (parts: readonly TextPart[], text: string, bare: string | undefined): readonly TextPart[] =>
    text === bare ? parts : [...parts, { text: ending, differs: false }]
  const [ofA, ofB] = compareTexts(left ?? '', right ?? '')
  return [withUnit(ofA, a, left), withUnit(ofB, b, right)]
}

type Both = readonly [readonly TextPart[], readonly TextPart[]]

function compareTexts(a: string, b: string): Both {
  const whole = [[{ text: a, differs: false }], [{ text: b, differs: false }]] as const
  if (a === b || a === '' || b === '') return whole
  const isShort = Math.max(a.length, b.length) <= BY_LETTER
  const [left, right] = [piecesOf(a, isShort), piecesOf(b, isShort)]
  const common = commonPieces(left, right)
  const share = common[0].reduce((sum, is, at) => sum + (is ? (left[at]?.length ?? 0) : 0), 0)
  if (share < RELATED * Math.min(a.length, b.length)) return whole
  return [joinParts(left, common[0]), joinParts(right, common[1])]
}

/** Letters; or words of letters and digits, with everything else (also Chinese) letter by letter. */
function piecesOf(text: string, byLetter: boolean): readonly string[] {
  return byLetter ? Array.from(text) : (text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/gu) ?? [])
}

type Flags = readonly boolean[]

/** Which pieces of each are in both, in the same order. */
function commonPieces(a: readonly string[], b: readonly string[]): readonly [Flags, Flags] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const [inA, inB] = commonBetween(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const around = (between: Flags): Flags => [...same(start), ...between, ...same(end)]
  return [around(inA), around(inB)]
}

const same = (count: number): Flags => Array.from({ length: count }, () => true)

/** The longest common subsequence. */
function commonBetween(a: readonly string[], b: readonly string[]): readonly [Flags, Flags] {
  const [inA, inB] = [a.map(() => false), b.map(() => false)]
  if (a.length > MOST_PIECES || b.length > MOST_PIECES) return [inA, inB]
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA[i] = true
      inB[j] = true
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return [inA, inB]
}

function joinParts(pieces: readonly string[], common: Flags): readonly TextPart[] {
  const parts: TextPart[] = []
  for (const [at, piece] of pieces.entries()) {
    const differs = common[at] !== true
    const last = parts.at(-1)
    if (last?.differs === differs) parts[parts.length - 1] = { text: last.text + piece, differs }
    else parts.push({ text: piece, differs })
  }
  return parts
}
