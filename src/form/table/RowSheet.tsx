import { Button, Group, Stack } from '@mantine/core'
import { useCallback, useEffect, useRef } from 'react'
import { addressKey } from '#core/form/definition/address.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import { FieldRow } from '../FieldRow.tsx'
import classes from '../form.module.css'
import type { FormActions, OpenRow } from '../formActions.ts'
import { addRow, tellRow } from '../formActions.ts'
import type { FormEnvironment } from '../formContext.ts'
import { rowIds, useCell, useFormEnvironment } from '../formContext.ts'
import { besideListeners, focusRow, formListeners } from '../formEvents.ts'
import { CheckCaptions } from '../review/FieldChecks.tsx'
import { labelOf } from '../words.ts'

interface RowSheetProps {
  readonly open: OpenRow
  readonly actions: FormActions
  readonly onOpen: (row: OpenRow) => void
  readonly onClose: () => void
}

/**
 * One row of a table, with its fields drawn as on the page, and the actions for the row. Typing is saved as on the
 * page.
 */
export function RowSheet({ open, actions, onOpen, onClose }: RowSheetProps) {
  const environment = useFormEnvironment()
  const { state, t, language } = environment
  // The page may be closed to typing while one of its rows is open.
  const mayEdit = environment.mode === 'input'
  const { table, rid } = open
  const cell = useCell(state, table)
  const rows = cell?.rows ?? []
  const at = rows.indexOf(rid)

  const focusField = useRowFocus(open, environment)
  if (cell === undefined) return null
  const label = labelOf(cell.field, language)
  return (
    <Sheet
      onClose={onClose}
      title={at === -1 ? label : t('table.title', { label, no: at + 1, count: rows.length })}
      size="lg"
    >
      {at === -1 ? (
        <DeletedRow open={open} actions={actions} mayEdit={mayEdit} onClose={onClose} />
      ) : (
        <>
          <RowSteps open={open} actions={actions} mayEdit={mayEdit} rows={rows} at={at} onOpen={onOpen} />
          {/* The sheet gives the focus to this element when it opens, and the element passes it on to the wanted field.
           */}
          <div
            data-autofocus
            tabIndex={-1}
            className={classes.form}
            key={rid}
            {...(environment.review === null ? {} : { 'data-mode': 'view', 'data-checked': '' })}
            {...(mayEdit ? formListeners(actions) : besideListeners(actions))}
            onFocus={(event) => event.target === event.currentTarget && focusField()}
          >
            {environment.review !== null && <CheckCaptions own={environment.review.own} />}
            {cell.field.children.map(({ code }) => (
              <FieldRow key={code} address={addressKey({ table, rid, code })} environment={environment} />
            ))}
          </div>
          <RowDeeds
            open={open}
            actions={actions}
            mayEdit={mayEdit}
            isFull={cell.field.limit !== null && rows.length >= cell.field.limit}
            onClose={onClose}
          />
        </>
      )}
    </Sheet>
  )
}

/**
 * Focuses the wanted field of the row, by default the first: when the sheet asks for it, and whenever another row is
 * opened.
 */
function useRowFocus({ table, rid, code }: OpenRow, { state, id }: FormEnvironment): () => void {
  const focusField = useCallback(() => {
    const [first] = state.compiled.cells.get(table)?.field.children ?? []
    const wanted = code ?? first?.code
    const row =
      wanted === undefined ? null : document.getElementById(rowIds(id, addressKey({ table, rid, code: wanted })).row)
    if (row !== null) focusRow(row)
  }, [state, id, table, rid, code])
  // The first time, the sheet itself passes the focus on once it is drawn.
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) focusField()
    isFirst.current = false
  }, [focusField])
  return focusField
}

interface RowPartProps {
  readonly open: OpenRow
  readonly actions: FormActions
  readonly mayEdit: boolean
}

/** Shown when a row was deleted, here or elsewhere, while it was open. */
function DeletedRow({ open, actions, mayEdit, onClose }: RowPartProps & Pick<RowSheetProps, 'onClose'>) {
  const { state, t } = useFormEnvironment()
  return (
    <Stack>
      <output className={classes.hint}>{t('table.deleted')}</output>
      <Group>
        <Button
          size="md"
          variant="default"
          data-autofocus
          disabled={!mayEdit}
          onClick={() => tellRow(actions, state.setRowDeleted(open.table, open.rid, false))}
        >
          {t('table.restore')}
        </Button>
        <Button size="md" onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  )
}

interface RowStepsProps extends RowPartProps {
  readonly rows: readonly string[]
  /** Index of the open row. */
  readonly at: number
  readonly onOpen: (row: OpenRow) => void
}

/** Goes to the row before or after, or moves the open row there. */
function RowSteps({ open: { table, rid }, actions, mayEdit, rows, at, onOpen }: RowStepsProps) {
  const { state, t, review } = useFormEnvironment()
  const goTo = (other: string | undefined) => {
    if (other !== undefined) onOpen({ table, rid: other, code: null })
  }
  return (
    <Group gap={4}>
      <Button size="md" variant="default" disabled={at === 0} onClick={() => goTo(rows[at - 1])}>
        {t('table.previous')}
      </Button>
      <Button size="md" variant="default" disabled={at === rows.length - 1} onClick={() => goTo(rows[at + 1])}>
        {t('table.next')}
      </Button>
      {/* Who checks never moves a row. */}
      {review === null && (
        <>
          <Button
            size="md"
            variant="subtle"
            disabled={!mayEdit || at === 0}
            onClick={() => tellRow(actions, state.moveRow(table, rid, at - 1))}
          >
            {t('table.up')}
          </Button>
          <Button
            size="md"
            variant="subtle"
            disabled={!mayEdit || at === rows.length - 1}
            onClick={() => tellRow(actions, state.moveRow(table, rid, at + 1))}
          >
            {t('table.down')}
          </Button>
        </>
      )}
    </Group>
  )
}

interface RowDeedsProps extends RowPartProps {
  /** Whether the table takes no more rows. */
  readonly isFull: boolean
  readonly onClose: () => void
}

/** Deletes the row, copies it, adds another one, or closes the sheet. */
function RowDeeds({ open: { table, rid }, actions, mayEdit, isFull, onClose }: RowDeedsProps) {
  const { state, t, review } = useFormEnvironment()
  if (review !== null)
    return (
      <SheetFoot>
        <Button size="md" onClick={onClose}>
          {t('close')}
        </Button>
      </SheetFoot>
    )
  return (
    <SheetFoot>
      <Button
        size="md"
        variant="subtle"
        color="red"
        disabled={!mayEdit}
        onClick={() => tellRow(actions, state.setRowDeleted(table, rid, true))}
      >
        {t('table.delete')}
      </Button>
      {/* What is done with this row is at the left; at the right is where to go on. */}
      <Button
        size="md"
        variant="subtle"
        me="auto"
        disabled={!mayEdit || isFull}
        onClick={() => addRow(actions, table, rid, rid)}
      >
        {t('table.copy')}
      </Button>
      <Button
        size="md"
        variant="default"
        disabled={!mayEdit || isFull}
        onClick={() => addRow(actions, table, null, null)}
      >
        {t('table.another')}
      </Button>
      <Button size="md" onClick={onClose}>
        {t('table.done')}
      </Button>
    </SheetFoot>
  )
}
