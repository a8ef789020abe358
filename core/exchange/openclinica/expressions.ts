/** Calculations and validations of a CRF template in the words of an XLSForm. */

const NUMBER = '\\s*(-?\\d+(?:\\.\\d+)?)\\s*'
const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=', eq: '=', ne: '!=' }

/** What must hold; '' for nothing, null for a validation that is not known. */
export function constraintOf(validation: string): string | null {
  const text = validation.trim()
  if (text === '') return ''
  const range = new RegExp(`^func:\\s*range\\(${NUMBER},${NUMBER}\\)$`, 'i').exec(text)
  if (range !== null) return `. >= ${range[1] ?? ''} and . <= ${range[2] ?? ''}`
  const bound = new RegExp(`^func:\\s*(gte?|lte?|eq|ne)\\(${NUMBER}\\)$`, 'i').exec(text)
  if (bound !== null) return `. ${SIGNS[(bound[1] ?? '').toLowerCase()] ?? '='} ${bound[2] ?? ''}`
  const pattern = /^regexp:\s*\/(.*)\/$/i.exec(text)?.[1]
  if (pattern === undefined || (pattern.includes("'") && pattern.includes('"'))) return null
  return `regex(., ${pattern.includes("'") ? `"${pattern}"` : `'${pattern}'`})`
}

/** Functions that say there what they say here. */
const SAME: ReadonlySet<string> = new Set(['sum', 'min', 'max', 'pow'])

/**
 * `func: sum(a, b) / 2`; null for one that uses what is not known here. @param isItem whether a name is one of an item
 */
export function calculationOf(source: string, isItem: (name: string) => boolean): string | null {
  const text = /^func:\s*(.*)$/is.exec(source.trim())?.[1]
  if (text === undefined || /['"]/.test(text)) return null
  let isKnown = true
  const written = text.replaceAll(
    /([A-Za-z_]\w*)(\s*\()?|\//g,
    (whole, name: string | undefined, call: string | undefined) => {
      if (name === undefined) return ' div '
      if (call === undefined) {
        isKnown &&= isItem(name)
        return `\${${name}}`
      }
      isKnown &&= SAME.has(name.toLowerCase())
      return whole.toLowerCase()
    },
  )
  return isKnown ? written : null
}
