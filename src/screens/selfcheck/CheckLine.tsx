import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { CheckId, Finding } from './finding.ts'
import classes from './selfcheck.module.css'

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  info: IconInfoCircle,
  skipped: IconCircleDashed,
  running: IconCircleDashed,
}

interface CheckLineProps {
  readonly id: CheckId
  /** Null while the test runs. */
  readonly finding: Finding | null
}

/** One test: its name, its finding, and what to do about it. */
export function CheckLine({ id, finding }: CheckLineProps) {
  const { t } = useTranslation('selfcheck')
  const mark = finding?.mark ?? 'running'
  const Icon = icons[mark]
  return (
    <li className={classes.line} data-mark={mark}>
      <div className={classes.what}>
        <h2 className={classes.name}>{t(`checks.${id}.title`)}</h2>
        <p className={classes.quiet}>{t(`checks.${id}.what`)}</p>
      </div>
      <div className={classes.found}>
        <p className={classes.mark}>
          <Icon size={20} aria-hidden="true" />
          {t(`mark.${mark}`)}
        </p>
        {finding !== null && <p className={classes.said}>{finding.said(t)}</p>}
        {finding?.help !== undefined && <p className={classes.help}>{finding.help(t)}</p>}
      </div>
    </li>
  )
}
