import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'

import { PaletteSearch } from './PaletteSearch.tsx'
import classes from './palette.module.css'

/**
 * Finds a subject by two letters or digits, and any screen the user may see. What is typed stays in the memory of the
 * tab; subjects of a kept center are found without a network.
 */
export function Palette({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation('palette')
  const [leaves, setLeaves] = useState(false)
  if (opened && leaves) setLeaves(false)
  const { content = '', body = '' } = classes
  const choose = () => {
    setLeaves(true)
    onClose()
  }
  /** What has opened it gets the focus back, but where something was chosen: then the screen gets it. */
  const goOn = () => {
    const main = document.getElementById('main')
    if (leaves && main?.contains(document.activeElement) === false) main.focus({ preventScroll: true })
  }
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={goOn}
      returnFocus={!leaves}
      size={640}
      yOffset={24}
      padding={0}
      classNames={{ content, body }}
      transitionProps={{ duration: 120, transition: 'fade-down' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('open')}>
        <Modal.Body>
          <PaletteSearch onClose={onClose} onChosen={choose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
