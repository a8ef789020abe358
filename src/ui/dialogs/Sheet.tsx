import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnedFocus } from '#src/ui/useReturnedFocus.ts'

import classes from './Sheet.module.css'
import { useDragAway } from './useDragAway.ts'

interface SheetProps {
  readonly opened?: boolean
  readonly title: ReactNode
  /** Its width at a desk. */
  readonly size?: 'md' | 'lg' | 'xl'
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
export function Sheet({ opened = true, title, size = 'md', onClose, children }: SheetProps) {
  const { t } = useTranslation('common')
  const { ref, grip } = useDragAway(onClose)
  // Mantine gives the focus back only to a dialog that stays drawn when it is closed.
  useReturnedFocus(ref)
  const { root = '', inner = '', content = '', header = '', body = '' } = classes
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered
      transitionProps={COMES}
      classNames={{ root, inner, content, header, body }}
    >
      <Modal.Overlay />
      <Modal.Content ref={ref}>
        <Modal.Header>
          <span className={classes.grip} aria-hidden="true" {...grip} />
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('action.close')} size="var(--zl-control)" iconSize={20} />
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
