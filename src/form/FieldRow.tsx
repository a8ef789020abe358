import type { CSSProperties } from 'react'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import type { Field } from '#core/form/definition/page.ts'
import { holdsData, isChoice, isCollected, isPick, isRange, isTable, isTree } from '#core/form/definition/page.ts'
import { suffixAfter } from '#core/form/definition/pageLook.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isWarning } from '#core/form/engine/warning.ts'
import { weekOf } from '#core/values/calendarParts.ts'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { laterPart } from '#src/parts/laterPart.tsx'

import { hasRows, isBlank } from './missing/blank.ts'
import { TableField } from './table/TableField.tsx'
import { choiceButtons } from './controls/choiceButtons.tsx'
import { choiceOpener } from './controls/choiceOpener.tsx'
import type { Drawing } from './controls/drawing.ts'
import { filesToCome } from './controls/filesToCome.tsx'
import { rangeBoxes } from './controls/rangeBoxes.tsx'
import { scale } from './controls/scale.tsx'
import { boxWidth, textBox } from './controls/textBox.tsx'
import { drawsButtons } from './layout/places.ts'
import type { FieldPlace } from './layout/places.ts'
import classes from './form.module.css'
import type { FormEnvironment } from './formContext.ts'
import { missingRecords } from './picking.ts'
import { rowIds, useCell } from './formContext.ts'
import { textWithValues, useTextWithValues } from './piping.ts'
import { hintText } from './row/hintText.ts'
import { issueList, titleIssueList } from './row/issueList.tsx'
import { missingValue, readOnlyValue } from './row/shownValue.tsx'
import { FieldChecks } from './review/FieldChecks.tsx'
import { noteOf, rawLabelOf } from './words.ts'

const UploadField = laterPart(async () => (await import('./controls/UploadField.tsx')).UploadField)

interface FieldRowProps {
  /** Address of the field. */
  readonly address: string
  /** Where it stands on a wide page; absent where the definition says so, and in a row of a table. */
  readonly place?: FieldPlace | undefined
  readonly environment: FormEnvironment
}

/** One field: label, control, hint, errors. It stays in the document, hidden, while a rule hides it. */
export const FieldRow = memo(function FieldRow({ address, place, environment }: FieldRowProps) {
  const cell = useCell(environment.state, address)
  if (cell === undefined) return null
  // Few fields show values of others, and a page need not follow those of all the rest.
  if (cell.field.pipes.length > 0) return <RowWithValues cell={cell} place={place} environment={environment} />
  return fieldRow(cell, rawLabelOf(cell.field, environment.language), place, environment)
})

/** A field whose texts show values of other fields. */
function RowWithValues({ cell, place, environment }: Omit<FieldRowProps, 'address'> & { readonly cell: Cell }) {
  const label = useTextWithValues(environment, cell, rawLabelOf(cell.field, environment.language))
  return fieldRow(cell, label, place, environment)
}

function fieldRow(cell: Cell, label: string, place: FieldPlace | undefined, environment: FormEnvironment) {
  const { mode, t, id } = environment
  const { field, key: address } = cell
  if (!holdsData(field)) return titleRow(cell, label, rowIds(id, address), environment)
  const collected = isCollected(field)
  // A control that cannot work is not shown: a field that this app cannot collect has a row only where it has a value.
  if (!collected && !cell.calculated && isBlank(cell) && cell.missing === null && cell.conflict === null) return null

  const ids = rowIds(id, address)
  const editable = mode === 'input' && collected && !cell.readOnly
  const issues = cell.left || mode === 'view' ? cell.issues : answeredOnly(cell.issues)
  const hasIssues = issues.length > 0 || cell.serverMessage !== null
  const hint = hintOf(cell, editable, environment)
  const drawing: Drawing = {
    cell,
    label,
    ids,
    environment,
    describedBy: describedBy(
      hint === null ? '' : ids.hint,
      saysUnit(cell) ? ids.unit : '',
      cell.flag === null ? '' : ids.flag,
      hasIssues ? ids.issues : '',
    ),
    invalid: issues.some(isError),
  }
  return (
    <div
      className={classes.row}
      id={ids.row}
      data-row={address}
      data-place={place}
      data-short={(editable && cell.missing === null && boxWidth(field) !== undefined) || undefined}
      data-tall={cell.rows !== null || field.type === 'upload' || undefined}
      hidden={!cell.visible}
      style={spanStyle(field)}
    >
      {rowHead(drawing, editable)}
      {cell.missing !== null && missingValue(drawing, cell.missing, editable)}
      {/* Rows are shown even where somebody who had not seen them gave a missing reason. */}
      {(cell.missing === null || hasRows(cell)) && contents(drawing, editable)}
      {environment.review !== null && (
        <FieldChecks cell={cell} label={label} review={environment.review} masked={environment.state.masked} />
      )}
      {moreButton(drawing, editable)}
      {hint !== null && (
        <div id={ids.hint} className={classes.hint}>
          {hint}
        </div>
      )}
      {queryMark(drawing)}
      {cell.conflict !== null && conflictBadge(drawing, cell.conflict)}
      {cell.flag !== null && (
        <p id={ids.flag} className={classes.flag}>
          <span aria-hidden="true">{cell.flag === 'low' ? '↓ ' : '↑ '}</span>
          {t(`reference.${cell.flag}`)}
        </p>
      )}
      {missingRecords(cell, environment).map((record) => (
        <p key={record} className={classes.lost} role="alert">
          {t('pick.missing', { id: record })}
        </p>
      ))}
      {hasIssues && issueList(drawing, issues, editable)}
    </div>
  )
}

