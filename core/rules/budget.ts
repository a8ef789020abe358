/**
 * What one evaluation of a rule may cost, counted while it runs. A definition comes from strangers, and a rule of a few
 * hundred characters can ask for more work and memory than any machine has (docs/adr/0032-budget-of-rules.md). The
 * count depends only on the rule and its values, never on a clock, so that tablet and server stop at the same place.
 */

/** Most steps of one rule; a step is the time of one node of its syntax tree, about 50 ns on a server. */
export const RULE_STEPS = 300_000
/**
 * Most characters of texts that one rule makes, including texts that it drops again; an element of a list counts as
 * `ELEMENT` characters.
 */
export const RULE_SIZE = 2_000_000
/** Most characters and elements in a rule's result. The longest text of a field is a tenth of this. */
const RESULT_SIZE = 1_000_000

/** The shared limits of both for all rules of a form, each time the form settles. */
const FORM_STEPS = 2_000_000
const FORM_SIZE = 10_000_000

/** An element needs a place of its own, and may be a text of its own. */
const ELEMENT = 16
/** Steps for an error that is made and swallowed. */
const ERROR_STEPS = 100
/** Characters that a function reads in the time of one step. */
const CHARACTERS_A_STEP = 4

/** What a form's rules may still spend until the form has settled. */
export class FormWork {
  steps = FORM_STEPS
  size = FORM_SIZE

  renew(): void {
    this.steps = FORM_STEPS
    this.size = FORM_SIZE
  }
}

/** Thrown where a rule has used up its budget. It is one object, because making an error each time is work too. */
const SPENT = new Error('the rule asks for too much work')

// There is one evaluation at a time: evaluation is synchronous, and rules do not evaluate rules.
let steps = RULE_STEPS
let size = RULE_SIZE
let allowedSteps = RULE_STEPS
let allowedSize = RULE_SIZE

/**
 * The language uses errors to say that a value is missing, and nobody reads where they were thrown. Recording a stack
 * trace would take ten times as long as the rule itself.
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

/** Ends the evaluation and subtracts what it spent from the form's budget. Gives whether that was too much. */
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
 * Counts work before it is done. Once the budget is used up, all later work stops here too: a rule that swallows the
 * error must not go on.
 *
 * @throws when the rule has used up its steps
 */
export function spend(count: number): void {
  steps -= count
  if (steps < 0) throw SPENT
}

/**
 * Counts what is about to be made, in characters.
 *
 * @throws when the rule has used up its size
 */
export function make(count: number): void {
  size -= count
  if (size < 0 || steps < 0) throw SPENT
}

/** The same for a list, in elements. */
export function makeList(count: number): void {
  make(count * ELEMENT)
}

/** Counts an error after which the rule goes on. */
export function spendError(): void {
  spend(ERROR_STEPS)
}

/** Counts reading a value to its end: all its characters and elements, a repeated part each time. */
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

/** Counts searching for a text in another: in the worst case each place is compared with all of it. */
export function spendSearch(text: unknown, part: unknown): void {
  if (typeof text === 'string' && typeof part === 'string') spend(Math.ceil((text.length * part.length) / 64))
}

/** Counts a rule's result as if each part of it were written out. */
export function spendResult(value: unknown): void {
  if (typeof value === 'string') make(value.length > RESULT_SIZE ? Number.POSITIVE_INFINITY : 0)
  else if (Array.isArray(value)) countResult(value, { left: RESULT_SIZE })
}

function countResult(value: unknown, room: { left: number }): void {
  room.left -= typeof value === 'string' ? 1 + value.length : 1
  if (room.left < 0) make(Number.POSITIVE_INFINITY)
  if (Array.isArray(value)) for (const item of value) countResult(item, room)
}

/** The length of a joined list of texts, counted before it is joined. */
export function lengthJoined(list: Iterable<unknown>, separator: number): number {
  let length = -separator
  for (const item of list) length += separator + (typeof item === 'string' ? item.length : 0)
  return Math.max(0, length)
}
