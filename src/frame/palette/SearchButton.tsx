import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Breakpoint } from '#src/frame/breakpoints.ts'

import classes from './searchButton.module.css'
import { usePalette } from './usePalette.tsx'

interface SearchButtonProps {
  readonly breakpoint: Breakpoint
}

/** The search for subjects and screens, with the button that opens it. */
export function SearchButton({ breakpoint }: SearchButtonProps) {
  const palette = usePalette()
  return (
    <>
      <OpenSearchButton breakpoint={breakpoint} onOpen={palette.open} />
      {palette.dialog}
    </>
  )
}

/** Opens the search: an icon, with its word and key at a desk. */
export function OpenSearchButton({ breakpoint, onOpen }: SearchButtonProps & { readonly onOpen: () => void }) {
  const { t } = useTranslation('palette')
  const isWide = breakpoint === 3
  return (
    <button
      type="button"
      className={classes.button}
      {...(isWide ? {} : { 'aria-label': t('open') })}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
    >
      <IconSearch size={20} aria-hidden="true" />
      {isWide && (
        <>
          <span>{t('open')}</span>
          <kbd className={classes.key} aria-hidden="true">
            {KEY}
          </kbd>
        </>
      )}
    </button>
  )
}

const KEY = /Mac|iPad|iPhone/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
