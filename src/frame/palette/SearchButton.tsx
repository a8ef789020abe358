import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Breakpoint } from '#src/frame/breakpoints.ts'

import classes from './searchButton.module.css'
import { usePalette } from './usePalette.tsx'

/** Opens the search for subjects and screens: an icon, with its word and key at a desk. */
export function SearchButton({ breakpoint }: { readonly breakpoint: Breakpoint }) {
  const { t } = useTranslation('palette')
  const palette = usePalette()
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={t('open')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={palette.open}
      >
        <IconSearch size={20} aria-hidden="true" />
        {breakpoint === 3 && (
          <>
            <span>{t('open')}</span>
            <kbd className={classes.key}>{KEY}</kbd>
          </>
        )}
      </button>
      {palette.dialog}
    </>
  )
}

const KEY = /Mac|iPad|iPhone/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
