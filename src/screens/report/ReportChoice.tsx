import { Select, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { reportKinds } from '#core/report/kinds.ts'
import type { ReportKind } from '#core/report/kinds.ts'

import { withKind } from './reportAddress.ts'
import classes from './reports.module.css'

interface ReportChoiceProps {
  readonly kinds: readonly ReportKind[]
  readonly kind: ReportKind
}

/** Which report is read: a list where there is room, else a field to choose from. */
export function ReportChoice({ kinds, kind }: ReportChoiceProps) {
  const { t } = useTranslation('report')
  const [, setAddress] = useSearchParams()
  const choose = (next: ReportKind) => setAddress((before) => withKind(before, next))
  return (
    <>
      <nav className={classes.kinds} aria-label={t('which')} data-print="no">
        {kinds.map((one) => (
          <UnstyledButton
            key={one}
            className={classes.kind}
            aria-current={one === kind ? 'page' : undefined}
            onClick={() => choose(one)}
          >
            {t(`kinds.${one}.title`)}
          </UnstyledButton>
        ))}
      </nav>
      <Select
        className={classes.kindSelect}
        size="md"
        label={t('which')}
        allowDeselect={false}
        value={kind}
        data={kinds.map((one) => ({ value: one, label: t(`kinds.${one}.title`) }))}
        onChange={(next) => choose(reportKinds.find((one) => one === next) ?? kind)}
        data-print="no"
      />
    </>
  )
}
