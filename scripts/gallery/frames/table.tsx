import { useState } from 'react'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { TableFrame } from '#src/ui/table/TableFrame.tsx'
import type { FilterChange, TableColumn, TableFrameProps } from '#src/ui/table/contract.ts'

import type { Frame } from '../frame.ts'

interface Herb {
  readonly id: string
  readonly name: string
  readonly grams: number
  readonly missing: number
}

const NAMES = ['丹参', '赤芍', '川芎', '红花', '降香', '三七', '冰片', '延胡索']
const HERBS: readonly Herb[] = Array.from({ length: 2000 }, (_, at) => ({
  id: `H-${String(at + 1).padStart(4, '0')}`,
  name: NAMES[at % NAMES.length] ?? '',
  grams: (at * 7) % 31,
  missing: at % 5,
}))

const COLUMNS: readonly TableColumn<Herb>[] = [
  { key: 'id', title: 'No.', place: 'key', width: 8, text: ({ id }) => id, sortBy: ({ id }) => id },
  { key: 'name', title: '药名', width: 10, grows: 2, text: ({ name }) => name, sortBy: ({ name }) => name },
  { key: 'grams', title: 'g', width: 6, align: 'right', text: ({ grams }) => grams, sortBy: ({ grams }) => grams },
  {
    key: 'missing',
    title: '缺项',
    width: 7,
    place: 'end',
    text: ({ missing }) => missing,
    cell: ({ missing }) => (missing === 0 ? '' : <StatusShape status="missing">{String(missing)}</StatusShape>),
  },
  {
    key: 'note',
    title: '备注',
    width: 14,
    grows: 3,
    from: 'desk',
    text: ({ name }) => `${name}，每日一剂，水煎服，早晚分服`,
  },
]

function Herbs(props: Partial<TableFrameProps<Herb>>) {
  const [name, setName] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const rows = HERBS.filter((herb) => (name ?? herb.name) === herb.name && herb.id.includes(typed))
  return (
    <TableFrame
      name="药材"
      columns={COLUMNS}
      of={{ state: 'ready', value: { rows } }}
      rowKey={({ id }) => id}
      search={{ label: '按编号查找', value: typed, onChange: setTyped }}
      filters={[
        {
          kind: 'choice',
          key: 'name',
          title: '药名',
          value: name,
          text: name,
          choices: NAMES.map((value) => ({ value, label: value })),
        },
      ]}
      onFilter={(change: FilterChange) => setName(change['name'] ?? null)}
      panel={(herb) => ({
        title: `${herb.id} ${herb.name}`,
        content: <FactList facts={COLUMNS.map(({ title, text }) => [title, text(herb, undefined)])} />,
      })}
      empty={<EmptyState title="还没有药材" />}
      file="herbs"
      {...props}
    />
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'table/TableFrame',
  states: {
    rows: () => <Herbs />,
    'rows with links, read in parts': () => (
      <Herbs link={({ id }) => `/${id}`} more={{ label: '更早的记录', isReading: false, onMore: () => undefined }} />
    ),
    loading: () => <Herbs of={{ state: 'loading' }} />,
    empty: () => <Herbs of={{ state: 'ready', value: { rows: [] } }} />,
    offline: () => <Herbs of={{ state: 'failed', error: { code: 'offline' } }} />,
    'no access': () => <Herbs of={{ state: 'failed', error: { code: 'forbidden' } }} />,
    error: () => <Herbs of={{ state: 'failed', error: { code: 'internal' } }} />,
  },
}
