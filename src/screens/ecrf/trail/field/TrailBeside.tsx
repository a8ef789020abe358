import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { placeName } from '#src/form/words.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { useTableMemory } from '#src/frame/tableMemory.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'
import { SplitView } from '#src/ui/panel/SplitView.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './beside.module.css'

const FieldTrail = laterPart(async () => (await import('./FieldTrail.tsx')).FieldTrail, NotLoaded)

interface TrailBesideProps {
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  /** The field whose history is open; null for none. */
  readonly address: string | null
  readonly onClose: () => void
  /** The open page. */
  readonly children: ReactNode
}

/**
 * A page, and the history of one of its fields: beside the page at a desk, where it follows from field to field, and
 * over the page where there is no room.
 */
export function TrailBeside({ book, view, form, address, onClose, children }: TrailBesideProps) {
  const breakpoint = useBreakpoint()
  // A row of a table is open in a dialog of its own, and what stands beside the page is out of reach there.
  const beside = breakpoint === 3 && address !== null && addressOf(address).rid === null
  const memory = useTableMemory('fieldTrail')
  const title = useTitle(form, address)
  const trail = address !== null && <FieldTrail key={address} {...{ book, view, address, title, beside, onClose }} />
  return (
    <div className={classes.page}>
      <SplitView
        width={memory.notes.panelWidth}
        onWidth={(panelWidth) => memory.note({ panelWidth })}
        panel={beside && <div className={classes.trail}>{trail}</div>}
      >
        {children}
      </SplitView>
      {!beside && trail}
      {/* The focus may stay in the page, so that nothing else would say that the panel is there. */}
      <VisuallyHidden component="output">{beside && title}</VisuallyHidden>
    </div>
  )
}

/** The name of the history: that of its field, in a row with its table and number. */
function useTitle(form: FormState, address: string | null): string {
  const { t, i18n } = useTranslation(['trail', 'form'])
  const language = useLanguage()
  if (address === null) return ''
  const cell = form.getCell(address)
  const label =
    cell === undefined ? addressOf(address).code : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  return t('ofField', { label })
}
