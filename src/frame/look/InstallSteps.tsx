import { Button } from '@mantine/core'
import { IconDeviceTabletPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import classes from './look.module.css'
import { install } from './install.ts'
import type { InstallWay } from './install.ts'

/** How the app is installed here: by a button, or step by step. */
export function InstallSteps({ way }: { readonly way: InstallWay }) {
  const { t } = useTranslation('look')
  switch (way) {
    case 'offer':
      return (
        <Button
          size="md"
          leftSection={<IconDeviceTabletPlus size={20} aria-hidden="true" />}
          onClick={() => void install()}
        >
          {t('install.submit')}
        </Button>
      )
    case 'steps':
      return (
        <>
          <ol className={classes.steps} aria-label={t('install.steps.title')}>
            <li>
              <ShareDrawing />
              {t('install.steps.share')}
            </li>
            <li>
              <AddDrawing />
              {t('install.steps.add')}
            </li>
            <li>
              <OpenDrawing />
              {t('install.steps.open')}
            </li>
          </ol>
          <p className={classes.hint}>{t('install.kept')}</p>
        </>
      )
    case 'menu':
      return <p className={classes.hint}>{t('install.manual')}</p>
    case 'installed':
    case 'none':
      return null
  }
}

const drawn = { className: classes.drawing ?? '', viewBox: '0 0 28 28', 'aria-hidden': true, focusable: false } as const

/** A box with an arrow out of it: the share button of iPads. */
function ShareDrawing() {
  return (
    <svg {...drawn}>
      <path d="M10 11H7v13h14V11h-3M14 17V3m-4 4 4-4 4 4" />
    </svg>
  )
}

function AddDrawing() {
  return (
    <svg {...drawn}>
      <rect x="4" y="4" width="20" height="20" rx="5" />
      <path d="M14 9v10M9 14h10" />
    </svg>
  )
}

function OpenDrawing() {
  return (
    <svg {...drawn}>
      <path d="M8 3h9l4 4v18H8zM12 13l2.5 2.5L19 11M11 20h7" />
    </svg>
  )
}
