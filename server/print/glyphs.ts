/**
 * Which characters a font can draw, from its character map (OpenType `cmap`, formats 4 and 12). What it cannot draw is
 * printed by its number: an empty box would be read as nothing, and a program that draws none would leave it out.
 */
export type Draws = (codePoint: number) => boolean

interface Span {
  readonly first: number
  readonly last: number
}

export function readGlyphs(font: Buffer): Draws {
  const spans = mapOffsets(font)
    .flatMap((at) => readSpans(font, at))
    .toSorted((one, other) => one.first - other.first)
  const drawn = new Uint8Array(0x110000 / 8)
  for (const { first, last } of spans)
    for (let point = first; point <= last; point += 1) drawn[point >> 3] = (drawn[point >> 3] ?? 0) | (1 << (point & 7))
  return (point) => ((drawn[point >> 3] ?? 0) & (1 << (point & 7))) !== 0
}

function mapOffsets(font: Buffer): readonly number[] {
  const tables = font.readUInt16BE(4)
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) !== 'cmap') continue
    const cmap = font.readUInt32BE(at + 8)
    const count = font.readUInt16BE(cmap + 2)
    return Array.from({ length: count }, (_, no) => cmap + font.readUInt32BE(cmap + 8 + no * 8))
  }
  return []
}

function readSpans(font: Buffer, at: number): readonly Span[] {
  const format = font.readUInt16BE(at)
  if (format === 12)
    return Array.from({ length: font.readUInt32BE(at + 12) }, (_, no) => ({
      first: font.readUInt32BE(at + 16 + no * 12),
      last: font.readUInt32BE(at + 20 + no * 12),
    }))
  if (format !== 4) return []
  const half = font.readUInt16BE(at + 6)
  return Array.from({ length: half / 2 }, (_, no) => ({
    first: font.readUInt16BE(at + 16 + half + no * 2),
    last: font.readUInt16BE(at + 14 + no * 2),
  })).filter(({ last }) => last !== 0xffff)
}

/** The text with what the font cannot draw by its number, such as `[U+1F600]`. Line ends stay, tabs are blanks. */
export function drawableText(text: string, draws: Draws): string {
  let made = ''
  for (const char of text.toWellFormed().replaceAll(/\r\n?/g, '\n')) {
    const point = char.codePointAt(0) ?? 0
    if (char === '\n' || (point > 0x1f && draws(point))) {
      made += char
      continue
    }
    made += char === '\t' ? ' ' : `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`
  }
  return made
}
