import { useTranslation } from 'react-i18next'

import classes from '#src/ui/badges/PassBadge.module.css'

/**
 * Which pass of double entry is on the screen, in a shape, a colour and a word: nobody enters the second pass believing
 * it is the first.
 */
export function PassBadge({ pass }: { readonly pass: 1 | 2 }) {
  const { t } = useTranslation('status')
  return (
    <span className={classes.mark} data-pass={pass}>
      {t(`pass.${pass}`)}
    </span>
  )
}
