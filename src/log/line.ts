import { ApiFailure, isErrorCode } from '#core/api/errors.ts'

/**
 * What a line of the error log may contain. Whatever an error carries may quote what somebody entered, so nothing is
 * kept as it came. Of an address it keeps the pattern; of a message, which known browser sentence it is (without what
 * it quotes); of a stack, where in our own scripts. Our own errors are codes.
 */

/** Where a line comes from. */
export type LogType = 'error' | 'unhandledrejection' | 'screen' | 'api' | 'sync'

const MOST_FRAMES = 40

/** Words of our addresses (specification §2, InsideRoutes). Any other part of an address may be anything. */
const WORDS: ReadonlySet<string> = new Set(
  (
    '302 403 404 500 admin attach attention audit calendar canvas chat conflict contribution controller create crfHistory database design ' +
    'device devices dict diff eCRF encode external his import inbox index info lock log login mem message myiframe mysql p page patients ' +
    'preview project projectConf projectInfo projects query recruitment report search site statistical tableSearch template test user v ' +
    'visit wel workspace check'
  ).split(' '),
)

/** The pattern of an address of the app: its words, and `:x` for everything else; never its query. */
export function pathPattern(path: string): string {
  const [bare = ''] = path.split(/[?#]/)
  const parts = bare.split('/').filter((part) => part !== '')
  return `/${parts
    .slice(0, 12)
    .map((part) => (WORDS.has(part) ? part : ':x'))
    .join('/')}`
}

/**
 * Sentences of browsers and of React: a pattern that recognises each, whatever it quotes, and the text that is noted.
 */
const SENTENCES: readonly (readonly [in_: RegExp, as: string])[] = [
  [
    /cannot read propert|undefined is not an object|null is not an object|can't access property/i,
    'cannot read a property of undefined',
  ],
  [/cannot set propert/i, 'cannot set a property of undefined'],
  [/is not a function/i, 'is not a function'],
  [/is not iterable|not a spreadable/i, 'is not iterable'],
  [/is not defined|can't find variable/i, 'is not defined'],
  [/before initialization/i, 'used before initialization'],
  [/maximum call stack|too much recursion/i, 'too much recursion'],
  [
    /dynamically imported module|importing a module script failed|loading chunk/i,
    'a part of the app could not be loaded',
  ],
  [/failed to fetch|load failed|networkerror/i, 'failed to fetch'],
  [/is not valid json|unexpected token|unexpected end of json|json\.parse/i, 'not valid JSON'],
  [/quota/i, 'quota exceeded'],
  [/minified react error #\d{1,4}/i, 'React error'],
]

/** What an error is: our own by their code, others by name and known sentence. */
export function messageOf(thrown: unknown): string {
  const code = codeOf(thrown)
  if (code !== null) return code
  if (!(thrown instanceof Error)) return typeof thrown === 'object' && thrown !== null ? 'object' : typeof thrown
  const [, number] = /minified react error #(\d{1,4})/i.exec(thrown.message) ?? []
  const sentence = SENTENCES.find(([in_]) => in_.test(thrown.message))?.[1]
  const name = nameOf(thrown)
  if (sentence === undefined) return name
  return `${name}: ${sentence}${number === undefined ? '' : ` #${number}`}`
}

function codeOf(thrown: unknown): string | null {
  if (thrown instanceof ApiFailure) return thrown.error.code
  const code: unknown = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null
  return typeof code === 'string' && isErrorCode(code) ? code : null
}

/** Names that browsers and libraries give; other names may be anything. */
const NAMES: ReadonlySet<string> = new Set(
  (
    'AbortError AggregateError ConstraintError DataCloneError DataError DatabaseClosedError DOMException Error EvalError InvalidAccessError ' +
    'InvalidStateError InternalError NetworkError NotAllowedError NotFoundError NotReadableError NotSupportedError OperationError OpenFailedError ' +
    'QuotaExceededError RangeError ReadOnlyError ReferenceError SecurityError SyntaxError TimeoutError TransactionInactiveError TypeError ' +
    'UnknownError URIError VersionError'
  ).split(' '),
)

function nameOf({ name }: Error): string {
  return NAMES.has(name) ? name : 'Error'
}

/** A script of ours with line and column, as every browser writes it into its stacks. */
const FRAME =
  /((?:https?:\/\/[^\s()@]*?)?\/(?:assets|src|workers|node_modules)\/[\w.$/@-]{1,160}?\.(?:js|mjs|ts|tsx))(?:\?[\w=.&%-]*)?:(\d{1,7}):(\d{1,7})/

/**
 * Where in our scripts an error came from, one line per frame. Function names and other scripts are left out.
 *
 * @param origin of this app
 */
export function framesOf(thrown: unknown, origin: string): string {
  if (!(thrown instanceof Error) || typeof thrown.stack !== 'string') return ''
  // Chromium repeats name and message, which may have many lines and look like frames.
  const at = thrown.message === '' ? -1 : thrown.stack.indexOf(thrown.message)
  return frames(at < 0 ? thrown.stack : thrown.stack.slice(at + thrown.message.length), origin)
}

/** The same for a stack without a message, as React gives for a drawing that failed. */
export function frames(stack: string, origin: string): string {
  const kept = stack.split('\n').flatMap((line) => {
    const [, script = '', row, column] = FRAME.exec(line) ?? []
    if (row === undefined || (script.startsWith('http') && !script.startsWith(`${origin}/`))) return []
    return [`${script.startsWith('http') ? script.slice(origin.length) : script}:${row}:${column}`]
  })
  return kept.slice(0, MOST_FRAMES).join('\n')
}
