import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Rule } from '#core/rules/rule.ts'

import { isBlank } from '#src/form/missing/blank.ts'
import classes from '../form.module.css'
import type { FormEnvironment } from '../formContext.ts'

interface NotCalculatedProps {
  /** A calculated field without a value. */
  readonly cell: Cell
  readonly environment: FormEnvironment
}

/**
 * Stands for the value of a calculation that gave none: it waits for what it is calculated from, or it has no result.
 * It is drawn again only with the fields that it reads.
 */
export function NotCalculated({ cell: { key }, environment: { state, words } }: NotCalculatedProps) {
  const rule = useMemo(() => ruleOf(state, key), [state, key])
  const inputs = useMemo(() => (rule === null ? [] : inputsOf(rule, key)), [rule, key])
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = inputs.map((input) => state.subscribe(input, listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [state, inputs],
  )
  const waits = useSyncExternalStore(subscribe, () => inputs.some((input) => isMissing(state.getCell(input))))
  if (waits || (rule?.readsOtherPages.length ?? 0) > 0)
    return <span className={classes.empty}>{words.notCalculated}</span>
  return (
    <>
      <span className={classes.empty}>{words.empty}</span>
      <span className={classes.unit}>{words.calculated}</span>
    </>
  )
}

/** The rule that calculates a field of the page or of a row. */
function ruleOf({ compiled }: FormState, key: string): Rule | null {
  const { table, code } = addressOf(key)
  const cells = table === null ? compiled.cells : compiled.cells.get(table)?.table?.cells
  return cells?.get(code)?.calculate ?? null
}

/** Addresses of what the rule reads on its own page. */
function inputsOf({ reads, readsRow }: Rule, key: string): readonly string[] {
  const place = addressOf(key)
  return [...reads, ...readsRow.map((code) => addressKey({ ...place, code }))]
}

/** Whether rules find nothing there: a value that a rule hides is kept, and is missing to them. */
function isMissing(input: Cell | undefined): boolean {
  if (input === undefined) return true
  return isBlank(input) || (!input.visible && input.field.show !== null)
}
