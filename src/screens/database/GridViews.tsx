import { ActionIcon, Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '#core/ids.ts'

import type { GridView } from './gridMemory.ts'

interface GridViewsProps {
  readonly views: readonly GridView[]
  readonly now: Omit<GridView, 'id' | 'name'>
  readonly onViews: (views: readonly GridView[]) => void
  readonly onShow: (view: GridView) => void
}

/** The views that the reader saved, and a box to save the one on the screen. */
export function GridViews({ views, now, onViews, onShow }: GridViewsProps) {
  const { t } = useTranslation('table')
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="md"
          variant="default"
          leftSection={<IconBookmark size={18} aria-hidden="true" />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('views.title')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={300}>
        <Stack gap="xs">
          {views.map((view) => (
            <Group key={view.id} gap={4} wrap="nowrap">
              <Button
                size="md"
                variant="subtle"
                fullWidth
                justify="start"
                onClick={() => {
                  onShow(view)
                  setOpen(false)
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                size="xl"
                variant="subtle"
                aria-label={t('views.remove', { name: view.name })}
                onClick={() => onViews(views.filter(({ id }) => id !== view.id))}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const said = name.trim()
              if (said === '') return
              onViews([...views.filter((view) => view.name !== said), { ...now, id: newId(), name: said }])
              setName('')
              setOpen(false)
            }}
          >
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <TextInput
                size="md"
                maxLength={40}
                label={t('views.name')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button size="md" type="submit" disabled={name.trim() === ''}>
                {t('views.save')}
              </Button>
            </Group>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
