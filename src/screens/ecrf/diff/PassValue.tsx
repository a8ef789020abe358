import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/double.ts'
import type { Field } from '#core/form/definition/page.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './diff.module.css'

interface PassValueProps {
  readonly gap: GapRow
  readonly pass: 'first' | 'second'
  /** The field; for a whole row its table; null where no definition has the field. */
  readonly field: Field | null
  readonly chosen: boolean
  /** Null where the choice is closed. */
  readonly onChoose: (() => void) | null
}

/** The value of one pass, and who entered it; a press anywhere on it chooses it. */
export function PassValue({ gap, pass, field, chosen, onChoose }: PassValueProps) {
  const { t } = useTranslation('diff')
  return (
    <label className={classes.value} data-chosen={chosen || undefined}>
      <span className={classes.pass}>{t(`pass.${pass}`)}</span>
      <span className={classes.content}>
        {gap.kind === 'row' && gap[pass].value === null && gap[pass].missing === null ? (
          t('noRow')
        ) : (
          <ContentText field={field} content={rowContent(gap, pass)} />
        )}
      </span>
      <By by={pass === 'first' ? gap.firstBy : gap.secondBy} />
      {onChoose !== null && (
        <span className={classes.pick}>
          <input type="radio" name={gap.id} checked={chosen} onChange={onChoose} />
          {t(`choose.${pass}`)}
        </span>
      )}
    </label>
  )
}

function By({ by }: { readonly by: GapRow['firstBy'] }) {
  const { t } = useTranslation('diff')
  return by === null ? null : <span className={classes.by}>{t('by', { name: by.name, time: fullTime(by.at) })}</span>
}

/** A whole row is shown as a table of one row. */
function rowContent({ kind, first, second }: GapRow, pass: 'first' | 'second'): GapRow['first'] {
  const content = pass === 'first' ? first : second
  return kind === 'row' && content.value !== null ? { ...content, value: [content.value] } : content
}
