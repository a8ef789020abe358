import type { CompiledCell, CompiledPage } from '#core/form/compiled/compile.ts'
import { calculatedFromOtherPages } from '#core/form/engine/otherPages.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { sameValue } from '#core/form/engine/slot.ts'
import { readValue } from '#core/form/definition/value.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { isContinued } from '#core/study/migration/migrateEntry.ts'
import type { FieldPlan } from '#core/study/migration/migrationPlan.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { judge } from '#server/areas/entry/judgement/judge.ts'
import type { CalculatedItem, Judgement } from '#server/areas/entry/judgement/judge.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import type { Acted } from '#server/http/handler.ts'

/**
 * The calculations of a patient's turn (docs/adr/0028-migration.md): fields that the new version calculates
 * otherwise, and fields that depend on a value which these change. All other calculated values stay, even if the
 * rules would give another value today.
 */

/** An entry in its turn. */
export interface Turned {
  readonly compiled: CompiledPage
  readonly data: EntryData
  readonly acted: Acted
  /** The data of the pages that it reads: before any rule ran in this turn, and now. */
  readonly otherPages: { readonly before: OtherPages; readonly now: OtherPages }
}

/**
 * The items that the turn calculates, among all that the rules would change today.
 *
 * @param anew fields, and tables with columns, that are calculated in any case
 */
export function calculatedInTurn(
  { compiled, data, acted, otherPages }: Turned,
  judgement: Judgement,
  anew: ReadonlySet<string>,
): readonly CalculatedItem[] {
  const taken = reachedFrom(
    compiled,
    anew,
    new Set([...judgement.calculated.map(keyOf), ...changedOnOtherPages(compiled, otherPages)]),
  )
  const isTaken = (item: CalculatedItem): boolean => taken.has(keyOf(item))
  const calculated = judgement.calculated.filter(isTaken)
  if (calculated.length === 0 || calculated.length === judgement.calculated.length) return calculated
  // They are calculated from the stored values of the page, not from the values that its other rules would give today.
  return judge(onlyCalculating(compiled, taken), data, acted, otherPages.now).calculated.filter(isTaken)
}

/** Fields, and tables with columns, that the new version calculates otherwise. */
export function calculatedAnew({ page }: CompiledPage, steps: readonly PageStep[]): ReadonlySet<string> {
  const last = steps.at(-1)
  if (last === undefined) return new Set(page.fields.map(({ code }) => code))
  const isAnew = (plan: FieldPlan): boolean => {
    if (plan.kind === 'retired') return false
    if (!isContinued(plan))
      return plan.to.calculate !== null || plan.to.children.some(({ calculate }) => calculate !== null)
    return plan.from.calculate !== plan.to.calculate || plan.columns.some(isAnew)
  }
  return new Set(
    steps.flatMap(({ plan }) =>
      plan.fields.flatMap((one) => (one.kind !== 'retired' && isAnew(one) ? [one.to.code] : [])),
    ),
  )
}

/**
 * While pages were under two versions, a value that depends on another page was calculated without the fields that
 * have another name there. Such values are calculated again.
 */
export function withCrossing(compiled: CompiledPage, anew: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...anew, ...calculatedFromOtherPages(compiled)])
}

function keyOf({ table, code }: CalculatedItem): string {
  return table ?? code
}

/** Fields of other pages whose value has changed since before the turn's rules ran. */
function changedOnOtherPages({ ordered }: CompiledPage, { before, now }: Turned['otherPages']): readonly string[] {
  const valueIn = ({ place, field }: CompiledCell, data: OtherPages) => {
    const saved = place === null ? undefined : data.get(placeKey(place))
    return saved === undefined ? null : readValue(field, saved)
  }
  return ordered.flatMap((cell) =>
    cell.place === null || sameValue(valueIn(cell, before), valueIn(cell, now)) ? [] : [cell.key],
  )
}

/** The cells that are calculated anew, and the cells that depend on a changed value. */
function reachedFrom(
  { ordered }: CompiledPage,
  anew: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const fed = new Set<string>()
  // A cell comes after the cells that it reads, so one pass reaches all.
  for (const { key, place, show, feeds } of ordered) {
    const isChanged = changed.has(key) && (place !== null || anew.has(key) || fed.has(key))
    const maybeHidden = fed.has(key) && show !== null
    if (isChanged || maybeHidden) for (const one of feeds) fed.add(one)
  }
  return new Set([...anew, ...fed])
}

/** The page, on which every calculated field keeps its stored value. */
export function withoutCalculations(compiled: CompiledPage): CompiledPage {
  return onlyCalculating(compiled, new Set())
}

/** The page, on which all other calculated fields keep their stored values. */
function onlyCalculating(compiled: CompiledPage, taken: ReadonlySet<string>): CompiledPage {
  const withoutCalculation = (cell: CompiledCell): CompiledCell => ({ ...cell, calculate: null })
  const ordered = compiled.ordered.map((cell): CompiledCell => {
    if (taken.has(cell.key)) return cell
    const columns = cell.table?.ordered.map(withoutCalculation)
    return {
      ...withoutCalculation(cell),
      table:
        columns === undefined
          ? null
          : { ordered: columns, cells: new Map(columns.map((column) => [column.key, column])) },
    }
  })
  return {
    ...compiled,
    ordered,
    cells: new Map(ordered.flatMap((cell) => (cell.place === null ? [[cell.field.code, cell]] : []))),
  }
}
