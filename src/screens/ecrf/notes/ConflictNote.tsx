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
  /** How many there are; what is not listed yet keeps its place. */
  readonly count: number
  /** Whether who looks enters the page, and so decides. */
  readonly decides: boolean
  readonly form: FormState
  readonly pathOf: (conflictId: string) => string
}

/**
 * All conflicts of a page, each with the way to decide it. Also those whose field a rule hides or whose row was
 * deleted.
 */
export function ConflictNote({ conflicts, count, decides, form, pathOf }: ConflictNoteProps) {
  const { t } = useTranslation('ecrf')
  const names = useNames()
  const nameOnPage = useChangeName(form)
  const nameOf = (conflict: ConflictPlace) =>
    conflict.former === undefined
      ? nameOnPage(conflict)
      : t('conflict.former', { field: names.field(conflict.former) ?? conflict.code })
  if (count === 0) return null
  return (
    <Note tone="error" title={t(decides ? 'conflict.title' : 'conflict.seen', { count })}>
      <ul className={classes.conflicts}>
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <Link to={pathOf(conflict.id)}>
              {t(decides ? 'conflict.decide' : 'conflict.see', { field: nameOf(conflict) })}
            </Link>
          </li>
        ))}
        {conflicts.length === 0 && (
          <li className={classes.toCome} aria-hidden="true">
            {'\u00A0'}
          </li>
        )}
      </ul>
    </Note>
  )
}
