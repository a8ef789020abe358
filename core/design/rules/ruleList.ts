import type { Design, DesignColumn, DesignForm } from '#core/design/design.ts'
import { columnAt, columnsOf } from '#core/design/design.ts'
import type { DesignEdit, DesignFieldKey } from '#core/design/designEdit.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import { isRecord } from '#core/form/definition/option.ts'
import { RULE_ROLES } from '#core/wire/ruleRoles.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'

/** The rules of a design as a list: each with its field. */

/** Identifies a rule: its field and what it does; a check also by its id. */
export interface RuleKey extends DesignFieldKey {
  readonly kind: RuleKind
  readonly checkId: string | null
}

export interface RuleLine {
  readonly address: RuleKey
  readonly source: string
  /** Only for a check. */
  readonly check: CheckRule | null
}

/** One name for a rule of a version. */
export function ruleKey({ pageId, table, prop, kind, checkId }: RuleKey): string {
  return [pageId, table ?? '', prop, kind, checkId ?? ''].join('/')
}

/** All rules, page by page in the order of the visits; those of a page in several visits once. */
export function rulesOf(design: Design): readonly RuleLine[] {
  const pageIds = [...new Set(design.folders.flatMap((folder) => folder.pageIds))]
  return pageIds.flatMap((pageId) => {
    const form = design.pages.get(pageId)?.form ?? null
    return form === null ? [] : linesOf(pageId, form)
  })
}

/** Rules of forms: a form is never changed in place, so its rules are collected once. */
const known = new WeakMap<DesignForm, readonly RuleLine[]>()

function linesOf(pageId: string, form: DesignForm): readonly RuleLine[] {
  const lines =
    known.get(form) ??
    [...columnsOf(form)].flatMap(({ table, column }) =>
      rulesOfColumn({ pageId, table: table?.prop ?? null, prop: column.prop }, column),
    )
  known.set(form, lines)
  return lines
}

/** The rules of one column. */
export function rulesOfColumn(field: DesignFieldKey, column: DesignColumn): readonly RuleLine[] {
  const zl = isRecord(column.zl) ? column.zl : {}
  const named = RULE_ROLES.flatMap((kind): readonly RuleLine[] => {
    const source = zl[kind]
    return kind === 'check' || typeof source !== 'string' || source === ''
      ? []
      : [{ address: { ...field, kind, checkId: null }, source, check: null }]
  })
  const checks = Array.isArray(zl.checks) ? (zl.checks as readonly CheckRule[]) : []
  return [
    ...named,
    ...checks.map((check): RuleLine => ({
      address: { ...field, kind: 'check', checkId: check.id },
      source: check.when,
      check,
    })),
  ]
}

/** The rule at an address; null where there is none. */
export function ruleAt(design: Design, address: RuleKey): RuleLine | null {
  const form = design.pages.get(address.pageId)?.form ?? null
  const column = form === null ? null : columnAt(form, address.table, address.prop)
  if (column === null) return null
  return (
    rulesOfColumn({ pageId: address.pageId, table: address.table, prop: address.prop }, column).find(
      (line) => line.address.kind === address.kind && line.address.checkId === address.checkId,
    ) ?? null
  )
}

/**
 * The edit that gives a rule another text, or removes it (null). A check that does not exist is not made. Null where
 * the field does not exist.
 */
export function setRule(design: Design, address: RuleKey, source: string | null): DesignEdit | null {
  const { kind, checkId } = address
  if (kind !== 'check')
    return setExtension(design, address, { [kind]: source === null || source.trim() === '' ? undefined : source })
  return setChecks(design, address, (checks) =>
    checks.flatMap((check) => (check.id !== checkId ? [check] : source === null ? [] : [{ ...check, when: source }])),
  )
}

/** The edit that changes a check's other properties. */
export function setCheck(
  design: Design,
  address: RuleKey,
  patch: Partial<Pick<CheckRule, 'severity' | 'message'>>,
): DesignEdit | null {
  return setChecks(design, address, (checks) =>
    checks.map((check) => (check.id === address.checkId ? { ...check, ...patch } : check)),
  )
}

/** The edit that adds a check to a field. */
export function addCheck(design: Design, field: DesignFieldKey, check: CheckRule): DesignEdit | null {
  return setChecks(design, field, (checks) => [...checks, check])
}

function setChecks(
  design: Design,
  field: DesignFieldKey,
  change: (checks: readonly CheckRule[]) => readonly CheckRule[],
): DesignEdit | null {
  const column = columnOf(design, field)
  const before =
    isRecord(column?.zl) && Array.isArray(column.zl.checks) ? (column.zl.checks as readonly CheckRule[]) : []
  const checks = change(before)
  return setExtension(design, field, { checks: checks.length === 0 ? undefined : checks })
}

function setExtension(
  design: Design,
  { pageId, table, prop }: DesignFieldKey,
  patch: Readonly<Record<string, unknown>>,
): DesignEdit | null {
  const column = columnOf(design, { pageId, table, prop })
  if (column === null) return null
  const next = Object.fromEntries(
    Object.entries({ ...(isRecord(column.zl) ? column.zl : {}), ...patch }).filter(([, value]) => value !== undefined),
  )
  return {
    kind: 'field-set',
    field: { pageId, table, prop },
    patch: { zl: Object.keys(next).length === 0 ? undefined : next },
  }
}

function columnOf(design: Design, { pageId, table, prop }: DesignFieldKey): DesignColumn | null {
  const form = design.pages.get(pageId)?.form ?? null
  return form === null ? null : columnAt(form, table, prop)
}
