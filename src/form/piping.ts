import { useCallback, useSyncExternalStore } from 'react'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import { pipedText } from '#core/form/definition/piping.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import type { FormEnvironment } from './formContext.ts'
import type { FormWords } from './words.ts'
import { displayText } from './words.ts'

/** Texts of a field with the values that they show of others, as they are now. */

/** The address of a field that a text shows: of the same row where that has it, else of the page. */
function shownKey(state: FormState, address: string, code: string): string {
  const own = addressKey({ ...addressOf(address), code })
  return state.getCell(own) === undefined ? code : own
}

/** A text of a cell, which is drawn as text and never as markup. */
export function textWithValues(state: FormState, { key, field }: Cell, text: string, t: FormWords): string {
  return pipedText(text, field.pipes, (code) => {
    const cell = state.getCell(shownKey(state, key, code))
    return cell === undefined || cell.missing !== null ? '' : displayText(cell, t)
  })
}

/** The same, drawn again when a value that it shows changes. */
export function useTextWithValues({ state, t }: FormEnvironment, cell: Cell | undefined, text: string): string {
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = (cell?.field.pipes ?? []).map(({ code }) =>
        state.subscribe(shownKey(state, cell?.key ?? code, code), listener),
      )
      return () => {
        for (const end of ends) end()
      }
    },
    [state, cell?.field, cell?.key],
  )
  return useSyncExternalStore(subscribe, () => (cell === undefined ? text : textWithValues(state, cell, text, t)))
}
