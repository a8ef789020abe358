import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconCopyPlus, IconTrash } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignEditor } from '#src/screens/design/designEditor.ts'

import classes from './canvas.module.css'
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
    <div className={classes.fieldBar} role="toolbar" aria-label={t('props.many', { count })}>
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
    </div>
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
    <Button
      variant="subtle"
      color="gray"
      className={classes.barButton}
      classNames={{ label: classes.barWord ?? '' }}
      leftSection={icon}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
