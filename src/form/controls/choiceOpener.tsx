import type { Drawing } from './drawing.ts'
import classes from '../form.module.css'
import { displayText, placeholderOf } from '../words.ts'

/** A field with many choices: shows the chosen one as text; a tap opens the form's sheet with a search. */
export function choiceOpener({ cell, ids, environment: { t, words, language }, describedBy }: Drawing) {
  const text = displayText(cell, t)
  return (
    <button
      type="button"
      id={ids.control}
      className={classes.opener}
      data-action="choose"
      aria-haspopup="dialog"
      aria-labelledby={`${ids.label} ${ids.value}`}
      aria-describedby={describedBy}
    >
      <span id={ids.value} className={text === '' ? classes.empty : undefined}>
        {text === '' ? (placeholderOf(cell.field, language) ?? words.choose) : text}
      </span>
    </button>
  )
}
