import { Drawer } from '@mantine/core'
import { useRef } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { Navigation } from '#src/frame/shell/Navigation.tsx'
import classes from '#src/frame/shell/shell.module.css'

interface NavigationDrawerProps {
  readonly project: ProjectRow | null
  readonly versionId: string | null
  readonly opened: boolean
  readonly onClose: () => void
  /** The button that opens it. */
  readonly toggle: RefObject<HTMLButtonElement | null>
}

/**
 * The navigation over the content. The chosen screen takes the focus; the focus returns to the button only when nothing
 * was chosen.
 */
export function NavigationDrawer({ project, versionId, opened, onClose, toggle }: NavigationDrawerProps) {
  const { t } = useTranslation(['shell', 'common'])
  const chosen = useRef(false)
  const choose = () => {
    chosen.current = true
    onClose()
  }
  /** While the drawer closes it may still hold the focus; the chosen screen takes the focus afterwards. */
  const goOn = () => {
    if (!chosen.current) return
    chosen.current = false
    const main = document.getElementById('main')
    if (main?.contains(document.activeElement) === false) main.focus({ preventScroll: true })
  }
  const dismiss = () => {
    onClose()
    toggle.current?.focus()
  }
  return (
    <Drawer
      opened={opened}
      onClose={dismiss}
      onExitTransitionEnd={goOn}
      returnFocus={false}
      size={280}
      padding={0}
      title={t('nav.title')}
      closeButtonProps={{ 'aria-label': t('common:action.close'), size: 44, iconSize: 20 }}
      classNames={{
        header: classes.drawerHeader ?? '',
        content: classes.drawer ?? '',
        close: classes.barButton ?? '',
      }}
    >
      <Navigation project={project} versionId={versionId} onChosen={choose} />
    </Drawer>
  )
}
