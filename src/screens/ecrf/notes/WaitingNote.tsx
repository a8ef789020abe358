import { useTranslation } from 'react-i18next'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { WaitingChange } from '#src/data/shapes/types.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { useChangeName } from '#src/screens/ecrf/reasons/useChangeName.ts'
import { Note } from '#src/ui/Note.tsx'
import { fullTime } from '#src/ui/words/format.ts'

interface WaitingNoteProps {
  readonly waiting: readonly WaitingChange[]
  readonly form: FormState
}

/**
 * Work on this page that the server keeps in the inbox for a decision, with its value and its state, on the page where
 * it was entered.
 */
export function WaitingNote({ waiting, form }: WaitingNoteProps) {
  const { t } = useTranslation('ecrf')
  const nameOf = useChangeName(form)
  if (waiting.length === 0) return null
  return (
    <Note tone="warning" title={t('waiting.title', { count: waiting.length })}>
      <ul className={classes.conflicts}>
        {waiting.map(({ opKey, item, at, state }) => (
          <li key={`${opKey} ${item.table ?? ''} ${item.rid ?? ''} ${item.code}`}>
            {nameOf(item)}
            {'：'}
            <strong>
              <ContentText field={form.getCell(addressKey(item))?.field ?? null} content={item.to} />
            </strong>
            {` · ${t(`waiting.${state}`, { time: fullTime(at) })}`}
          </li>
        ))}
      </ul>
    </Note>
  )
}
