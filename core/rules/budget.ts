/**
 * What one evaluation of a rule may cost, counted while it runs: a definition comes from strangers, and a rule of a few
 * hundred characters can ask for more work and memory than any machine has (docs/adr/0032-budget-of-rules.md). Counts
 * are of the rule and its values alone, never of a clock, so that tablet and server stop at the same place.
 */

/** Most steps of one rule; a step is what a node of its syntax tree takes, some 50 ns of a server. */
export const RULE_STEPS = 300_000
/**
 * Most characters of texts that one rule makes, those that it drops again among them; an element of a list counts as
 * `ELEMENT` of them.
 */
export const RULE_SIZE = 2_000_000
/** Most characters and elements of what a rule gives. The longest text that a field takes is a tenth of it. */
const RESULT_SIZE = 1_000_000

/** Most of both that all rules of a form spend together each time the form comes to rest. */
const FORM_STEPS = 2_000_000
const FORM_SIZE = 10_000_000

/** An element takes a place of its own, and may be a text of its own. */
const ELEMENT = 16
/** Steps of an error that is made and swallowed. */
const ERROR_STEPS = 100
/** Characters that a function reads in the time of a step. */
const CHARACTERS_A_STEP = 4

/** What a form's rules may still spend until it is at rest. */
export class FormWork {
  steps = FORM_STEPS
  size = FORM_SIZE

  renew(): void {
    this.steps = FORM_STEPS
    this.size = FORM_SIZE
  }
}

/** Thrown where a rule has spent what it may. One object: to make an error each time is work, too. */
const SPENT = new Error('the rule asks for too much work')

// Evaluation is synchronous and rules evaluate no rules, so there is one evaluation at a time.
let steps = RULE_STEPS
let size = RULE_SIZE
let allowedSteps = RULE_STEPS
let allowedSize = RULE_SIZE

/**
 * Errors are how the language says that a value is missing, and nobody reads where they were thrown: to write that down
 * takes ten times as long as the rule itself.
 */
const traces: ErrorConstructor & { stackTraceLimit?: number } = Error
let traceLimit: number | undefined

/** Begins the evaluation of a rule. */
export function beginWork(form: FormWork | undefined): void {
  traceLimit = traces.stackTraceLimit
  traces.stackTraceLimit = 0
  steps = allowedSteps = form === undefined ? RULE_STEPS : Math.min(RULE_STEPS, form.steps)
  size = allowedSize = form === undefined ? RULE_SIZE : Math.min(RULE_SIZE, form.size)
}

/** Ends it: what it spent is spent of the form. Gives whether that was too much. */
export function endWork(form: FormWork | undefined): boolean {
  if (traceLimit !== undefined) traces.stackTraceLimit = traceLimit
  const isSpent = steps < 0 || size < 0
  if (form !== undefined && (steps !== allowedSteps || size !== allowedSize)) {
    form.steps = Math.max(0, form.steps - (allowedSteps - steps))
    form.size = Math.max(0, form.size - (allowedSize - size))
  }
  steps = allowedSteps = RULE_STEPS
  size = allowedSize = RULE_SIZE
  return isSpent
}

/**
 * Counts work before it is done. Once spent, all that follows stops here too: an error that a rule swallows must not
 * let it go on.
 *
 * @throws when the rule has spent what it may
 */
export function spend(count: number): void {
  steps -= count
  if (steps < 0) throw SPENT
}

/**
 * Counts what is about to be made, in characters.
 *
 * @throws when the rule has made what it may
 */
export function make(count: number): void {
  size -= count
  if (size < 0 || steps < 0) throw SPENT
}

/** The same of a list, in elements. */
export function makeList(count: number): void {
  make(count * ELEMENT)
}

/** Counts an error that the rule goes on after. */
export function spendError(): void {
  spend(ERROR_STEPS)
}

/** Counts reading a value to its end: all its characters and elements, however often a part stands in it. */
export function spendReading(value: unknown): void {
  if (typeof value === 'string') spend(1 + Math.ceil(value.length / CHARACTERS_A_STEP))
  else if (typeof value !== 'object' || value === null) return
  else if (value instanceof Uint8Array) spend(1 + value.length)
  else if (Array.isArray(value) || value instanceof Set) {
    spend(4 + (value instanceof Set ? value.size : value.length))
    for (const item of value) if (typeof item === 'string' || typeof item === 'object') spendReading(item)
  } else if (value instanceof Map) {
    spend(1 + 2 * value.size)
    for (const [key, item] of value) {
      spendReading(key)
      spendReading(item)
    }
  } else {
    const items: readonly (readonly [string, unknown])[] = Object.entries(value)
    spend(1 + 2 * items.length)
    for (const [, item] of items) spendReading(item)
  }
}

/** Counts looking for a text within another: at worst each place is compared with all of it. */
export function spendSearch(text: unknown, part: unknown): void {
  if (typeof text === 'string' && typeof part === 'string') spend(Math.ceil((text.length * part.length) / 64))
}

/** Counts what a rule gives, as it is when each part of it is written out. */
export function spendResult(value: unknown): void {
  if (typeof value === 'string') make(value.length > RESULT_SIZE ? Number.POSITIVE_INFINITY : 0)
  else if (Array.isArray(value)) countResult(value, { left: RESULT_SIZE })
}

function countResult(value: unknown, room: { left: number }): void {
  room.left -= typeof value === 'string' ? 1 + value.length : 1
  if (room.left < 0) make(Number.POSITIVE_INFINITY)
  if (Array.isArray(value)) for (const item of value) countResult(item, room)
}

/** The length of a list of texts joined, counted before it is. */
export function lengthJoined(list: Iterable<unknown>, separator: number): number {
  let length = -separator
  for (const item of list) length += separator + (typeof item === 'string' ? item.length : 0)
  return Math.max(0, length)
}
