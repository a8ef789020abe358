import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Compared } from '#core/review/agreement.ts'
import { acceptanceOf } from '#core/review/agreement.ts'

import classes from './agreement.module.css'

const icons = { within: IconCircleCheck, over: IconAlertTriangle, none: IconCircleDashed }

/** Whether an error rate is accepted, shown by colour, shape and word together. */
export function AcceptanceBadge({ of, limit }: { readonly of: Compared; readonly limit: number }) {
  const { t } = useTranslation('agreement')
  const acceptance = acceptanceOf(of, limit)
  const Icon = icons[acceptance]
  return (
    <span className={classes.mark} data-acceptance={acceptance}>
      <Icon size={18} aria-hidden="true" />
      {t(`acceptance.${acceptance}`)}
    </span>
  )
}
