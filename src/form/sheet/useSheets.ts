import { useState } from 'react'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import type { OpenRow, SheetRequest } from '../formActions.ts'
import { rowIds } from '../formContext.ts'
import { focusField } from '../formEvents.ts'

/**
 * The sheets above a form: that of a field, and that of a row of a table. Closing returns the focus to where the sheet
 * was opened.
 *
 * @param focus the wanted field: its row is open until the user closes it
 */
export function useSheets(state: FormState, formId: string, focus: { readonly address: string } | undefined) {
  const [sheet, setSheet] = useState<SheetRequest | null>(null)
  const [chosenRow, setRow] = useState<OpenRow | null>(null)
  const [dismissed, setDismissed] = useState<typeof focus>()
  const [opened] = useState(() => new OpenedField())
  const row = chosenRow ?? (focus === undefined || dismissed === focus ? null : rowAsked(state, focus))
  return {
    sheet,
    row,
    isOpen: opened.is,
    openSheet: (request: SheetRequest) => {
      opened.take(request.address)
      setSheet(request)
    },
    openRow: (request: OpenRow) => {
      opened.take(request.table)
      setRow(request)
    },
    /** Opens another row in place of the open one. */
    changeRow: setRow,
    closeSheet: () => {
      opened.take(null)
      setSheet(null)
      if (sheet !== null) focusBehindSheet(formId, sheet)
    },
    closeRow: () => {
      opened.take(null)
      setRow(null)
      setDismissed(focus)
      if (row !== null) focusLine(formId, row)
    },
  }
}

/** The field whose sheet is open. Known before anything is drawn, because the focus moves with the sheet. */
class OpenedField {
  #address: string | null = null

  take(address: string | null): void {
    this.#address = address
  }

  readonly is = (address: string): boolean => this.#address === address
}

/** The row of an address; null for a field of the page, and where the row does not exist. */
export function rowAsked(state: FormState, { address }: { readonly address: string }): OpenRow | null {
  const { table, rid, code } = addressOf(address)
  if (table === null || rid === null) return null
  return state.getCell(table)?.rows?.includes(rid) === true ? { table, rid, code } : null
}

/** Focuses the end of a range that the sheet was for, or else its field. */
function focusBehindSheet(formId: string, { address, end }: SheetRequest): void {
  const box = end === null ? null : elementIn(formId, address, `input[data-end="${end}"]`)
  if (box === null) focusField(formId, address)
  else box.focus()
}

/** Focuses the line of a row in its table, or else the table. */
function focusLine(formId: string, { table, rid }: OpenRow): void {
  const line = elementIn(formId, table, `[data-action="row-open"][data-value="${CSS.escape(rid)}"]`)
  if (line === null) focusField(formId, table)
  else line.focus()
}

function elementIn(formId: string, address: string, selector: string): HTMLElement | null {
  return document.getElementById(rowIds(formId, address).row)?.querySelector<HTMLElement>(selector) ?? null
}
