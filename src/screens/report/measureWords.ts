import { useTranslation } from 'react-i18next'
import type { MeasureCode, ShareCode } from '#core/report/kinds.ts'

/** Names of figures and shares in the reader's language. */
export interface MeasureWords {
  readonly measure: (code: MeasureCode) => string
  readonly share: (code: ShareCode) => string
}

export function useMeasureWords(): MeasureWords {
  const { t } = useTranslation('report')
  return { measure: (code) => t(`measures.${code}`), share: (code) => t(`shares.${code}`) }
}
