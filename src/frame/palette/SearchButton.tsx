import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Breakpoint } from '#src/frame/breakpoints.ts'

import classes from './searchButton.module.css'
import { usePalette } from './usePalette.tsx'

/** Opens the search for subjects and screens: an icon, with its word and key at a desk. */
export function SearchButton({ breakpoint }: { readonly breakpoint: Breakpoint }) {
  const { t } = useTranslation('palette')
  const palette = usePalette()
  const isWide = breakpoint === 3
  return (
    <>
      <button
        type="button"
        className={classes.button}
        {...(isWide ? {} : { 'aria-label': t('open') })}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={palette.open}
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
      {palette.dialog}
    </>
  )
}

const KEY = /Mac|iPad|iPhone/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
