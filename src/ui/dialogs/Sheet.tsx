import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnedFocus } from '#src/ui/useReturnedFocus.ts'

import classes from './Sheet.module.css'
import { useDragAway } from './useDragAway.ts'

interface SheetProps {
  readonly opened?: boolean
  readonly title: ReactNode
  /** Its width at a desk: a name of Mantine's, px, or a length of CSS. */
  readonly size?: string | number
  /** Whether it takes the whole screen, at a desk too. */
  readonly fullScreen?: boolean
  /** Whether it is as high as it can be from the start: where most of it comes later, nothing jumps then. */
  readonly isTall?: boolean
  /** What the cross does, where that is more than closing. */
  readonly closeLabel?: string
  /** Whether a tap beside it closes it: not where that would lose what was typed. */
  readonly closesOnTapBeside?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** From the bottom on a tablet, a little from above at a desk. */
const COMES = {
  duration: 180,
  transition: {
    in: { opacity: 1, transform: 'translateY(0)' },
    out: { opacity: 0, transform: 'var(--sheet-from)' },
    common: { transformOrigin: 'bottom' },
    transitionProperty: 'transform, opacity',
  },
}

/**
 * A dialog that asks something: in the middle at a desk, from the bottom with a grip on an upright tablet and on
 * anything narrower. Takes the place of Mantine's `Modal`: the focus stays in it and returns to what opened it.
 */
export function Sheet({
  opened = true,
  title,
  size = 'md',
  fullScreen = false,
  isTall = false,
  closeLabel,
  closesOnTapBeside = true,
  onClose,
  children,
}: SheetProps) {
  const { t } = useTranslation('common')
  const { ref, grip } = useDragAway(onClose)
  // Mantine gives the focus back only where a dialog stays drawn when it is closed, and notes too late whose it was.
  useReturnedFocus(ref, { isOpen: opened, isModal: true })
  const { root = '', inner = '', content = '', header = '', body = '' } = classes
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      fullScreen={fullScreen}
      closeOnClickOutside={closesOnTapBeside}
      returnFocus={false}
      centered
      transitionProps={COMES}
      classNames={{ root, inner, content, header, body }}
    >
      <Modal.Overlay />
      <Modal.Content ref={ref} mod={{ tall: isTall }}>
        <Modal.Header>
          {!fullScreen && <span className={classes.grip} aria-hidden="true" {...grip} />}
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={closeLabel ?? t('action.close')} size="var(--zl-control)" iconSize={20} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The buttons at the end of a sheet: always in sight, and as wide as the sheet where a thumb presses them. */
export function SheetFoot({ children }: { readonly children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>
}
