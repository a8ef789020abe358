import type { Drawing } from './drawing.ts'
import { taking } from './textBox.tsx'
import classes from '../form.module.css'
import { endText } from '../words.ts'

/** The ends of a range, in the order of its value. */
export const ENDS = [
  { end: 0, name: 'from' },
  { end: 1, name: 'to' },
] as const

/**
 * The beginning and the end of a range of dates or times: two text boxes. The name of each is the label together with
 * its end.
 */
export function rangeBoxes({ cell, label, ids, environment: { t, words }, describedBy, invalid }: Drawing) {
  const { type } = cell.field
  const moment = type === 'timerange' ? 'time' : type === 'datetimerange' ? 'datetime' : 'date'
  return (
    <fieldset id={ids.control} className={classes.ends} aria-labelledby={ids.label}>
      {ENDS.map(({ end, name }) => {
        const title = t(`ends.${name}For`, { label })
        return (
          <div key={end} className={classes.line} data-width={moment === 'datetime' ? 'moment' : 'date'}>
            <span className={classes.unit} aria-hidden="true">
              {t(`ends.${name}`)}
            </span>
            <input
              ref={taking(endText(cell.value, end))}
              type="text"
              autoComplete="off"
              inputMode="numeric"
              placeholder={words.placeholder[moment]}
              className={classes.box}
              data-control="text"
              data-end={end}
              aria-label={title}
              aria-invalid={invalid || undefined}
              aria-required={cell.required || undefined}
              aria-describedby={describedBy}
            />
            {moment === 'date' && (
              <button
                type="button"
                className={classes.side}
                data-action="calendar"
                data-end={end}
                aria-label={`${title}${words.colon}${words.calendar}`}
                aria-haspopup="dialog"
              />
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
