import type { JsonValue } from '#core/json.ts'
import { canonicalJson } from '#core/json.ts'
import type { Rule, RuleOutcome, RuleScope } from '#core/rules/rule.ts'

import type { Cell, RuleFault } from './cell.ts'
import type { CompiledCell } from './compile.ts'
import type { Issue } from './issue.ts'
import { definitionIssue, nonConformity } from './issue.ts'
import { MASK } from './mask.ts'
import type { FormMode } from './page.ts'
import { isCollected } from './page.ts'
import { checkValueShape } from './shape.ts'
import type { Missing } from './value.ts'
import { canonicalValue } from './value.ts'

/** The changing side of one cell. Only the form state writes to it. */
export interface Slot {
  readonly cell: CompiledCell
  value: JsonValue | null
  text: string | null
  missing: Missing | null
  /** What its show rule says. Rules see the value then, even where the definition keeps the field off the screen. */
  shown: boolean
  visible: boolean
  required: boolean
  readOnly: boolean
  issues: readonly Issue[]
  serverMessage: string | null
  conflict: string | null
  left: boolean
  /** A person edited it since the base was set. */
  edited: boolean
  /** It holds what a new entry begins with, and nobody has saved it yet. */
  initial: boolean
  faults: readonly RuleFault[]
  snapshot: Cell
}

export type Outcomes = Pick<Slot, 'visible' | 'required' | 'readOnly' | 'issues'>

export function newSlot(cell: CompiledCell, value: JsonValue | null, missing: Missing | null): Slot {
  const state = {
    value,
    text: null,
    missing,
    visible: true,
    required: false,
    readOnly: true,
    issues: [],
    serverMessage: null,
    conflict: null,
    left: false,
    initial: false,
  }
  return {
    ...state,
    cell,
    shown: true,
    edited: false,
    faults: [],
    snapshot: { ...state, field: cell.field, calculated: cell.calculate !== null },
  }
}

/** Gives a field of a new entry what the definition lets it begin with. */
export function begin(slot: Slot): void {
  const { field, calculate } = slot.cell
  if (field.initial === null || calculate !== null || slot.value !== null || slot.missing !== null) return
  const value = canonicalValue(field, field.initial)
  // What the structure of the field would refuse cannot be saved, and is not begun with.
  if (value === null || checkValueShape(field, value) !== null) return
  slot.value = value
  slot.initial = true
}

/** Takes a new snapshot if anything that a screen draws has changed. Gives whether it did. */
export function refreshSnapshot(slot: Slot): boolean {
  const { snapshot } = slot
  const same =
    snapshot.text === slot.text &&
    snapshot.visible === slot.visible &&
    snapshot.required === slot.required &&
    snapshot.readOnly === slot.readOnly &&
    snapshot.serverMessage === slot.serverMessage &&
    snapshot.conflict === slot.conflict &&
    snapshot.left === slot.left &&
    snapshot.initial === slot.initial &&
    sameValue(snapshot.value, slot.value) &&
    sameMissing(snapshot.missing, slot.missing) &&
    sameIssues(snapshot.issues, slot.issues)
  if (same) return false
  const { value, text, missing, visible, required, readOnly, issues, serverMessage, conflict, left, initial } = slot
  slot.snapshot = { ...snapshot, value, text, missing, visible, required, readOnly, issues, serverMessage, conflict, left, initial }
  return true
}

/** Whether rules show the field. A rule that fails shows its field: a fault of the definition must not stop entry. */
export function evaluateShow(cell: CompiledCell, scope: RuleScope, faults: RuleFault[]): boolean {
  if (cell.show === null) return true
  const outcome = run(cell, 'show', cell.show, scope, faults)
  return outcome.kind === 'fault' || isTrue(outcome)
}

/** The calculated value; null when it is unknown. */
export function evaluateCalculation(cell: CompiledCell, rule: Rule, scope: RuleScope, faults: RuleFault[]): JsonValue | null {
  const outcome = run(cell, 'calculate', rule, scope, faults)
  return outcome.kind === 'value' ? canonicalValue(cell.field, outcome.value) : null
}

/** Everything about a cell that nothing else depends on: requirement, lock, issues. */
export function evaluateSinks(slot: Slot, scope: RuleScope, mode: FormMode, faults: RuleFault[]): Outcomes {
  const { cell, visible } = slot
  const { field } = cell
  const holds = (role: 'require' | 'readOnlyWhen', rule: Rule | null) =>
    rule !== null && isTrue(run(cell, role, rule, scope, faults))
  const calculated = cell.calculate !== null
  const required = visible && isCollected(field) && (field.required || holds('require', cell.require))
  const masked = isMasked(slot)
  const readOnly = mode === 'view' || calculated || masked || field.readOnly[mode] || holds('readOnlyWhen', cell.readOnlyWhen)
  return { visible, required, readOnly, issues: visible && !masked ? issuesOf(slot, required, scope, faults) : [] }
}

/** Whether the value is kept from this reader: then there is nothing to say about it, and nothing to overwrite it with. */
function isMasked({ cell, value, edited }: Slot): boolean {
  return cell.field.identifier && value === MASK && !edited
}

export function sameValue(a: JsonValue | null, b: JsonValue | null): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  return canonicalJson(a) === canonicalJson(b)
}

export function sameMissing(a: Missing | null, b: Missing | null): boolean {
  return a?.m === b?.m && a?.reason === b?.reason
}

function issuesOf(slot: Slot, required: boolean, scope: RuleScope, faults: RuleFault[]): readonly Issue[] {
  const issues: Issue[] = []
  if (slot.value === null) {
    if (required && slot.missing === null) issues.push({ code: 'required' })
  } else {
    const issue = nonConformity(slot.cell.field, slot.value) ?? definitionIssue(slot.cell.field, slot.value)
    if (issue !== null) issues.push(issue)
  }
  for (const { check, rule } of slot.cell.checks) {
    if (isTrue(run(slot.cell, 'check', rule, scope, faults))) {
      issues.push({ code: 'check', id: check.id, severity: check.severity, message: check.message })
    }
  }
  return issues
}

function run(cell: CompiledCell, role: RuleFault['role'], rule: Rule, scope: RuleScope, faults: RuleFault[]): RuleOutcome {
  const outcome = rule.evaluate(scope)
  if (outcome.kind === 'fault') faults.push({ prop: cell.field.prop, role, source: rule.source, code: outcome.code })
  return outcome
}

function isTrue(outcome: RuleOutcome): boolean {
  return outcome.kind === 'value' && outcome.value === true
}

function sameIssues(a: readonly Issue[], b: readonly Issue[]): boolean {
  return a === b || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b))
}
