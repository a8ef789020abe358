import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { useNeighbours } from '#src/data/hooks/neighbours.ts'
import type { NamedPatient } from '#src/data/shapes/listTypes.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import classes from './neighbours.module.css'

interface NeighbourButtonsProps {
  readonly projectId: string
  readonly patientId: string
  /** The same screen of another patient. */
  readonly pathOf: (projectId: string, patientId: string) => string
}

/**
 * The ways to the patients before and after this one in the list, by button and by Shift with K and J. Where this
 * device does not know the list there are none.
 */
export function NeighbourButtons({ projectId, patientId, pathOf }: NeighbourButtonsProps) {
  const { t } = useTranslation('casebook')
  const read = useNeighbours(projectId, patientId)
  const found = read.state === 'ready' ? read.value : null
  const toOf = (patient: NamedPatient | null | undefined) => (patient ? pathOf(projectId, patient.id) : null)
  const [before, after] = [toOf(found?.previous), toOf(found?.next)]
  usePatientKeys(before, after)
  if (found === null || found.total < 2) return null
  return (
    <span className={classes.ways}>
      <span className={classes.place} title={t('strip.place', { place: found.place, total: found.total })}>
        {found.place} / {found.total}
      </span>
      <Way patient={found.previous} to={before} which="previous" />
      <Way patient={found.next} to={after} which="next" />
    </span>
  )
}

interface WayProps {
  readonly patient: NamedPatient | null
  readonly to: string | null
  readonly which: 'previous' | 'next'
}

function Way({ patient, to, which }: WayProps) {
  const { t } = useTranslation('casebook')
  const label = usePatientLabel()
  const Chevron = which === 'previous' ? IconChevronUp : IconChevronDown
  const look = { variant: 'subtle', color: 'gray', size: 'var(--zl-control)' } as const
  if (patient === null || to === null) {
    return (
      <ActionIcon {...look} disabled aria-label={t(which === 'previous' ? 'strip.first' : 'strip.last')}>
        <Chevron size={20} aria-hidden="true" />
      </ActionIcon>
    )
  }
  const words = t(`strip.${which}`, { patient: [label(patient), patient.initials].filter(Boolean).join(' ') })
  return (
    <ActionIcon {...look} component={Link} to={to} aria-label={words} title={words}>
      <Chevron size={20} aria-hidden="true" />
    </ActionIcon>
  )
}

/** Shift with J or K, unless somebody types or a dialog is open. */
function usePatientKeys(before: string | null, after: string | null): void {
  const navigate = useNavigate()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, shiftKey, ctrlKey, metaKey, altKey } = event
      if (!shiftKey || ctrlKey || metaKey || altKey || event.defaultPrevented || event.isComposing) return
      if (!(target instanceof Element) || target.closest('[role=dialog], input, textarea, select') !== null) return
      const to = key === 'J' ? after : key === 'K' ? before : null
      if (to === null) return
      event.preventDefault()
      void navigate(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [before, after, navigate])
}
