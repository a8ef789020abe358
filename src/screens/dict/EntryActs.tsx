import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconArrowBarToDown, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'

interface EntryActsProps {
  /** Name of the entry on which they act. */
  readonly name: string
  readonly onAddBelow: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/**
 * The acts on one entry. What is seldom done lies behind one button: three in words are wider than a tablet has
 * room.
 */
export function EntryActs({ name, onAddBelow, onEdit, onRemove }: EntryActsProps) {
  const { t } = useTranslation('dict')
  const reason = useNeedsServer()
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ServerButton
        size="md"
        variant="subtle"
        px="xs"
        leftSection={<IconPencil size={18} aria-hidden="true" />}
        aria-label={t('editOf', { name })}
        onClick={onEdit}
      >
        {t('edit')}
      </ServerButton>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="var(--zl-control)" aria-label={t('moreOf', { name })}>
            <IconDots size={20} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {reason !== null && <Menu.Label maw={280}>{reason}</Menu.Label>}
          <Menu.Item
            mih="var(--zl-control)"
            disabled={reason !== null}
            leftSection={<IconArrowBarToDown size={18} aria-hidden="true" />}
            aria-label={t('addBelowOf', { name })}
            onClick={onAddBelow}
          >
            {t('addBelow')}
          </Menu.Item>
          <Menu.Item
            mih="var(--zl-control)"
            {...(reason === null ? { c: 'var(--zl-red)' } : { disabled: true })}
            leftSection={<IconTrash size={18} aria-hidden="true" />}
            aria-label={t('removeOf', { name })}
            onClick={onRemove}
          >
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
