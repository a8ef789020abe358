import { isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'

import type { Drawing } from './drawing.ts'
import { ENDS } from './rangeBoxes.tsx'
import classes from '../form.module.css'
import { marksOf, unitOf } from '../words.ts'

/**
 * A scale, or two for a range. A slider always has a position, so an unanswered one says so in words and looks pale
 * until it is touched.
 */
export function scale(drawing: Drawing) {
  const { cell, ids, environment } = drawing
  const marks = marksOf(cell.field, environment.language)
  const { field, value } = cell
  return (
    <div
      className={classes.slider}
      {...(field.multiple ? { id: ids.control, role: 'group', 'aria-labelledby': ids.label } : {})}
    >
      {field.multiple
        ? ENDS.map((part) => thumb(drawing, (isList(value) ? value[part.end] : null) ?? null, part))
        : thumb(drawing, value, null)}
      {marks.length > 0 && (
        <div className={classes.marks} aria-hidden="true">
          {marks.map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </div>
      )}
    </div>
  )
}

function thumb(
  { cell, label, ids, environment: { t, words, language }, describedBy, invalid }: Drawing,
  value: JsonValue,
  part: (typeof ENDS)[number] | null,
) {
  const { field } = cell
  const unit = unitOf(field, language)
  const [min, max] = [Number(field.min ?? 0), Number(field.max ?? 100)]
  const given = value !== null && value !== ''
  const resting = part === null ? (min + max) / 2 : part.end === 0 ? min : max
  const position = String(typeof value === 'number' ? value : resting)
  const said = given ? valueText(value) : words.empty
  const spokenId = part === null ? ids.value : `${ids.value}-${part.name}`
  const stand = (range: HTMLInputElement | null) => {
    if (range !== null && range.value !== position) range.value = position
  }
  return (
    <div key={part?.end} className={classes.line}>
      {part !== null && (
        <span className={classes.unit} aria-hidden="true">
          {t(`lowHigh.${part.name}`)}
        </span>
      )}
      <input
        ref={stand}
        {...(part === null
          ? { id: ids.control }
          : { 'aria-label': t(`lowHigh.${part.name}For`, { label }), 'data-end': part.end })}
        type="range"
        className={classes.range}
        min={min}
        max={max}
        step={field.step ?? 1}
        data-control="range"
        data-unset={!given || undefined}
        aria-valuetext={unit === null || !given ? said : `${said} ${unit}`}
        // Not every browser passes on the words of a native slider, so its value is also in the text after it.
        aria-describedby={describedBy === undefined ? spokenId : `${spokenId} ${describedBy}`}
        aria-invalid={invalid || undefined}
      />
      <output id={spokenId} className={classes.scale} aria-hidden="true">
        {said}
        {given && unit !== null && <span className={classes.unit}> {unit}</span>}
      </output>
      {cell.value !== null && part?.end !== 0 && (
        <button
          type="button"
          className={classes.side}
          data-action="clear"
          aria-label={`${label}${words.colon}${words.clear}`}
        >
          {words.clear}
        </button>
      )}
    </div>
  )
}
