import { useCallback, useSyncExternalStore } from 'react'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import { pipedText } from '#core/form/definition/piping.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import type { FormEnvironment } from './formContext.ts'
import type { FormWords } from './words.ts'
import { displayText } from './words.ts'

/** Texts of a field that contain values of other fields, as they are now. */

/** The address of a field that a text shows: in the same row where the row has the field, else on the page. */
function shownKey(state: FormState, address: string, code: string): string {
  const own = addressKey({ ...addressOf(address), code })
  return state.getCell(own) === undefined ? code : own
}

/** A text of a cell with values filled in. It is drawn as text and never as markup. */
export function textWithValues(state: FormState, { key, field }: Cell, text: string, t: FormWords): string {
  return pipedText(text, field.pipes, (code) => {
    const cell = state.getCell(shownKey(state, key, code))
    return cell === undefined || cell.missing !== null ? '' : displayText(cell, t)
  })
}

/** The same text, drawn again when a value in it changes. */
export function useTextWithValues({ state, t }: FormEnvironment, cell: Cell, text: string): string {
  const { field, key } = cell
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = field.pipes.map(({ code }) => state.subscribe(shownKey(state, key, code), listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [state, field, key],
  )
  return useSyncExternalStore(subscribe, () => textWithValues(state, cell, text, t))
}
