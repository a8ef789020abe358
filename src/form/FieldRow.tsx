import { memo } from 'react'

import type { Cell } from '#core/form/cell.ts'
import { isError } from '#core/form/issue.ts'
import type { Field } from '#core/form/page.ts'
import { isCollected } from '#core/form/page.ts'

import type { ControlProps } from './controls/controlProps.ts'
import { ChoiceControl } from './controls/ChoiceControl.tsx'
import { SheetChoiceControl } from './controls/SheetChoiceControl.tsx'
import { SliderControl } from './controls/SliderControl.tsx'
import { TextControl } from './controls/TextControl.tsx'
import classes from './form.module.css'
import type { FormEnvironment } from './formContext.ts'
import { rowIds, useCell, useFormEnvironment } from './formContext.ts'
import { displayText, issueText, labelOf, rangeHint } from './words.ts'

/** Choices up to this number are buttons; more are a searchable sheet. */
const MOST_BUTTONS = 6

/** One field: label, control, hint, errors. Stays in the document, hidden, while a rule hides it. */
export const FieldRow = memo(function FieldRow({ prop }: { readonly prop: string }) {
  const environment = useFormEnvironment()
  const cell = useCell(prop)
  if (cell === undefined) return null
  return <Row cell={cell} environment={environment} />
})

function Row({ cell, environment }: { readonly cell: Cell; readonly environment: FormEnvironment }) {
  const { mode, language, t, id } = environment
  const { field } = cell
  const collected = isCollected(field)
  // A control that cannot work is not shown: a field that is not collected has a row only where it has a value.
  if (!collected && !cell.calculated && cell.value === null && cell.missing === null) return null

  const ids = rowIds(id, field.prop)
  const label = labelOf(field, language)
  const editable = mode === 'input' && collected && !cell.readOnly
  const issues = cell.left || mode === 'view' ? cell.issues : []
  const range = editable ? rangeHint(field, t) : null
  const hint = [field.note, range].filter((text) => text !== null)
  const hasIssues = issues.length > 0 || cell.serverMessage !== null
  const describedBy = [hint.length > 0 ? ids.hint : '', hasIssues ? ids.issues : ''].filter((part) => part !== '').join(' ')
  const grouped = editable && drawsGroup(field)
  const Label = editable && !grouped && cell.missing === null ? 'label' : 'div'
  return (
    <div className={classes.row} id={ids.row} data-row={field.prop} hidden={!cell.visible}>
      <div className={classes.head}>
        <Label id={ids.label} className={classes.label} {...(Label === 'label' ? { htmlFor: ids.control } : {})}>
          {label}
          {cell.required && (
            <span className={classes.required} aria-hidden="true">
              {' *'}
            </span>
          )}
          {cell.required && !saysRequired(field) && <span className={classes.hiddenText}>{`（${t('required')}）`}</span>}
        </Label>
        {editable && cell.missing === null && (
          <button
            type="button"
            className={classes.quiet}
            data-action="missing"
            data-prop={field.prop}
            aria-label={t('missing.openFor', { label })}
            aria-haspopup="dialog"
          >
            {t('missing.open')}
          </button>
        )}
      </div>
      {hint.length > 0 && (
        <div id={ids.hint} className={classes.hint}>
          {hint.join(' · ')}
        </div>
      )}
      {cell.missing !== null ? (
        <MissingValue cell={cell} editable={editable} environment={environment} label={label} />
      ) : editable ? (
        <Control cell={cell} describedBy={describedBy === '' ? undefined : describedBy} invalid={issues.some(isError)} />
      ) : (
        <ReadOnlyValue cell={cell} environment={environment} />
      )}
      {hasIssues && (
        <ul id={ids.issues} className={classes.issues}>
          {cell.serverMessage !== null && <li data-severity="error">{cell.serverMessage}</li>}
          {issues.map((issue) => (
            <li
              key={issue.code === 'check' ? `check-${issue.id}` : issue.code}
              data-severity={isError(issue) ? 'error' : 'warning'}
            >
              {issueText(issue, label, language, t)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Control(props: ControlProps) {
  const { field } = props.cell
  if (isChoice(field)) return drawsGroup(field) ? <ChoiceControl {...props} /> : <SheetChoiceControl {...props} />
  return field.type === 'slider' ? <SliderControl {...props} /> : <TextControl {...props} />
}

/** Whether the control is a group of buttons, which is named by its label instead of being labelled by it. */
function drawsGroup(field: Field): boolean {
  return isChoice(field) && field.choices.length <= MOST_BUTTONS
}

/** Whether the control itself can tell that it is required; buttons and groups of check boxes cannot. */
function saysRequired(field: Field): boolean {
  return !isChoice(field) || (drawsGroup(field) && field.type !== 'checkbox' && !field.multiple)
}

function isChoice(field: Field): boolean {
  return field.type === 'radio' || field.type === 'checkbox' || field.type === 'select'
}

interface ValueProps {
  readonly cell: Cell
  readonly environment: FormEnvironment
}

function ReadOnlyValue({ cell, environment: { t, id } }: ValueProps) {
  const { field } = cell
  const text = displayText(cell, t)
  const note = cell.calculated
    ? t('calculated')
    : field.type === 'upload'
      ? t('attachmentNotCollected')
      : isCollected(field)
        ? null
        : t('notCollected')
  const ids = rowIds(id, field.prop)
  // A calculated value is announced when it changes; one that is only read is not.
  const Value = cell.calculated ? 'output' : 'div'
  return (
    <Value
      className={classes.value}
      id={ids.control}
      tabIndex={-1}
      {...(cell.calculated ? { 'aria-labelledby': ids.label } : {})}
    >
      <span className={text === '' ? classes.empty : undefined}>{text === '' ? t('empty') : text}</span>
      {text !== '' && field.unit !== null && <span className={classes.unit}>{field.unit}</span>}
      {note !== null && <span className={classes.unit}>{note}</span>}
    </Value>
  )
}

function MissingValue({ cell, environment: { t, id }, editable, label }: ValueProps & { editable: boolean; label: string }) {
  if (cell.missing === null) return null
  const ids = rowIds(id, cell.field.prop)
  return (
    <div className={classes.value} id={ids.control} tabIndex={-1}>
      <span>{`${t(`missing.${cell.missing.m}`)} — ${cell.missing.reason}`}</span>
      {editable && (
        <button
          type="button"
          className={classes.quiet}
          data-action="undo-missing"
          data-prop={cell.field.prop}
          aria-label={t('missing.undoFor', { label })}
        >
          {t('missing.undo')}
        </button>
      )}
    </div>
  )
}
