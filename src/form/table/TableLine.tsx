import { memo } from 'react'
import { holdsData } from '#core/form/definition/page.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { isError } from '#core/form/engine/issue.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'

import formClasses from '../form.module.css'
import type { FormEnvironment } from '../formContext.ts'
import { useTableRow } from '../formContext.ts'
import { RowChecks } from '../review/FieldChecks.tsx'
import { rowKey } from '../review/reviewMarks.ts'
import { displayText, labelOf, unitOf } from '../words.ts'
import type { Language } from '../words.ts'
import classes from './table.module.css'

interface TableLineProps {
  readonly table: string
  readonly rid: string
  /** Its place among the rows, from 1. */
  readonly no: number
  readonly editable: boolean
  readonly environment: FormEnvironment
}

/** One row of a table as text: a line where columns stand side by side, otherwise a card. */
export const TableLine = memo(function TableLine({ table, rid, no, editable, environment }: TableLineProps) {
  const { state, t, review, language } = environment
  const row = useTableRow(state, table, rid)
  if (row === undefined) return null
  const contents = (
    <>
      <span className={classes.no}>
        <span className={formClasses.hiddenText}>{t('table.no', { no })}</span>
        <span aria-hidden="true">{no}</span>
      </span>
      {row.cells
        .filter(({ field }) => holdsData(field))
        .map((cell) => (
          <Value key={cell.key} cell={cell} environment={environment} />
        ))}
      <Marks cells={row.cells} environment={environment} />
    </>
  )
  return (
    <li className={classes.line} {...(review === null ? {} : { 'data-line': rowKey(table, rid) })}>
      {editable || review !== null ? (
        <button type="button" className={classes.open} data-action="row-open" data-value={rid} aria-haspopup="dialog">
          {contents}
        </button>
      ) : (
        <div className={classes.open}>{contents}</div>
      )}
      {review !== null && (
        <RowChecks
          {...{ table, rid, no, review }}
          label={labelOfTable(environment, table, language)}
          cells={row.cells.filter(({ field }) => holdsData(field))}
          masked={state.masked}
        />
      )}
    </li>
  )
})

function labelOfTable({ state }: FormEnvironment, table: string, language: Language): string {
  const field = state.getCell(table)?.field
  return field === undefined ? table : labelOf(field, language)
}

/** A value with its label; where the column has a heading, only screen readers get the label. */
function Value({
  cell,
  environment: { t, words, language },
}: {
  readonly cell: Cell
  readonly environment: FormEnvironment
}) {
  const { field, missing, visible } = cell
  if (!visible) return <span className={classes.value} />
  const text = missing !== null ? t(`missing.${missing.m}`) : displayText(cell, t)
  return (
    <span className={classes.value} data-number={field.type === 'number' || undefined}>
      <span className={classes.label}>{`${labelOf(field, language)}${words.colon}`}</span>
      <span className={text === '' ? formClasses.empty : undefined}>
        {text === '' ? '—' : text}
        {text !== '' && missing === null && field.unit !== null && (
          <span className={classes.unit}>{` ${unitOf(field, language)}`}</span>
        )}
      </span>
    </span>
  )
}

/** What in the row needs attention: conflicts, empty required fields, and errors. */
function Marks({
  cells,
  environment: { t },
}: {
  readonly cells: readonly Cell[]
  readonly environment: FormEnvironment
}) {
  const there = cells.filter(({ visible }) => visible)
  const missing = there.filter(({ issues }) => issues.some(({ code }) => code === 'required')).length
  const wrong = there.filter(
    ({ issues, serverMessage }) =>
      serverMessage !== null || issues.some((issue) => isError(issue) && issue.code !== 'required'),
  ).length
  return (
    <span className={classes.marks}>
      {there.some(({ conflict }) => conflict !== null) && <StatusBadge status="conflict" />}
      {missing > 0 && <StatusBadge status="missing" count={missing} />}
      {wrong > 0 && <span className={classes.wrong}>{t('table.wrong', { count: wrong })}</span>}
    </span>
  )
}
