import { useLayoutEffect, useRef } from 'react'

import { valueText } from '#core/form/value.ts'

import type { ControlProps } from './controlProps.ts'
import classes from '../form.module.css'
import { rowIds, useFormEnvironment } from '../formContext.ts'
import { labelOf } from '../words.ts'

/** A scale. A slider always stands somewhere, so an unanswered one says so in words and looks pale until it is touched. */
export function SliderControl({ cell, describedBy, invalid }: ControlProps) {
  const { t, id, language } = useFormEnvironment()
  const { field, value } = cell
  const ids = rowIds(id, field.prop)
  const [min, max] = [Number(field.min ?? 0), Number(field.max ?? 100)]
  const range = useRef<HTMLInputElement>(null)
  const position = String(typeof value === 'number' ? value : (min + max) / 2)
  useLayoutEffect(() => {
    if (range.current !== null && range.current.value !== position) range.current.value = position
  }, [position])
  return (
    <div className={classes.slider}>
      <div className={classes.line}>
        <input
          ref={range}
          id={ids.control}
          type="range"
          className={classes.range}
          min={min}
          max={max}
          step={field.step ?? 1}
          defaultValue={position}
          data-prop={field.prop}
          data-control="range"
          data-unset={value === null || undefined}
          aria-valuetext={value === null ? t('empty') : valueText(value)}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
        />
        <output htmlFor={ids.control} className={classes.scale}>
          {value === null ? t('empty') : valueText(value)}
        </output>
        {value !== null && (
          <button
            type="button"
            className={classes.side}
            data-action="clear"
            data-prop={field.prop}
            aria-label={`${labelOf(field, language)}: ${t('clear')}`}
          >
            {t('clear')}
          </button>
        )}
      </div>
      {field.marks.length > 0 && (
        <div className={classes.marks} aria-hidden="true">
          {field.marks.map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </div>
      )}
    </div>
  )
}
