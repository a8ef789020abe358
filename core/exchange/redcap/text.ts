/** Labels and choices of a dictionary as plain text. */

/** The letters of Latin-1, from À on, as HTML names them. */
const LETTERS =
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
/** The letters of Greek, each with its small one 32 places on. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho  Sigma Tau Upsilon Phi Chi Psi Omega'

const ENTITIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LETTERS.split(' ').map((name, at) => [name, String.fromCodePoint(0xc0 + at)])),
  ...Object.fromEntries(
    GREEK.split(' ').flatMap((name, at) => [
      [name, String.fromCodePoint(0x391 + at)],
      [name.toLowerCase(), String.fromCodePoint(0x3b1 + at)],
    ]),
  ),
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  le: '≤',
  ge: '≥',
  deg: '°',
  micro: 'µ',
  ne: '≠',
  plusmn: '±',
  times: '×',
  frac12: '½',
  sup2: '²',
  sup3: '³',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  lpar: '(',
  rpar: ')',
  num: '#',
  percnt: '%',
  commat: '@',
  ast: '*',
  plus: '+',
  equals: '=',
  sol: '/',
  bsol: '\\',
  lowbar: '_',
  vert: '|',
  verbar: '|',
  colon: ':',
  semi: ';',
  comma: ',',
  period: '.',
  quest: '?',
  excl: '!',
  dollar: '$',
  iexcl: '¡',
  iquest: '¿',
  cent: '¢',
  pound: '£',
  yen: '¥',
  euro: '€',
  sect: '§',
  para: '¶',
  copy: '©',
  reg: '®',
  trade: '™',
  laquo: '«',
  raquo: '»',
  middot: '·',
  frac14: '¼',
  frac34: '¾',
  sup1: '¹',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  infin: '∞',
  asymp: '≈',
  radic: '√',
  check: '✓',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
}

/** A tag; its attributes hold no angle bracket, so that text with many of them is searched once. */
const TAG = /<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?\/?>/giy
/** Tags before and after which a line ends, as a browser shows them; those of cells stand apart from each other. */
const BLOCKS: ReadonlySet<string> = new Set([
  'p',
  'div',
  'li',
  'ul',
  'ol',
  'dl',
  'dt',
  'dd',
  'tr',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'caption',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'br',
  'pre',
  'blockquote',
  'section',
  'article',
  'header',
  'footer',
  'nav',
  'aside',
  'main',
  'figure',
  'figcaption',
  'fieldset',
  'legend',
  'form',
  'center',
  'address',
  'details',
  'summary',
])
const CELLS: ReadonlySet<string> = new Set(['td', 'th', 'option'])

/**
 * A label without its markup. Text that only looks like a tag (`<5 mg`) stays. Takes time linear in the label's length.
 */
export function plainText(label: string): string {
  return withoutMarkup(label)
    .replace(/&([a-z]+\d?\d?|#\d{1,7}|#x[0-9a-f]{1,6});/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

/** Whether a label holds markup that `plainText` takes away. */
export function hasMarkup(label: string): boolean {
  return label.includes('<') && withoutMarkup(label) !== label
}

/** A plain text so that `plainText` gives it back: what would be read as markup or as an entity is written as one. */
export function escapedText(text: string): string {
  return text.replace(/&(?=[a-z]+\d?\d?;|#\d{1,7};|#x[0-9a-f]{1,6};)/gi, '&amp;').replace(/<(?=[a-z/!])/gi, '&lt;')
}

/**
 * Tags taken out, with a line end where one of them ended a line; scripts, styles and comments with all that is in
 * them.
 */
function withoutMarkup(label: string): string {
  const ends = new EndFinder(label)
  let result = ''
  let at = 0
  for (let open = label.indexOf('<'); open !== -1; open = label.indexOf('<', at)) {
    result += label.slice(at, open)
    const piece = markupAt(label, open, ends)
    result += piece?.replacement ?? '<'
    at = piece?.end ?? open + 1
  }
  return result + label.slice(at)
}

function markupAt(
  label: string,
  open: number,
  ends: EndFinder,
): { readonly end: number; readonly replacement: string } | null {
  if (label.startsWith('<!--', open)) {
    const end = ends.after('comment', open + 4)
    return end === null ? null : { end, replacement: '' }
  }
  TAG.lastIndex = open
  const match = TAG.exec(label)
  if (match === null) return null
  const end = open + match[0].length
  const name = (match[1] ?? '').toLowerCase()
  if (match[0][1] !== '/' && (name === 'script' || name === 'style'))
    return { end: ends.after(name, end) ?? end, replacement: '' }
  return { end, replacement: BLOCKS.has(name) ? '\n' : CELLS.has(name) ? ' ' : '' }
}

const ENDS = { comment: /-->/g, script: /<\/script\s*>/gi, style: /<\/style\s*>/gi } as const

/** Finds ends of markup. One that is not there is looked for once, however many beginnings there are. */
class EndFinder {
  readonly #text: string
  readonly #absent = new Set<keyof typeof ENDS>()

  constructor(text: string) {
    this.#text = text
  }

  /** The place behind the next end of that kind, or null when there is none. */
  after(kind: keyof typeof ENDS, from: number): number | null {
    if (this.#absent.has(kind)) return null
    const pattern = ENDS[kind]
    pattern.lastIndex = from
    if (pattern.exec(this.#text) !== null) return pattern.lastIndex
    this.#absent.add(kind)
    return null
  }
}

export interface SourceChoice {
  readonly value: string
  readonly label: string
}

/** `1, Yes | 0, No`, or one choice a line. A part without a comma is its own label. */
export function readChoices(text: string): readonly SourceChoice[] {
  return text
    .split(/\||\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const comma = part.indexOf(',')
      if (comma === -1) return { value: part, label: part }
      const value = part.slice(0, comma).trim()
      const label = part.slice(comma + 1).trim()
      return { value, label: label === '' ? value : label }
    })
}

function entity(name: string): string | null {
  if (name.startsWith('#')) {
    const code = Number(name.toLowerCase().replace('#x', '0x').replace('#', ''))
    return code > 31 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : null
  }
  return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? null) : (ENTITIES[name.toLowerCase()] ?? null)
}
