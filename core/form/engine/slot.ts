import type { CompiledCell } from '#core/form/compiled/compile.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { offeredChoices } from '#core/form/definition/choices.ts'
import { isMasked } from '#core/form/definition/mask.ts'
import type { Field, FormMode } from '#core/form/definition/page.ts'
import { isCollected, isTable } from '#core/form/definition/page.ts'
import type { Limits } from '#core/form/definition/readLimits.ts'
import { checkValueShape } from '#core/form/definition/shape.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { canonicalJson } from '#core/json.ts'
import type { Rule, RuleOutcome, RuleScope } from '#core/rules/rule.ts'
import type { CelValue } from '#core/rules/values.ts'
import { toCel } from '#core/rules/values.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import { rowContent, rowsOf, stateOf } from '#core/sync/merge.ts'

import type { Cell, RuleFault } from './cell.ts'
import type { Issue } from './issue.ts'
import { definitionIssue, implausibility, isSeenByRules, nonConformity, sideOf } from './issue.ts'
import { answerWarning, saysOfCheck, saysOfRange } from './warning.ts'

/** The table row to which a cell belongs. */
export interface SlotRow {
  readonly table: string
  readonly rid: string
  /** What the row's rules read. */
  readonly scope: RuleScope
  /** Marks a cell to be settled. */
  mark(slot: Slot): void
  /** Called when one of the row's cells looks different. */
  outdate(): void
  /** Whether another existing row holds the same value in that field. */
  hasTwin(slot: Slot): boolean
}

/** The changeable part of one cell. Only the form state writes to it. */
export interface Slot {
  /** The cell's address (`addressKey`); for a field of another page, the name of its cell. */
  readonly key: string
  readonly cell: CompiledCell
  /** The row of the cell; null for a field of a page. */
  readonly row: SlotRow | null
  value: JsonValue | null
  /** Of a table: the rows that exist. */
  rows: readonly string[] | null
  text: string | null
  missing: Missing | null
  /** What may be chosen now. */
  choices: readonly Choice[]
  /** The result of the show rule. Rules see the value then, even where the definition hides the field. */
  shown: boolean
  visible: boolean
  required: boolean
  readOnly: boolean
  issues: readonly Issue[]
  reference: Limits | null
  flag: 'low' | 'high' | null
  /** Answers to warnings about the value, whether or not they still hold. */
  answers: readonly Confirmation[]
  serverMessage: string | null
  conflict: string | null
  left: boolean
  /** Whether a person edited the cell since the base was set. */
  edited: boolean
  /** The cell holds the initial value of a new entry, and nobody has saved it yet. */
  initial: boolean
  /**
   * A mask replaces a value that this reader may not see: the cell gets no issues, and the mask must not overwrite the
   * value.
   */
  masked: boolean
  /** The cell was left empty in a copied row, because this reader may not see the value in the original row. */
  notCopied: boolean
  /** Of a calculated cell without a value: a value that its rule reads is missing. */
  waits: boolean
  faults: readonly RuleFault[]
  snapshot: Cell
}

type Outcomes = Pick<Slot, 'visible' | 'required' | 'readOnly' | 'choices' | 'issues' | 'reference' | 'flag'>

export function newSlot(
  cell: CompiledCell,
  value: JsonValue | null,
  missing: Missing | null,
  row: SlotRow | null = null,
): Slot {
  const key = row === null ? cell.key : addressKey({ table: row.table, rid: row.rid, code: cell.key })
  const state = {
    key,
    value,
    rows: null,
    text: null,
    missing,
    choices: cell.field.choices,
    visible: true,
    required: false,
    readOnly: true,
    issues: [],
    reference: null,
    flag: null,
    serverMessage: null,
    conflict: null,
    // A kept value that is no value of the field is reported as soon as the page is opened again.
    left: value !== null && nonConformity(cell.field, value) !== null,
    initial: false,
    notCopied: false,
    waits: false,
  }
  return {
    ...state,
    cell,
    row,
    shown: true,
    edited: false,
    masked: false,
    answers: NO_ANSWERS,
    faults: [],
    snapshot: { ...state, field: cell.field, calculated: cell.calculate !== null },
  }
}

/** Gives a field of a new entry its initial value from the definition. */
export function begin(slot: Slot): void {
  const { field, calculate } = slot.cell
  if (field.initial === null || calculate !== null || slot.value !== null || slot.missing !== null) return
  const value = canonicalValue(field, field.initial)
  // A value whose structure would be refused cannot be saved, so the field does not begin with it.
  if (value === null || checkValueShape(field, value) !== null) return
  slot.value = value
  slot.initial = true
}

