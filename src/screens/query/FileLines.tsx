import { Checkbox, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { QueryPlaceWords } from '#src/form/queries/queryPlaces.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { contentWords } from '#src/form/words.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'

import classes from './query.module.css'
import type { CheckedLine } from './useQueryFile.ts'

interface FileLinesProps {
  readonly lines: readonly CheckedLine[]
  /** Ids of the queries that will be asked. */
  readonly ticked: ReadonlySet<string>
  readonly raised: ReadonlySet<string>
  readonly isBusy: boolean
  readonly places: (place: QueryPlace) => QueryPlaceWords
  /** Why a line is not asked, or is not offered by itself; empty for any other. */
  readonly reasonOf: (line: CheckedLine) => string
  readonly onTick: (ids: readonly string[], isOn: boolean) => void
}

/** The lines of a file with what was found of each, and which of them are asked. */
export function FileLines({ lines, ticked, raised, isBusy, places, reasonOf, onTick }: FileLinesProps) {
  const { t, i18n } = useTranslation(['query', 'form'])
  const form = i18n.getFixedT(i18n.language, 'form')
  const open = lines.flatMap(({ found }) => ('place' in found && !raised.has(found.id) ? [found.id] : []))
  const faulty = lines.filter(({ found }) => !('place' in found)).length
  const columns: readonly DataColumn<CheckedLine>[] = [
    {
      key: 'tick',
      title: t('file.no'),
      short: true,
      cell: ({ line, found }) =>
        'place' in found && !raised.has(found.id) ? (
          <Checkbox
            size="md"
            className={classes.tick}
            label={line.row}
            aria-label={t('file.tick', { row: line.row })}
            checked={ticked.has(found.id)}
            disabled={isBusy}
            onChange={(event) => onTick([found.id], event.currentTarget.checked)}
          />
        ) : (
          line.row
        ),
    },
    { key: 'subject', title: t('file.columns.subject'), cell: ({ line }) => line.cells.subject },
    {
      key: 'place',
      title: t('file.place'),
      cell: ({ line: { cells }, found }) => {
        const said = [cells.visit, cells.page, cells.field]
        const words = 'place' in found ? places(found.place) : null
        const row = cells.row === '' ? '' : t('rowNo', { no: cells.row })
        return [...(words === null ? said : [words.visit, words.page, words.what]), row].filter(Boolean).join(' · ')
      },
    },
    {
      key: 'now',
      title: t('file.now'),
      cell: ({ found }) =>
        'place' in found && found.content !== null ? contentWords(places(found.place).field, found.content, form) : '',
    },
    { key: 'text', title: t('file.columns.text'), cell: ({ line }) => line.cells.text },
    {
      key: 'result',
      title: t('file.result'),
      cell: (line) => {
        const { found } = line
        if ('place' in found && raised.has(found.id)) return t('file.raised')
        const reason = reasonOf(line)
        return reason === '' ? t('file.ready') : reason
      },
    },
  ]
  return (
    <Stack gap="xs">
      <output>
        {t('file.counts', { ready: open.length, faulty, ticked: open.filter((id) => ticked.has(id)).length })}
      </output>
      {open.length > 1 && (
        <Checkbox
          size="md"
          className={classes.tick}
          label={t('file.all')}
          checked={open.every((id) => ticked.has(id))}
          disabled={isBusy}
          onChange={(event) => onTick(open, event.currentTarget.checked)}
        />
      )}
      <DataTable caption={t('file.lines')} columns={columns} rows={lines} rowKey={({ line }) => String(line.row)} />
    </Stack>
  )
}
