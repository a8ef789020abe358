import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '#src/ui/words/errorText.ts'

import type { DesignEditor, DesignView } from './designEditor.ts'
import classes from './design.module.css'

/** The bar above every screen of a design. */

/** Says in words whether the edits are saved at the server; a screen reader hears it when it becomes worse. */
export function Saving({ view: { status } }: { readonly view: DesignView }) {
  const { t } = useTranslation('design')
  const errorText = useErrorText()
  return (
    <output className={classes.saving} data-status={status.is}>
      {t(`saving.${status.is}`)}
      {status.is === 'refused' && `：${errorText(status.error)}`}
    </output>
  )
}

export function UndoActions({ editor, view }: { readonly editor: DesignEditor; readonly view: DesignView }) {
  const { t } = useTranslation('design')
  return (
    <>
      <IconAction
        label={t('actions.undo')}
        disabled={!view.canUndo}
        onClick={() => editor.undo()}
        icon={<IconArrowBackUp size={20} aria-hidden="true" />}
      />
      <IconAction
        label={t('actions.redo')}
        disabled={!view.canRedo}
        onClick={() => editor.redo()}
        icon={<IconArrowForwardUp size={20} aria-hidden="true" />}
      />
    </>
  )
}

export function IconAction({
  label,
  icon,
  disabled = false,
  onClick,
}: {
  readonly label: string
  readonly icon: React.ReactNode
  readonly disabled?: boolean
  readonly onClick: () => void
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes.iconAct}
        variant="default"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** Undo and redo by keyboard, anywhere on the screen. Returns whether the key was one of the two. */
export function onUndoKey(editor: DesignEditor, event: React.KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return false
  const key = event.key.toLowerCase()
  if (key === 'z' && !event.shiftKey) editor.undo()
  else if (key === 'y' || (key === 'z' && event.shiftKey)) editor.redo()
  else return false
  event.preventDefault()
  return true
}
