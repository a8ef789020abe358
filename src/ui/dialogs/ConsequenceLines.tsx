import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Consequences, Fates } from '#core/design/consequences.ts'
import { isNone } from '#core/design/consequences.ts'

import classes from './ConsequenceLines.module.css'

/** How many names of one line are drawn; for the rest there is a count. */
const MOST_NAMES = 300

/**
 * What goes, what changes and what comes, counted; the names are folded away. What goes stands first and is unfolded.
 */
export function ConsequenceLines({ of: { gone, changed, come, broken } }: { readonly of: Consequences }) {
  const { t } = useTranslation('common')
  const fates = [
    ['gone', gone],
    ['changed', changed],
    ['come', come],
  ] as const
  return (
    <Stack gap="xs">
      {fates.map(([fate, what]) =>
        isNone(what) ? null : (
          <section key={fate} className={classes.fate} data-fate={fate} aria-label={t(`consequences.${fate}`)}>
            <h4 className={classes.title}>{t(`consequences.${fate}`)}</h4>
            <Lines fates={what} open={fate === 'gone'} />
          </section>
        ),
      )}
      {broken.length > 0 && (
        <section className={classes.fate} data-fate="gone" aria-label={t('consequences.broken')}>
          <h4 className={classes.title}>{t('consequences.broken')}</h4>
          <Folded
            title={t('consequences.rules', { count: broken.length })}
            names={broken.map(({ page, name }) => `${page} · ${name}`)}
            open
          />
        </section>
      )}
      {fates.every(([, what]) => isNone(what)) && broken.length === 0 && (
        <p className={classes.none}>{t('consequences.none')}</p>
      )}
    </Stack>
  )
}

function Lines({ fates: { visits, pages, fields, rules }, open }: { readonly fates: Fates; readonly open: boolean }) {
  const { t } = useTranslation('common')
  const listPlaces = (names: Fates['fields']) => names.map(({ page, name }) => `${page} · ${name}`)
  return (
    <>
      <Folded title={t('consequences.visits', { count: visits.length })} names={visits} open={open} />
      <Folded title={t('consequences.pages', { count: pages.length })} names={pages} open={open} />
      <Folded title={t('consequences.fields', { count: fields.length })} names={listPlaces(fields)} open={false} />
      <Folded title={t('consequences.rules', { count: rules.length })} names={listPlaces(rules)} open={false} />
    </>
  )
}

function Folded({
  title,
  names,
  open,
}: {
  readonly title: string
  readonly names: readonly string[]
  readonly open: boolean
}) {
  const { t } = useTranslation('common')
  if (names.length === 0) return null
  return (
    <details className={classes.folded} open={open && names.length <= 12}>
      <summary>{title}</summary>
      <p>
        {names.slice(0, MOST_NAMES).join('、')}
        {names.length > MOST_NAMES && t('consequences.more', { count: names.length - MOST_NAMES })}
      </p>
    </details>
  )
}
