import { useTranslation } from 'react-i18next'
import type { FileState, FileStanding } from '#src/data/shapes/fileTypes.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { Status } from '#src/ui/badges/StatusBadge.tsx'

const SHAPES: Readonly<Record<FileState, Status>> = {
  waiting: 'local',
  sending: 'sending',
  stored: 'received',
  coming: 'inProgress',
  rejected: 'attention',
  loose: 'attention',
  atServer: 'notStarted',
}

/** The state of a file, as colour, shape and word. @param standing null while it is not known */
export function FileStateBadge({ standing }: { readonly standing: FileStanding | null }) {
  const { t } = useTranslation('form')
  const { state, share, problem } = standing ?? { state: 'atServer' as const, share: 0, problem: null }
  const known =
    problem !== null && problem in KNOWN ? t(`files.problem.${problem as keyof typeof KNOWN}`, { max: '' }) : ''
  const word = t(`files.state.${state}`, { percent: Math.floor(share * 100) })
  return (
    <StatusShape status={SHAPES[state]} share={share}>
      {known === '' ? word : `${word}${t('colon')}${known}`}
    </StatusShape>
  )
}

/** Reasons that have words of their own. */
const KNOWN = { type_not_allowed: 1, type_forged: 1, too_many_pixels: 1, empty: 1 }
