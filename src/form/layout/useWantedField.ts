import { useEffect, useRef } from 'react'
import { pageFieldOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import { rowIds } from '../formContext.ts'
import { focusField } from '../formEvents.ts'
import { rowAsked } from '../sheet/useSheets.ts'
import type { Part } from './layout.ts'

interface DrawnParts {
  readonly parts: readonly Part[]
  readonly drawn: number
  readonly drawAtLeast: (count: number) => void
}

/**
 * Scrolls to the wanted field, once for each request, after its part is drawn. Then focuses the field; a field of a row
 * gets the focus from the row's own sheet.
 */
export function useWantedField(
  state: FormState,
  formId: string,
  focus: { readonly address: string } | undefined,
  { parts, drawn, drawAtLeast }: DrawnParts,
): void {
  const wanted =
    focus === undefined
      ? -1
      : parts.findIndex((part) => part.fields.some((field) => field.code === pageFieldOf(focus.address)))
  const target = useRef<typeof focus>(undefined)
  useEffect(() => {
    if (focus === undefined || wanted === -1 || target.current === focus) return
    if (drawn <= wanted) return drawAtLeast(wanted + 1)
    target.current = focus
    document.getElementById(rowIds(formId, pageFieldOf(focus.address)).row)?.scrollIntoView({ block: 'center' })
    if (rowAsked(state, focus) === null) focusField(formId, focus.address)
  }, [state, focus, wanted, drawn, drawAtLeast, formId])
}
