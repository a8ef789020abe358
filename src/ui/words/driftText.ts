import { useTranslation } from 'react-i18next'

/** From this difference on a clock is wrong enough to say so, ms. */
export const DRIFT_WARNING_MS = 2 * 60_000

/** Says how far a clock is from the server's: "快 5 分钟". */
export function useDriftText(): (driftMs: number) => string {
  const { t } = useTranslation('device')
  return (driftMs) => {
    const seconds = Math.abs(driftMs) / 1000
    const amount =
      seconds < 60
        ? t('drift.seconds', { count: Math.round(seconds) })
        : seconds < 7200
          ? t('drift.minutes', { count: Math.round(seconds / 60) })
          : seconds < 172_800
            ? t('drift.hours', { count: Math.round(seconds / 3600) })
            : t('drift.days', { count: Math.round(seconds / 86_400) })
    return driftMs > 0 ? t('drift.fast', { amount }) : t('drift.slow', { amount })
  }
}