/** The label. */
function rowHead({ cell, label, ids, environment }: Drawing, editable: boolean) {
  const { field } = cell
  const { language, words } = environment
  const labels = editable && cell.missing === null && !drawsGroup(cell)
  const Label = labels ? 'label' : 'div'
  const suffix = suffixAfter(label, environment.state.compiled.page.look, language)
  return (
    <div className={classes.head}>
      <Label id={ids.label} className={classes.label} {...(labels ? { htmlFor: ids.control } : NOTHING)}>
        {label}
        {suffix !== '' && <span className={classes.suffix} data-suffix={suffix} />}
        {cell.required && (
          <span className={classes.required} aria-hidden="true">
            {'\u00A0*'}
          </span>
        )}
        {cell.required && !saysRequired(field) && <span className={classes.hiddenText}>{`（${words.required}）`}</span>}
      </Label>
    </div>
  )
}

/**
 * The one button beside a field: what else can be done with it, or its history where that is all. The style sheet draws
 * its shape, because every row has one.
 */
function moreButton({ cell, label, environment }: Drawing, editable: boolean) {
  const { words, history } = environment
  if (editable && cell.missing === null && !hasRows(cell)) {
    return (
      <button
        type="button"
        className={classes.more}
        data-action="missing"
        tabIndex={-1}
        aria-keyshortcuts={KEYS[history === null ? 0 : 1][environment.queries === null ? 0 : 1]}
        aria-label={words.moreFor(label)}
        aria-haspopup="dialog"
      />
    )
  }
  if (history !== null) return historyButton(cell.key, environment, words.historyFor(label))
  const { queries } = environment
  return queries?.mayAsk === true ? besideButton(words.moreFor(label), 'Alt+Q', () => queries.open(cell.key)) : null
}

/** A flag where something is asked about the field that is not settled. It opens what was asked. */
function queryMark({ cell, label, environment }: Drawing) {
  const { queries, words } = environment
  const state = queries?.marks.get(cell.key)
  if (queries === null || state === undefined) return null
  const word = words.queries[state]
  return (
    <button
      type="button"
      className={classes.asked}
      data-asked={state}
      aria-keyshortcuts="Alt+Q"
      aria-haspopup="dialog"
      aria-label={`${label}${words.colon}${word}`}
      onClick={() => queries.open(cell.key)}
    >
      <QueryBadge state={state}>{word}</QueryBadge>
    </button>
  )
}

/** The hint below the label: where the value comes from, and the designer's words. */
function hintOf(cell: Cell, editable: boolean, environment: FormEnvironment): string | null {
  const { words } = environment
  const hints = withValues(cell, hintText(cell, editable, environment), environment)
  const says = cell.initial ? words.prefilled : cell.notCopied ? words.notCopied : null
  return says === null ? hints : [says, hints].filter((text) => text !== null).join(' · ')
}

/** The control for files is a component of its own, which is loaded with the first page that has any. */
function uploadField(drawing: Drawing, editable: boolean) {
  return <UploadField drawing={drawing} editable={editable} meanwhile={filesToCome(drawing, editable)} />
}

/** The button that opens the history of a field. It also works where nothing can be edited. */
function historyButton(address: string, { history, queries, review, mode }: FormEnvironment, name: string) {
  // Who only reads and asks goes from field to field by it. Who types must not stop at it; who checks goes by marks.
  const isStop = mode === 'view' && queries?.mayAsk === true && review === null
  return besideButton(name, isStop ? 'Alt+H Alt+Q' : 'Alt+H', () => history?.(address), isStop)
}

function besideButton(name: string, keys: string, open: () => void, isStop = true) {
  return (
    <button
      type="button"
      className={classes.more}
      tabIndex={isStop ? 0 : -1}
      data-history=""
      aria-keyshortcuts={keys}
      aria-label={name}
      aria-haspopup="dialog"
      onClick={open}
    />
  )
}

