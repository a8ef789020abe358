import type { Choice } from '#core/form/definition/choiceLists.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isList } from '#core/form/definition/value.ts'

import type { Drawing } from './drawing.ts'
import classes from '../form.module.css'
import type { RowWords } from '../rowWords.ts'
import { choiceText } from '../words.ts'

/**
 * A few choices as buttons, one or several of which are chosen; yes and no are two large halves. The arrow keys only
 * move between them, and the space bar chooses, so that an arrow never changes an answer. A second tap on a chosen
 * button clears it.
 */
export function choiceButtons({ cell, ids, environment: { words }, describedBy, invalid }: Drawing) {
  const { field, choices } = cell
  const several = field.type === 'checkbox' || field.multiple
  const chosen = isList(cell.value) ? cell.value : [cell.value]
  // The Tab key reaches one button: the chosen one, or the first that can be chosen.
  const first = choices.find((choice) => chosen.includes(choice.value)) ?? choices.find((choice) => !choice.disabled)
  return (
    <div
      id={ids.control}
      className={field.widget === 'yesno' ? classes.halves : classes.choices}
      data-count={several ? undefined : choices.length}
      role={several ? 'group' : 'radiogroup'}
      aria-labelledby={ids.label}
      aria-describedby={describedBy}
      aria-required={several ? undefined : cell.required}
      aria-invalid={several ? undefined : invalid}
    >
      {choices.map((choice) => {
        const on = chosen.includes(choice.value)
        return (
          <button
            key={choice.value}
            type="button"
            className={classes.choice}
            role={several ? 'checkbox' : 'radio'}
            aria-checked={on}
            tabIndex={choice === first ? undefined : -1}
            disabled={choice.disabled && !on}
            data-action={several ? 'toggle' : 'pick'}
            data-value={choice.value}
          >
            {wordOf(field, choice, words)}
          </button>
        )
      })}
    </div>
  )
}

function wordOf(field: Field, choice: Choice, words: RowWords): string {
  const text = choiceText(choice, words.language)
  if (field.widget !== 'yesno') return text
  return choice.value === '1' ? words.yes : choice.value === '0' ? words.no : text
}
