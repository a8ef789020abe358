import { IconCopy, IconDots, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { Flyout } from './Flyout.tsx'
import flyout from './flyout.module.css'

interface TakeFlyoutProps {
  /** Null where nothing may be taken away. */
  readonly onCopy: (() => void) | null
  readonly onFile: (() => void) | null
  readonly hasKeys: boolean
}

const KEYS = ['move', 'mark', 'open', 'close', 'copy'] as const

/** What is done with the list as a whole: copy, file, and the keys that move through it. */
export function TakeFlyout({ onCopy, onFile, hasKeys }: TakeFlyoutProps) {
  const { t } = useTranslation('table')
  if (onCopy === null && onFile === null && !hasKeys) return null
  return (
    <Flyout
      align="end"
      label={t('take.title')}
      title={t('take.title')}
      button={<IconDots size={18} aria-hidden="true" />}
    >
      {(close) => (
        <>
          {onCopy !== null && (
            <button
              type="button"
              className={flyout.item}
              onClick={() => {
                onCopy()
                close()
              }}
            >
              <IconCopy size={18} aria-hidden="true" />
              {t('take.copy')}
            </button>
          )}
          {onFile !== null && (
            <button
              type="button"
              className={flyout.item}
              onClick={() => {
                onFile()
                close()
              }}
            >
              <IconDownload size={18} aria-hidden="true" />
              {t('take.file')}
            </button>
          )}
          {hasKeys && (
            <div className={flyout.part}>
              <dl className={flyout.keys} aria-label={t('keys.title')}>
                {KEYS.map((key) => (
                  <div key={key} style={{ display: 'contents' }}>
                    <dt>{t(`keys.of.${key}`)}</dt>
                    <dd>{t(`keys.${key}`)}</dd>
                  </div>
                ))}
              </dl>
            </div>
          )}
        </>
      )}
    </Flyout>
  )
}
