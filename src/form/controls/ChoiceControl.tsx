import { isList } from '#core/form/value.ts'

import type { ControlProps } from './controlProps.ts'
import classes from '../form.module.css'
import { rowIds, useFormEnvironment } from '../formContext.ts'
import { choiceLabel } from '../words.ts'

/**
 * A few choices as buttons, one or several of which are on; yes and no as two large halves. The arrow keys move between them and
 * the space bar chooses: an arrow never changes an answer. A second tap on the chosen one takes it back.
 */
export function ChoiceControl({ cell, describedBy, invalid }: ControlProps) {
  const { t, id } = useFormEnvironment()
  const { field } = cell
  const ids = rowIds(id, field.prop)
  const several = field.type === 'checkbox' || field.multiple
  const chosen = new Set(isList(cell.value) ? cell.value : cell.value === null ? [] : [cell.value])
  const first = field.choices.find((choice) => chosen.has(choice.value)) ?? field.choices[0]
  return (
    <div
      id={ids.control}
      className={field.widget === 'yesno' ? classes.halves : classes.choices}
      role={several ? 'group' : 'radiogroup'}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
      {...(several ? {} : { 'aria-required': cell.required, 'aria-invalid': invalid })}
    >
      {field.choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={classes.choice}
          role={several ? 'checkbox' : 'radio'}
          aria-checked={chosen.has(choice.value)}
          tabIndex={several || choice === first ? 0 : -1}
          disabled={choice.disabled && !chosen.has(choice.value)}
          data-action={several ? 'toggle' : 'pick'}
          data-prop={field.prop}
          data-value={choice.value}
        >
          {choiceLabel(field, choice.value, t)}
        </button>
      ))}
    </div>
  )
}
