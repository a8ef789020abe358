import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AnalysisKind } from '#core/analysis/request.ts'

import classes from '../statistical.module.css'

interface KindChoiceProps {
  readonly kinds: readonly AnalysisKind[]
  readonly kind: AnalysisKind
  readonly onChoose: (kind: AnalysisKind) => void
}

/** What one wants to know. */
export function KindChoice({ kinds, kind, onChoose }: KindChoiceProps) {
  const { t } = useTranslation('statistical')
  return (
    <nav className={classes.kinds} aria-label={t('kinds.title')} data-print="no">
      {kinds.map((one) => (
        <UnstyledButton
          key={one}
          className={classes.kind}
          aria-current={one === kind ? 'page' : undefined}
          onClick={() => onChoose(one)}
        >
          {t(`kinds.${one}`)}
        </UnstyledButton>
      ))}
    </nav>
  )
}
