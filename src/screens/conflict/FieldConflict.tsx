import { useId } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isAboutFormer } from '#core/sync/conflict.ts'
import { ContentText } from '#src/form/ContentText.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { labelOf } from '#src/form/words.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { TwoValues } from './TwoValues.tsx'
import classes from './conflict.module.css'
import type { NamedConflict } from './subject.ts'
import type { Decision } from './useDecision.ts'

interface ConflictPartProps {
  readonly conflict: NamedConflict
  readonly children: ReactNode
}

/** One field in conflict: its name, what belongs to it, and below that its values. */
export function ConflictPart({ conflict, children }: ConflictPartProps) {
  const { t } = useTranslation('conflict')
  const name = useId()
  return (
    <section className={classes.part} aria-labelledby={name}>
      <h2 className={classes.subject} id={name}>
        {conflict.subject.name}
      </h2>
      {isAboutFormer(conflict.view.row) && <Note tone="info">{t('formerHint')}</Note>}
      <RowAround conflict={conflict} />
      {children}
    </section>
  )
}

interface FieldConflictProps {
  readonly conflict: NamedConflict
  readonly decision: Decision
}

/** The choice between the two values of a field, or a third one. */
export function FieldConflict({ conflict, decision }: FieldConflictProps) {
  const { t } = useTranslation(['conflict', 'form'])
  const language = useLanguage()
  const group = useId()
  const { id } = conflict.view.row
  const chosen = decision.choiceOf(id)
  const other = decision.otherValue(id)
  return (
    <fieldset className={classes.group}>
      <legend className={classes.hidden}>{`${conflict.subject.name}${t('form:colon')}${t('which')}`}</legend>
      <TwoValues
        conflict={conflict}
        choosing={{ name: group, chosen, onChoose: (choice) => decision.choose(id, choice) }}
      />
      {other !== null && (
        <div className={classes.another} data-chosen={chosen === 'new'}>
          <label className={classes.pick}>
            <input
              type="radio"
              name={group}
              value="new"
              checked={chosen === 'new'}
              onChange={() => decision.choose(id, 'new')}
            />
            {t('another.title')}
            <span className={classes.hint}>{t('another.hint')}</span>
          </label>
          {chosen === 'new' && (
            <div className={classes.anotherForm}>
              <FormView state={other} mode="input" language={language} onEdit={() => decision.otherEdited(id)} />
            </div>
          )}
          {decision.isValueWrong(id) && (
            <p className={classes.problem} role="alert">
              {t('required.value')}
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** For a conflict in a table: the other values of its row, by which people recognise it. */
function RowAround({ conflict: { view, subject } }: { readonly conflict: NamedConflict }) {
  const { t } = useTranslation('conflict')
  const language = useLanguage()
  const { tableRow } = view
  if (tableRow === null) return null
  const filled = subject.row.filter(({ code }) => (tableRow.values[code] ?? null) !== null)
  if (filled.length === 0) return null
  return (
    <section className={classes.rowAround} aria-label={t('rowHolds')}>
      <h3>{t('rowHolds')}</h3>
      <FactList
        pairs
        facts={filled.map((field) => [
          labelOf(field, language),
          <ContentText
            key={field.code}
            field={field}
            content={{ value: tableRow.values[field.code] ?? null, missing: null }}
          />,
        ])}
      />
    </section>
  )
}
