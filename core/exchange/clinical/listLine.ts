/**
 * Several values in one text, as a line of delimited text (RFC 4180): ODM 1.3.2 has one value for an item. A part with
 * a comma, a quotation mark or a line break is quoted, and so is an empty one that stands alone.
 */
export function writeListLine(parts: readonly string[]): string {
  return parts
    .map((part) =>
      /[",\r\n]/.test(part) || (part === '' && parts.length === 1) ? `"${part.replaceAll('"', '""')}"` : part,
    )
    .join(',')
}

/** The parts of such a text. A quotation mark that is none of a quoted part stands for itself. */
export function readListLine(line: string): readonly string[] {
  if (line === '') return []
  const parts: string[] = []
  const quotedPart = /"((?:[^"]|"")*)"(?=,|$)/y
  let at = 0
  for (;;) {
    quotedPart.lastIndex = at
    const quoted = quotedPart.exec(line)
    if (quoted === null) {
      const end = line.indexOf(',', at)
      parts.push(line.slice(at, end === -1 ? undefined : end))
      at = end === -1 ? line.length : end
    } else {
      parts.push((quoted[1] ?? '').replaceAll('""', '"'))
      at += quoted[0].length
    }
    if (at >= line.length) return parts
    at += 1
    if (at === line.length) return [...parts, '']
  }
}