/** Takes a new snapshot if anything that a screen draws has changed. Gives whether it has. */
export function refreshSnapshot(slot: Slot): boolean {
  const { snapshot } = slot
  const notCopied = slot.notCopied && slot.value === null && slot.missing === null
  const same =
    snapshot.text === slot.text &&
    snapshot.rows === slot.rows &&
    snapshot.choices === slot.choices &&
    snapshot.visible === slot.visible &&
    snapshot.required === slot.required &&
    snapshot.readOnly === slot.readOnly &&
    snapshot.serverMessage === slot.serverMessage &&
    snapshot.conflict === slot.conflict &&
    snapshot.flag === slot.flag &&
    snapshot.reference === slot.reference &&
    snapshot.left === slot.left &&
    snapshot.initial === slot.initial &&
    snapshot.notCopied === notCopied &&
    snapshot.waits === slot.waits &&
    sameValue(snapshot.value, slot.value) &&
    sameMissing(snapshot.missing, slot.missing) &&
    sameIssues(snapshot.issues, slot.issues)
  if (same) return false
  slot.snapshot = {
    ...snapshot,
    value: slot.value,
    rows: slot.rows,
    text: slot.text,
    missing: slot.missing,
    choices: slot.choices,
    visible: slot.visible,
    required: slot.required,
    readOnly: slot.readOnly,
    issues: slot.issues,
    reference: slot.reference,
    flag: slot.flag,
    serverMessage: slot.serverMessage,
    conflict: slot.conflict,
    left: slot.left,
    initial: slot.initial,
    notCopied,
    waits: slot.waits,
  }
  return true
}

/**
 * Settles the visibility and the calculated value of a cell.
 *
 * @returns what rules see of the cell; null where its value is missing to them
 */
export function settleValue(slot: Slot, scope: RuleScope, mode: FormMode): CelValue | null {
  const { cell } = slot
  const faults: RuleFault[] = []
  slot.shown = evaluateShow(cell, scope, faults)
  slot.visible = slot.shown && !cell.field.hidden[mode]
  if (cell.calculate !== null && mode !== 'view') slot.value = evaluateCalculation(cell, cell.calculate, scope, faults)
  slot.waits = cell.calculate !== null && slot.value === null && lacksInput(cell.calculate, scope)
  slot.faults = faults
  return slot.shown ? storedRuleValue(slot) : null
}

/**
 * Whether a cell's value comes from its calculation alone: a saved value is not taken over, because the rule would give
 * the same again. This does not hold where a rule reads what is stored, because that rule may be the calculation
 * itself.
 */
export function isGivenByRule({ cell }: Slot, mode: FormMode): boolean {
  return cell.calculate !== null && mode !== 'view' && cell.storedBy.length === 0
}

/** What a cell holds as rules see it, whether it is shown or not; null where its value is missing to rules. */
export function storedRuleValue({ cell: { field }, value }: Slot): CelValue | null {
  return value !== null && isSeenByRules(field, value) ? ruleValue(field, value) : null
}

/** Settles the requirement, the lock and the issues of a cell whose value is settled. */
export function settleSinks(slot: Slot, scope: RuleScope, mode: FormMode): void {
  const faults: RuleFault[] = []
  Object.assign(slot, evaluateSinks(slot, scope, mode, faults))
  const values = slot.faults.filter((fault) => fault.role === 'show' || fault.role === 'calculate')
  slot.faults = [...values, ...faults]
}

/** A value as rules see it: of a table the rows that exist, without the keys of their state. */
function ruleValue(field: Field, value: JsonValue): CelValue | null {
  if (!isTable(field)) return toCel(value)
  const rows = rowsOf(value)?.filter((row) => !stateOf(row).deleted) ?? []
  return rows.length === 0 ? null : toCel(rows.map(rowContent))
}

/** Whether rules show the field. A show rule that fails shows it: an error in the definition must not stop entry. */
function evaluateShow(cell: CompiledCell, scope: RuleScope, faults: RuleFault[]): boolean {
  if (cell.show === null) return true
  const outcome = run(cell, 'show', cell.show, scope, faults)
  return outcome.kind === 'fault' || isTrue(outcome)
}

/** The calculated value; null when it is unknown. */
function evaluateCalculation(cell: CompiledCell, rule: Rule, scope: RuleScope, faults: RuleFault[]): JsonValue | null {
  const outcome = run(cell, 'calculate', rule, scope, faults)
  return outcome.kind === 'value' ? canonicalValue(cell.field, outcome.value) : null
}

/** Whether a value that the rule reads is missing to it. What is entered on other pages may always still come. */
function lacksInput({ reads, readsRow, readsOtherPages }: Rule, { page, row }: RuleScope): boolean {
  return (
    readsOtherPages.length > 0 ||
    reads.some((code) => page.get(code) === undefined) ||
    readsRow.some((code) => row?.get(code) === undefined)
  )
}

