import { IconHistory, IconUser } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useMatch } from 'react-router-dom'
import { isId } from '#core/ids.ts'
import { useFoundPatients, usePlacesOfPatients } from '#src/data/hooks/patientSearch.ts'
import type { FoundPatients, PatientPlace } from '#src/data/hooks/patientSearch.ts'
import { useProject } from '#src/data/hooks/projects.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useEntryVersion } from '#src/frame/layouts/useEntryVersion.ts'
import { useMenuGroups } from '#src/frame/shell/Navigation.tsx'
import { casebookPath } from '#src/paths/screenPaths.ts'
import { routeAt } from '#src/paths/routeNames.ts'
import { useSession } from '#src/session/useSession.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { rankPatients } from './rankPatients.ts'
import { recentPlaces } from './recentPlaces.ts'
import type { RecentPlace } from './recentPlaces.ts'

/** One line that leads somewhere. */
export interface Choice {
  readonly id: string
  readonly to: string
  readonly name: string
  readonly note: string
  readonly icon: Icon
  /** Leads out of the app. */
  readonly outside: boolean
}

interface ChoiceGroup {
  readonly kind: 'patients' | 'recent' | 'screens'
  readonly choices: readonly Choice[]
}

export interface Choices {
  readonly groups: readonly ChoiceGroup[]
  /** Whether the subjects belong to the text as it is now: those of the text before stay until then. */
  readonly isFresh: boolean
}

/** More are not looked through: one more letter narrows them down. */
const MOST_PATIENTS = 50

/** What a text leads to: subjects and screens; without a text where the user has been, and all screens. */
export function useChoices(text: string): Choices {
  const projectId = useProjectHere()
  const screens = useScreens(projectId, text)
  const found = usePatientsFor(projectId, text)
  const recent = useRecent(text === '')
  const groups: readonly ChoiceGroup[] =
    text === ''
      ? [
          { kind: 'recent', choices: recent },
          { kind: 'screens', choices: screens },
        ]
      : [
          { kind: 'patients', choices: found.choices },
          { kind: 'screens', choices: screens },
        ]
  return { groups: groups.filter(({ choices }) => choices.length > 0), isFresh: found.isFresh }
}

/** The project of the current address; null outside of projects. */
function useProjectHere(): string | null {
  const inside = useMatch('/p/:id/*')?.params.id ?? null
  const { search } = useLocation()
  const named = inside ?? new URLSearchParams(search).get('p')
  return named !== null && isId(named) ? named : null
}

function useScreens(projectId: string | null, text: string): readonly Choice[] {
  const project = useProject(projectId)
  const version = useEntryVersion(projectId)
  const asked = useMatch('/p/:id/v/:crfId/*')?.params.crfId ?? null
  const groups = useMenuGroups(
    project.state === 'ready' ? project.value : null,
    asked ?? (version.state === 'ready' ? version.value : null),
  )
  const wanted = text.toLowerCase()
  return groups.flatMap(({ title, entries }) =>
    entries
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ to, name, icon, outside = false }) => ({
        id: `screen ${to}`,
        to,
        name,
        note: title ?? '',
        icon,
        outside,
      })),
  )
}

function usePatientsFor(
  projectId: string | null,
  text: string,
): { readonly choices: readonly Choice[]; readonly isFresh: boolean } {
  const label = usePatientLabel()
  const read = useFoundPatients(projectId, text)
  const found = useLastReady(read)
  const patients = found.flatMap(({ patients: all, ...project }) => all.map((patient) => ({ ...patient, ...project })))
  return {
    isFresh: text === '' || read.state !== 'loading',
    choices: rankPatients(patients, text)
      .slice(0, MOST_PATIENTS)
      .map((patient) => ({
        id: `patient ${patient.id}`,
        to: casebookPath(patient.projectId, patient.id),
        name: [label(patient), patient.initials].filter(Boolean).join(' · '),
        note: [patient.centerName, patient.projectName].filter(Boolean).join(' · '),
        icon: IconUser,
        outside: false,
      })),
  }
}

/** The last value that was there: what was found for the text before stays while the next is looked for. */
function useLastReady(read: Loadable<readonly FoundPatients[]>): readonly FoundPatients[] {
  const [last, setLast] = useState<readonly FoundPatients[]>([])
  const now = read.state === 'ready' ? read.value : last
  if (now !== last) setLast(now)
  return now
}

/** Where the user has been, but for where they are. */
function useRecent(isWanted: boolean): readonly Choice[] {
  const { t } = useTranslation('shell')
  const { current } = useSession()
  const { pathname } = useLocation()
  const label = usePatientLabel()
  const names = useNames()
  const [places] = useState(() =>
    current.state === 'open' ? recentPlaces(current.user.userId).filter((one) => one.pathname !== pathname) : [],
  )
  const patients = places.flatMap(({ patientId, entryId, search }) =>
    patientId === null ? [] : [{ patientId, entryId, projectId: new URLSearchParams(search).get('p') ?? '' }],
  )
  const read = usePlacesOfPatients(isWanted ? patients : [])
  const known = read.state === 'ready' ? read.value : new Map<string, PatientPlace>()
  const nameOf = ({ pathname: path, patientId }: RecentPlace): readonly [string, string] => {
    const place = routeAt(path)?.place
    const screen = place === undefined ? '' : t(`place.${place}`)
    if (patientId === null) return [screen, '']
    const patient = known.get(patientId)
    // Until it is read, and where it cannot be, the line keeps its height.
    if (patient === undefined) return ['…', screen]
    const page = patient.page === null ? screen : names.place(patient.page)
    return [[label(patient), patient.initials].filter(Boolean).join(' · '), page]
  }
  return places.flatMap((one) => {
    const [name, note] = nameOf(one)
    if (name === '' || routeAt(one.pathname)?.place === 'project') return []
    return [
      {
        id: `recent ${one.pathname}`,
        to: `${one.pathname}${one.search}`,
        name,
        note,
        icon: one.patientId === null ? IconHistory : IconUser,
        outside: false,
      },
    ]
  })
}
