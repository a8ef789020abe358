import { Modal } from '@mantine/core'

import type { FormState } from '#core/form/engine.ts'

import { useCell, useFormEnvironment } from '../formContext.ts'
import type { SheetRequest } from '../formEvents.ts'
import { labelOf } from '../words.ts'
import { CalendarSheet } from './CalendarSheet.tsx'
import { ChoiceSheet } from './ChoiceSheet.tsx'
import { MissingSheet } from './MissingSheet.tsx'

export interface FieldSheetProps {
  readonly request: SheetRequest
  readonly onChange: (prop: string, change: (state: FormState) => unknown) => void
  readonly onClose: () => void
}

/** The one floating layer of a form: why a value is missing, a calendar, a long list of choices. Loaded when first needed. */
export function FieldSheet({ request, onChange, onClose }: FieldSheetProps) {
  const { state, t, language } = useFormEnvironment()
  const cell = useCell(state, request.prop)
  if (cell === undefined) return null
  const label = labelOf(cell.field, language)
  const change = (apply: (state: FormState) => unknown) => onChange(request.prop, apply)
  return (
    <Modal
      opened
      onClose={onClose}
      title={request.kind === 'missing' ? t('missing.title', { label }) : label}
      centered
      closeButtonProps={{ 'aria-label': t('close'), size: 44 }}
      transitionProps={{ duration: 120 }}
    >
      {request.kind === 'missing' && <MissingSheet cell={cell} change={change} onClose={onClose} />}
      {request.kind === 'calendar' && <CalendarSheet cell={cell} end={request.end} change={change} onClose={onClose} />}
      {request.kind === 'choose' && <ChoiceSheet cell={cell} change={change} onClose={onClose} />}
    </Modal>
  )
}
