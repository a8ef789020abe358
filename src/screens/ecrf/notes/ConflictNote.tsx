import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { FormState } from '#core/form/engine/engine.ts'
import type { ConflictPlace } from '#src/data/shapes/types.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { useChangeName } from '#src/screens/ecrf/reasons/useChangeName.ts'
import { Note } from '#src/ui/Note.tsx'
import { useNames } from '#src/ui/words/useNames.ts'

interface ConflictNoteProps {
  readonly conflicts: readonly ConflictPlace[]
  readonly form: FormState
  readonly pathOf: (conflictId: string) => string
}

/**
 * All conflicts of a page, each with the way to decide it. Also those whose field a rule hides or whose row was
 * deleted.
 */
export function ConflictNote({ conflicts, form, pathOf }: ConflictNoteProps) {
  const { t } = useTranslation('ecrf')
  const names = useNames()
  const nameOnPage = useChangeName(form)
  const nameOf = (conflict: ConflictPlace) =>
    conflict.former === undefined
      ? nameOnPage(conflict)
      : t('conflict.former', { field: names.field(conflict.former) ?? conflict.code })
  if (conflicts.length === 0) return null
  return (
    <Note tone="error" title={t('conflict.title', { count: conflicts.length })}>
      <ul className={classes.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <Link to={pathOf(conflict.id)}>{t('conflict.decide', { field: nameOf(conflict) })}</Link>
          </li>
        ))}
      </ul>
    </Note>
  )
}
