import type { ControlProps } from './controlProps.ts'
import classes from '../form.module.css'
import { rowIds, useFormEnvironment } from '../formContext.ts'
import { displayText } from '../words.ts'

/** Many choices: the chosen one as text; a tap opens the form's one sheet with a search. */
export function SheetChoiceControl({ cell, describedBy }: ControlProps) {
  const { t, id } = useFormEnvironment()
  const ids = rowIds(id, cell.field.prop)
  const text = displayText(cell, t)
  return (
    <button
      type="button"
      id={ids.control}
      className={classes.opener}
      data-action="choose"
      data-prop={cell.field.prop}
      aria-haspopup="dialog"
      aria-labelledby={`${ids.label} ${ids.value}`}
      aria-describedby={describedBy}
    >
      <span id={ids.value} className={text === '' ? classes.empty : undefined}>{text === '' ? t('choose') : text}</span>
    </button>
  )
}
