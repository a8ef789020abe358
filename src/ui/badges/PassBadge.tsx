import { useTranslation } from 'react-i18next'

import classes from '#src/ui/badges/PassBadge.module.css'

/**
 * The pass of double entry on the screen, as shape, colour and word: nobody enters the second pass believing it is the
 * first.
 */
export function PassBadge({ pass }: { readonly pass: 1 | 2 }) {
  const { t } = useTranslation('status')
  return (
    <span className={classes.mark} data-pass={pass}>
      {t(`pass.${pass}`)}
    </span>
  )
}
