import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useVisits } from '#src/data/hooks/visits.ts'

import classes from './work.module.css'

interface HiddenNoteProps {
  readonly projectId: string
  readonly centerId: string | null
  readonly searchId: string | null
  readonly isAll: boolean
  readonly onToggle: () => void
}

/** Says how many visits the study hides because they are outside of their window, and offers to show them. */
export function HiddenNote({ projectId, centerId, searchId, isAll, onToggle }: HiddenNoteProps) {
  const { t } = useTranslation('visits')
  const shown = { ...(centerId === null ? {} : { centerId }), ...(searchId === null ? {} : { searchId }) }
  const [coming, overdue] = [
    useVisits(projectId, { ...shown, group: 'coming' }),
    useVisits(projectId, { ...shown, group: 'overdue' }),
  ]
  const count =
    (coming.state === 'ready' ? coming.value.total : 0) + (overdue.state === 'ready' ? overdue.value.total : 0)
  if (count === 0) return null
  return (
    <Group gap="xs">
      {!isAll && <span className={classes.total}>{t('hidden', { count })}</span>}
      <Button variant="subtle" h="var(--zl-control)" onClick={onToggle} aria-expanded={isAll}>
        {t(isAll ? 'hide' : 'show')}
      </Button>
    </Group>
  )
}
