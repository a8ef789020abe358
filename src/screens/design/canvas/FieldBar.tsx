import { Button, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import { useMoving } from './moves.ts'
import type { Clipboard } from './useClipboard.ts'

/** The actions for the selected fields. Each reads the selection at the moment of the press. */
export const FieldBar = memo(function FieldBar({
  editor,
  clipboard,
  count,
}: {
  readonly editor: DesignEditor
  readonly clipboard: Clipboard
  readonly count: number
}) {
  const { t } = useTranslation('design')
  const move = useMoving(editor)
  return (
    <Group gap={4} role="toolbar" aria-label={t('props.many', { count })}>
      <BarButton label={t('actions.up')} icon={<IconArrowUp size={16} aria-hidden="true" />} onClick={() => move(-1)} />
      <BarButton
        label={t('actions.down')}
        icon={<IconArrowDown size={16} aria-hidden="true" />}
        onClick={() => move(1)}
      />
      <BarButton
        label={t('actions.copy')}
        icon={<IconCopy size={16} aria-hidden="true" />}
        onClick={() => clipboard.copy()}
      />
      <BarButton
        label={t('actions.duplicate')}
        icon={<IconCopyPlus size={16} aria-hidden="true" />}
        onClick={() => clipboard.duplicate()}
      />
      <BarButton
        label={t('actions.remove')}
        icon={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => clipboard.remove()}
      />
    </Group>
  )
})

/** A button above the page: an icon and a word. */
export function BarButton({
  label,
  icon,
  onClick,
}: {
  readonly label: string
  readonly icon: React.ReactNode
  readonly onClick: () => void
}) {
  return (
    <Button size="compact-sm" h={32} variant="default" leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  )
}
