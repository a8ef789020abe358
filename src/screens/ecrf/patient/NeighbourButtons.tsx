import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { BULK_PAGE_SIZE } from '#core/api/call.ts'
import { useNeighbours } from '#src/data/hooks/neighbours.ts'
import { usePatients } from '#src/data/hooks/patients.ts'
import type { NamedPatient, Neighbours, PatientList } from '#src/data/shapes/listTypes.ts'
import { isForPage, isTyped } from '#src/screens/ecrf/pageKeys.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import classes from './neighbours.module.css'

interface NeighbourButtonsProps {
  readonly projectId: string
  readonly patientId: string
  /** The same screen of another patient. */
  readonly pathOf: (projectId: string, patientId: string) => string
  /** Whether the server may be asked for the list: what the screen is about comes first. */
  readonly asksServer: boolean
}

/**
 * The ways to the patients before and after this one in the list, by button and by Shift with K and J: from this
 * device where it has the whole list, else from the server.
 */
export function NeighbourButtons({ asksServer, ...of }: NeighbourButtonsProps) {
  const read = useNeighbours(of.projectId, of.patientId)
  // Once it was asked, who goes on to the next patient does not wait for their pages first.
  const [asks, setAsks] = useState(asksServer)
  if (asksServer && !asks) setAsks(true)
  if (read.state !== 'ready') return null
  if (read.value !== null) return <Ways {...of} found={read.value} />
  return asks ? <WaysOfServer {...of} /> : null
}

type NeighbourPlace = Omit<NeighbourButtonsProps, 'asksServer'>

/** What the list of patients asks for first, so that whoever comes from there waits for nothing. */
const FIRST_PART = { size: BULK_PAGE_SIZE, current: 1 }

function WaysOfServer(of: NeighbourPlace) {
  const read = usePatients(of.projectId, FIRST_PART)
  const found = read.state === 'ready' ? neighboursIn(read.value, of.patientId) : null
  return found === null ? null : <Ways {...of} found={found} />
}

/** Null where this part of the list does not say who stands on both sides. */
function neighboursIn({ patients, total }: PatientList, patientId: string): Neighbours | null {
  const at = patients.findIndex(({ id }) => id === patientId)
  const isCutOff = at === patients.length - 1 && patients.length < total
  if (at < 0 || isCutOff) return null
  return { previous: patients[at - 1] ?? null, next: patients[at + 1] ?? null, place: at + 1, total }
}

function Ways({ projectId, found, pathOf }: NeighbourPlace & { readonly found: Neighbours }) {
  const { t } = useTranslation('casebook')
  const { previous, next, place, total } = found
  const toOf = (patient: NamedPatient | null) => (patient === null ? null : pathOf(projectId, patient.id))
  const [before, after] = [toOf(previous), toOf(next)]
  usePatientKeys(before, after)
  if (total < 2) return null
  return (
    <span className={classes.ways}>
      <span className={classes.place} title={t('strip.place', { place, total })}>
        {place} / {total}
      </span>
      <Way patient={previous} to={before} which="previous" />
      <Way patient={next} to={after} which="next" />
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
      const { key, shiftKey, ctrlKey, metaKey, altKey } = event
      if (!shiftKey || ctrlKey || metaKey || altKey || !isForPage(event) || isTyped(event)) return
      const to = key === 'J' ? after : key === 'K' ? before : null
      if (to === null) return
      event.preventDefault()
      void navigate(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [before, after, navigate])
}
