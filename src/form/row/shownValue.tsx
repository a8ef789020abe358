import { isCollected } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { isList, valueText } from '#core/form/definition/value.ts'
import { isWebAddress } from '#core/form/engine/issue.ts'
import type { JsonValue } from '#core/json.ts'

import { hasRows } from '#src/form/missing/blank.ts'
import type { Drawing } from '../controls/drawing.ts'
import classes from '../form.module.css'
import { displayText, unitOf } from '../words.ts'

/** The value of a field that cannot be edited. */
export function readOnlyValue(drawing: Drawing) {
  const { cell, ids, environment, describedBy: described } = drawing
  // A screen reader announces a calculated value when it changes, but not a read-only one.
  const Value = cell.calculated ? 'output' : 'div'
  const text = displayText(cell, environment.t)
  return (
    <Value
      className={classes.value}
      id={ids.control}
      tabIndex={-1}
      role={cell.calculated ? undefined : 'group'}
      aria-labelledby={ids.label}
      aria-describedby={described}
    >
      {valueAndNote(drawing, text)}
    </Value>
  )
}

/** A calculation without a value either waits for what it is calculated from, or it has no result. */
function valueAndNote({ cell, environment: { t, words, language } }: Drawing, text: string) {
  const { field, value } = cell
  const unit = unitOf(field, language)
  if (text === '' && cell.waits) return <span className={classes.empty}>{words.notCalculated}</span>
  const note = cell.calculated ? words.calculated : isCollected(field) ? null : t('notCollected')
  return (
    <>
      <span className={text === '' ? classes.empty : undefined}>
        {text === '' ? words.empty : field.type === 'url' && isList(value) ? value.map(address) : text}
      </span>
      {text !== '' && unit !== null && <span className={classes.unit}>{unit}</span>}
      {note !== null && <span className={classes.unit}>{note}</span>}
    </>
  )
}

/** One stored address: it becomes a link only where it leads to the web. */
function address(item: JsonValue, at: number) {
  const text = valueText(item)
  return (
    <span key={at} className={classes.address}>
      {isWebAddress(text) ? (
        <a href={text} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ) : (
        text
      )}
    </span>
  )
}

/** The missing reason, and the button that clears it. */
export function missingValue(
  { cell, label, ids, environment: { t, words }, describedBy: described }: Drawing,
  missing: Missing,
  editable: boolean,
) {
  return (
    <fieldset
      className={classes.value}
      {...(hasRows(cell) ? NOTHING : { id: ids.control })}
      tabIndex={-1}
      aria-labelledby={ids.label}
      aria-describedby={described}
    >
      <span>{`${t(`missing.${missing.m}`)} — ${missing.reason}`}</span>
      {editable && (
        <button
          type="button"
          className={classes.quiet}
          data-action="undo-missing"
          aria-label={words.undoMissingFor(label)}
        >
          {words.undoMissing}
        </button>
      )}
    </fieldset>
  )
}

const NOTHING = {}
