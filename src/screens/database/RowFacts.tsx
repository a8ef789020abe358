import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DatabaseRow } from '#core/api/calls/data/database.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { isMissing } from '#core/dataset/table.ts'
import { entryPath } from '#src/paths/screenPaths.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { RightPanel } from '#src/ui/panel/RightPanel.tsx'

import { marksOf, textOf } from './gridColumns.ts'
import type { GridColumn, GridWords } from './gridColumns.ts'

interface RowFactsProps {
  readonly project: ProjectRow
  readonly row: DatabaseRow
  readonly columns: readonly GridColumn[]
  /** The column of the cell that is open. */
  readonly current: GridColumn | undefined
  readonly values: 'codes' | 'labels'
  readonly words: GridWords
  readonly place: { readonly index: number; readonly count: number }
  readonly onGo: (index: number) => void
  readonly onClose: () => void
}

/** A row in full, the open cell first, and the way to its place on the page. */
export function RowFacts({ project, row, columns, current, values, words, place, onGo, onClose }: RowFactsProps) {
  const { t } = useTranslation(['database', 'table'])
  const title = (column: GridColumn) => (column.kind === 'key' ? t(`keys.${column.key}`) : column.column.label)
  const factsOf = (column: GridColumn): readonly (readonly [string, string])[] => {
    const cell = column.kind === 'item' ? (row.cells[column.at] ?? null) : null
    const said = isMissing(cell) && cell.reason !== '' ? `: ${cell.reason}` : ''
    const marks = marksOf(row, column).map((mark) => t(`marks.${mark}`))
    const told = `${textOf(row, column, values, words)}${said}`
    return [[title(column), marks.length === 0 ? told : `${told} [${marks.join(' · ')}]`]]
  }
  const field = current?.kind === 'item' ? current.column.field : null
  const address = field === null ? null : addressKey({ table: field.table, rid: row.rid, code: field.code })
  const inOrder = current === undefined ? columns : [current, ...columns.filter(({ id }) => id !== current.id)]
  return (
    <RightPanel
      title={`${words.subject(row)} · ${words.visit(row)}`}
      place={t('table:panel.place', { at: place.index + 1, of: place.count })}
      onClose={onClose}
      onPrevious={place.index === 0 ? null : () => onGo(place.index - 1)}
      onNext={place.index >= place.count - 1 ? null : () => onGo(place.index + 1)}
      actions={
        <Button
          size="md"
          variant="default"
          component={Link}
          to={entryPath(project.id, row.patientId, row.entryId, address)}
          leftSection={<IconExternalLink size={18} aria-hidden="true" />}
        >
          {t('panel.open')}
        </Button>
      }
    >
      <FactList facts={inOrder.flatMap(factsOf)} />
    </RightPanel>
  )
}
