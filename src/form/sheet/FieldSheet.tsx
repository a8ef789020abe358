import { isPick, isTree } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

import { useCell, useFormEnvironment } from '../formContext.ts'
import type { SheetRequest } from '../formActions.ts'
import { labelOf } from '../words.ts'
import type { FormWords } from '../words.ts'
import { CalendarSheet } from './CalendarSheet.tsx'
import { ChoiceSheet } from './ChoiceSheet.tsx'
import { ConfirmSheet } from './ConfirmSheet.tsx'
import { GroupSheet } from '../missing/GroupSheet.tsx'
import { MissingSheet } from './MissingSheet.tsx'
import type { SheetBodyProps } from './MissingSheet.tsx'
import { PickSheet } from './PickSheet.tsx'
import { TreeSheet } from './TreeSheet.tsx'

export interface FieldSheetProps {
  readonly request: SheetRequest
  readonly onChange: (address: string, change: (state: FormState) => unknown) => void
  /** Gives one reason to all fields of a group that have no answer. */
  readonly onGroup: (codes: readonly string[], missing: Missing) => void
  readonly onClose: () => void
}

/**
 * The one floating layer of a form: for missing reasons, a calendar, a long list of choices. Loaded when it is first
 * needed.
 */
export function FieldSheet({ request, onChange, onGroup, onClose }: FieldSheetProps) {
  const { state, t, language } = useFormEnvironment()
  const cell = useCell(state, request.address)
  if (cell === undefined) return null
  const label = labelOf(cell.field, language)
  const change = (apply: (state: FormState) => unknown) => onChange(request.address, apply)
  return (
    <Sheet title={titleOf(request, label, t)} onClose={onClose}>
      {request.kind === 'missing' && <MissingSheet cell={cell} change={change} onClose={onClose} />}
      {request.kind === 'group' && <GroupSheet codes={request.codes ?? []} onGive={onGroup} onClose={onClose} />}
      {request.kind === 'calendar' && <CalendarSheet cell={cell} end={request.end} change={change} onClose={onClose} />}
      {request.kind === 'confirm' && <ConfirmSheet cell={cell} warning={request.warning ?? ''} onClose={onClose} />}
      {request.kind === 'choose' && choosing({ cell, change, onClose }, onChange)}
    </Sheet>
  )
}

function titleOf({ kind }: SheetRequest, label: string, t: FormWords): string {
  switch (kind) {
    case 'group':
      return t('missing.groupTitle')
    case 'confirm':
      return t('confirm.openFor', { label })
    case 'missing':
    case 'calendar':
    case 'choose':
      return label
  }
}

/** The content from which the user chooses: records, levels or a list. */
function choosing(props: SheetBodyProps, onChange: FieldSheetProps['onChange']) {
  const { field } = props.cell
  if (isPick(field) || field.lookUp !== null) return <PickSheet {...props} onChange={onChange} />
  return isTree(field) ? <TreeSheet {...props} /> : <ChoiceSheet {...props} />
}
