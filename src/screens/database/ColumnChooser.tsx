import { ActionIcon, Button, Checkbox, Group, Popover, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3, IconPin, IconPinFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DatabaseColumn } from '#core/api/calls/data/database.ts'

import classes from './database.module.css'
import { NO_GRID, allIds } from './gridColumns.ts'
import type { GridLayout } from './gridColumns.ts'

interface ColumnChooserProps {
  readonly columns: readonly DatabaseColumn[]
  readonly layout: GridLayout
  readonly titleOf: (id: string) => string
  readonly onLayout: (layout: GridLayout) => void
}

/** Which columns are shown, in which order, and which stay at the left. */
export function ColumnChooser({ columns, layout, titleOf, onLayout }: ColumnChooserProps) {
  const { t } = useTranslation('database')
  const [search, setSearch] = useState('')
  const ids = allIds(columns, layout)
  const wanted = search.trim().toLowerCase()
  const found = ids.filter((id) => `${titleOf(id)} ${id}`.toLowerCase().includes(wanted))
  const toggle = (list: readonly string[], id: string, isIn: boolean) =>
    isIn ? [...list.filter((one) => one !== id), id] : list.filter((one) => one !== id)
  const move = (id: string, by: number) => {
    const at = ids.indexOf(id)
    const order = ids.filter((one) => one !== id)
    order.splice(Math.max(0, at + by), 0, id)
    onLayout({ ...layout, order })
  }
  return (
    <Popover position="bottom-end" withinPortal shadow="md" trapFocus>
      <Popover.Target>
        <Button size="md" variant="default" leftSection={<IconColumns3 size={18} aria-hidden="true" />}>
          {t('columns.open')} {ids.length - ids.filter((id) => layout.hidden.includes(id)).length}/{ids.length}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={360}>
        <TextInput
          size="md"
          aria-label={t('columns.find')}
          placeholder={t('columns.find')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <ul className={classes.columns}>
          {found.map((id) => (
            <ColumnLine
              key={id}
              title={titleOf(id)}
              isFixed={id === '@subject'}
              isShown={id === '@subject' || !layout.hidden.includes(id)}
              isPinned={layout.pinned.includes(id)}
              onShown={(isShown) => onLayout({ ...layout, hidden: toggle(layout.hidden, id, !isShown) })}
              onPinned={(isPinned) => onLayout({ ...layout, pinned: toggle(layout.pinned, id, isPinned) })}
              onMove={(by) => move(id, by)}
            />
          ))}
        </ul>
        <Group gap="xs" mt="xs">
          <Button size="md" variant="default" onClick={() => onLayout({ ...layout, hidden: [] })}>
            {t('columns.all')}
          </Button>
          <Button size="md" variant="subtle" onClick={() => onLayout(NO_GRID)}>
            {t('columns.reset')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

interface ColumnLineProps {
  readonly title: string
  readonly isFixed: boolean
  readonly isShown: boolean
  readonly isPinned: boolean
  readonly onShown: (isShown: boolean) => void
  readonly onPinned: (isPinned: boolean) => void
  readonly onMove: (by: number) => void
}

function ColumnLine({ title, isFixed, isShown, isPinned, onShown, onPinned, onMove }: ColumnLineProps) {
  const { t } = useTranslation('database')
  return (
    <li>
      <Checkbox
        size="md"
        label={title}
        checked={isShown}
        disabled={isFixed}
        onChange={(event) => onShown(event.currentTarget.checked)}
      />
      <ActionIcon
        size="xl"
        variant="subtle"
        aria-label={t(isPinned ? 'columns.unpin' : 'columns.pin', { column: title })}
        onClick={() => onPinned(!isPinned)}
      >
        {isPinned ? <IconPinFilled size={18} /> : <IconPin size={18} />}
      </ActionIcon>
      <ActionIcon size="xl" variant="subtle" aria-label={t('columns.up', { column: title })} onClick={() => onMove(-1)}>
        <IconArrowUp size={18} />
      </ActionIcon>
      <ActionIcon
        size="xl"
        variant="subtle"
        aria-label={t('columns.down', { column: title })}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={18} />
      </ActionIcon>
    </li>
  )
}
