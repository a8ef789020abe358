import { useLayoutEffect, useRef } from 'react'

import type { Field } from '#core/form/page.ts'
import { valueText } from '#core/form/value.ts'

import type { ControlProps } from './controlProps.ts'
import classes from '../form.module.css'
import { rowIds, useFormEnvironment } from '../formContext.ts'
import { labelOf } from '../words.ts'

/**
 * A text box: text, number, date, time. It keeps its own raw text while it has the focus (a half-typed Chinese word is not a
 * value), so the element is not controlled; it takes the cell's text whenever it is not being typed in.
 */
export function TextControl({ cell, describedBy, invalid }: ControlProps) {
  const { t, id, language } = useFormEnvironment()
  const { field } = cell
  const ids = rowIds(id, field.prop)
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const shown = cell.text ?? valueText(cell.value)
  useLayoutEffect(() => {
    const element = box.current
    if (element !== null && element !== document.activeElement && element.value !== shown) element.value = shown
  }, [shown])

  const common = {
    ref: box,
    id: ids.control,
    defaultValue: shown,
    'data-prop': field.prop,
    'data-control': 'text',
    'aria-invalid': invalid || undefined,
    'aria-required': cell.required || undefined,
    'aria-describedby': describedBy,
  } as const
  if (field.type === 'textarea') return <textarea className={classes.box} rows={3} {...common} />
  const temporal = field.type === 'date' || field.type === 'time' || field.type === 'datetime'
  const label = labelOf(field, language)
  return (
    <div className={classes.line}>
      <input
        className={classes.box}
        type="text"
        autoComplete="off"
        inputMode={inputMode(field)}
        placeholder={temporal ? t(`placeholder.${field.type}`) : undefined}
        {...common}
      />
      {field.unit !== null && <span className={classes.unit}>{field.unit}</span>}
      {temporal && (
        <button
          type="button"
          className={classes.side}
          data-action="now"
          data-prop={field.prop}
          aria-label={`${label}: ${t(field.type === 'date' ? 'today' : 'now')}`}
        >
          {t(field.type === 'date' ? 'today' : 'now')}
        </button>
      )}
      {field.type === 'date' && (
        <button
          type="button"
          className={classes.side}
          data-action="calendar"
          data-prop={field.prop}
          aria-label={`${label}: ${t('calendar')}`}
          aria-haspopup="dialog"
        >
          {t('calendar')}
        </button>
      )}
    </div>
  )
}

/** The keypad that a tablet offers. */
function inputMode(field: Field): 'numeric' | 'decimal' | 'tel' | 'email' | 'text' {
  if (field.type === 'date' || field.type === 'time' || field.type === 'datetime') return 'numeric'
  if (field.validation === 'phone') return 'tel'
  if (field.validation === 'email') return 'email'
  if (field.type !== 'number' && field.validation !== 'number' && field.validation !== 'integer') return 'text'
  // Tablets' numeric keypads often lack the minus sign, which the decimal one of some has; only whole positive numbers are sure.
  const whole = field.precision === 0 || field.validation === 'integer'
  return whole && typeof field.min === 'number' && field.min >= 0 ? 'numeric' : 'decimal'
}