/** A text of the page, which takes no value. */
function titleRow(cell: Cell, label: string, ids: Drawing['ids'], environment: FormEnvironment) {
  const { field, visible, issues } = cell
  const note = noteOf(field, environment.language)
  return (
    <div className={classes.title} id={ids.row} data-row={cell.key} hidden={!visible}>
      <p id={ids.label} tabIndex={issues.length > 0 ? -1 : undefined}>
        {label}
      </p>
      {note !== null && <p className={classes.hint}>{withValues(cell, note, environment)}</p>}
      {/* A text of the page is never left like a field, so its error is shown as long as it stops the submit. */}
      {issues.length > 0 && titleIssueList(issues, ids.issues, { label, environment })}
    </div>
  )
}

function withValues(cell: Cell, text: string, environment: FormEnvironment): string
function withValues(cell: Cell, text: string | null, environment: FormEnvironment): string | null
function withValues(cell: Cell, text: string | null, { state, t }: FormEnvironment): string | null {
  return text === null ? null : textWithValues(state, cell, text, t)
}

/** The width of a field that shares its line with others. */
function spanStyle({ span }: Field): CSSProperties | undefined {
  return span === null ? undefined : { gridColumn: `span ${span}` }
}

/** A confirmed warning is shown whenever the page is open, not only after the user has left its field. */
function answeredOnly(issues: Drawing['cell']['issues']): Drawing['cell']['issues'] {
  return issues.length === 0 ? NO_ISSUES : issues.filter((issue) => isWarning(issue) && issue.answer !== null)
}

const NO_ISSUES: Drawing['cell']['issues'] = []
/** Keys of what stands beside a field that can be edited: without and with a history, without and with queries. */
const KEYS = [
  ['Alt+M', 'Alt+M Alt+Q'],
  ['Alt+M Alt+H', 'Alt+M Alt+H Alt+Q'],
] as const
const NOTHING = {}

function describedBy(...ids: readonly string[]): string | undefined {
  return ids.filter((id) => id !== '').join(' ') || undefined
}

/** Whether a unit, or the days of a week, stands beside the box. */
function saysUnit({ field, value }: Cell): boolean {
  if (isChoice(field) || isTree(field) || isPick(field) || isRange(field) || field.type === 'slider') return false
  return field.type === 'week'
    ? typeof value === 'string' && weekOf(value) !== null
    : field.unit !== null && !isLong(field)
}

function isLong({ type }: Field): boolean {
  return type === 'textarea' || type === 'array' || type === 'url'
}

function contents(drawing: Drawing, editable: boolean) {
  const { cell, label, ids, environment, describedBy: described } = drawing
  if (cell.rows !== null)
    return (
      <TableField
        cell={cell}
        label={label}
        ids={ids}
        environment={environment}
        describedBy={described}
        editable={editable}
      />
    )
  if (cell.field.type === 'upload') return uploadField(drawing, editable)
  return editable ? control(drawing) : readOnlyValue(drawing)
}

function control(drawing: Drawing) {
  const { field } = drawing.cell
  if (isChoice(field)) return drawsGroup(drawing.cell) ? choiceButtons(drawing) : choiceOpener(drawing)
  if (isTree(field) || isPick(field)) return choiceOpener(drawing)
  if (field.type === 'slider') return scale(drawing)
  return isRange(field) ? rangeBoxes(drawing) : textBox(drawing)
}

/**
 * Whether the control is a group of buttons or boxes. A group is named by its label (`aria-labelledby`) instead of
 * being labelled by it.
 */
function drawsGroup({ field, rows }: Pick<Cell, 'field' | 'rows'>): boolean {
  return rows !== null || isRange(field) || field.type === 'upload' || (isChoice(field) && drawsButtons(field))
}

/** Whether the control itself can say that it is required; buttons, sliders and groups of check boxes cannot. */
function saysRequired(field: Field): boolean {
  if (field.type === 'slider' || field.type === 'upload') return false
  if (isTable(field) || isTree(field) || isPick(field)) return false
  return !isChoice(field) || (drawsGroup({ field, rows: null }) && field.type !== 'checkbox' && !field.multiple)
}

/** The mark of a field in conflict, with the link to both values: who enters the page decides there. */
function conflictBadge({ label, environment: { t, conflictPath, mode } }: Drawing, conflictId: string) {
  const decides = mode === 'input'
  return (
    <div className={classes.conflict}>
      <StatusBadge status="conflict" />
      {conflictPath !== null && (
        <Link
          to={conflictPath(conflictId)}
          aria-label={t(decides ? 'conflict.decideFor' : 'conflict.seeFor', { label })}
        >
          {t(decides ? 'conflict.decide' : 'conflict.see')}
        </Link>
      )}
    </div>
  )
}