/** Everything about a cell on which nothing else depends: requirement, lock, issues. */
function evaluateSinks(slot: Slot, scope: RuleScope, mode: FormMode, faults: RuleFault[]): Outcomes {
  const { cell, visible } = slot
  const { field } = cell
  const holds = (role: 'require' | 'readOnlyWhen', rule: Rule | null) =>
    rule !== null && isTrue(run(cell, role, rule, scope, faults))
  const calculated = cell.calculate !== null
  const required = visible && isCollected(field) && (field.required || holds('require', cell.require))
  // A value of a table that cannot be read as rows is kept as it is.
  const masked = slot.masked || (cell.table !== null && slot.rows === null)
  const readOnly =
    mode === 'view' || calculated || masked || field.readOnly[mode] || holds('readOnlyWhen', cell.readOnlyWhen)
  const choices = choicesNow(slot, scope)
  const reference = visible && !masked && cell.references.length > 0 ? referenceNow(cell, scope, faults) : null
  const flag =
    reference === null || slot.value === null || nonConformity(field, slot.value) !== null
      ? null
      : sideOf(field, slot.value, reference)
  return {
    visible,
    required,
    readOnly,
    choices,
    reference,
    flag,
    issues: visible && !masked ? issuesOf(slot, { required, choices }, scope, faults) : [],
  }
}

/** The first reference range whose condition holds. */
function referenceNow(cell: CompiledCell, scope: RuleScope, faults: RuleFault[]): Limits | null {
  return (
    cell.references.find(({ rule }) => rule === null || isTrue(run(cell, 'reference', rule, scope, faults)))?.range ??
    null
  )
}

/**
 * What may be chosen: for a chain, what the answer of the followed field offers. The same array while that does not
 * change.
 */
function choicesNow({ cell: { field }, choices }: Slot, scope: RuleScope): readonly Choice[] {
  if (field.chain === null) return field.choices
  const offered = offeredChoices(field.chain, (scope.row ?? scope.page).get(field.chain.parent))
  return offered.length === choices.length && offered.every((choice, at) => choice === choices[at]) ? choices : offered
}

/**
 * Whether an incoming value is a mask: it looks like one and is among data that came masked. In unmasked data somebody
 * typed the same asterisks. Whether this version calls the field an identifier does not decide: the server masks fields
 * that any release called so.
 *
 * @param masks whether the server says that the data came masked
 */
export function isMaskIn(value: JsonValue | null, masks: boolean): boolean {
  return masks && isMasked(value)
}

/**
 * Whether the cell holds its initial value while a rule hides it: nobody had a chance to change it, so it counts as not
 * entered.
 */
export function isUnseen({ initial, shown }: Slot): boolean {
  return initial && !shown
}

export function sameValue(a: JsonValue | null, b: JsonValue | null): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  return canonicalJson(a) === canonicalJson(b)
}

export function sameMissing(a: Missing | null, b: Missing | null): boolean {
  return a?.m === b?.m && a?.reason === b?.reason
}

function issuesOf(
  slot: Slot,
  { required, choices }: Pick<Slot, 'required' | 'choices'>,
  scope: RuleScope,
  faults: RuleFault[],
): readonly Issue[] {
  const issues: Issue[] = []
  if (isEmpty(slot)) {
    if (required && slot.missing === null) issues.push({ code: 'required' })
  } else if (slot.value !== null) {
    const { field } = slot.cell
    const issue =
      nonConformity(field, slot.value) ??
      definitionIssue(field, slot.value, choices) ??
      (field.unique && slot.row?.hasTwin(slot) === true ? NOT_UNIQUE : null)
    const doubt = issue === null ? implausible(field, slot.value, slot.answers) : issue
    if (doubt !== null) issues.push(doubt)
  }
  for (const compiled of slot.cell.checks) {
    const { check, rule } = compiled
    if (!isTrue(run(slot.cell, 'check', rule, scope, faults))) continue
    const { id, severity, message } = check
    const says = severity === 'warning' ? saysOfCheck(compiled, scope) : ''
    issues.push(answerWarning({ code: 'check', id, severity, message, says, answer: null }, slot.value, slot.answers))
  }
  return issues
}

function implausible(field: Field, value: JsonValue, answers: readonly Confirmation[]): Issue | null {
  const side = implausibility(field, value)
  if (side === null) return null
  const { min, max } = field.plausible
  const says = saysOfRange(field)
  return answerWarning(
    side === 'low'
      ? { code: 'implausible-low', min: min ?? '', says, answer: null }
      : { code: 'implausible-high', max: max ?? '', says, answer: null },
    value,
    answers,
  )
}

const NO_ANSWERS: readonly Confirmation[] = []

const NOT_UNIQUE: Issue = { code: 'not-unique' }

/** Whether nothing is entered: no value, no row. */
export function isEmpty({ value, rows }: Pick<Slot, 'value' | 'rows'>): boolean {
  return value === null && (rows === null || rows.length === 0)
}

function run(
  cell: CompiledCell,
  role: RuleFault['role'],
  rule: Rule,
  scope: RuleScope,
  faults: RuleFault[],
): RuleOutcome {
  const outcome = rule.evaluate(scope)
  if (outcome.kind === 'fault') faults.push({ code: cell.field.code, role, source: rule.source, failure: outcome.code })
  return outcome
}

function isTrue(outcome: RuleOutcome): boolean {
  return outcome.kind === 'value' && outcome.value === true
}

function sameIssues(a: readonly Issue[], b: readonly Issue[]): boolean {
  return a === b || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b))
}
