import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { noticePath } from '#src/paths/noticePath.ts'
import { useNotices } from '#src/frame/shell/notices/useNotices.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './home.module.css'

/** How many notices are shown; the bell in the bar shows all of them. */
const SHOWN = 3

/**
 * The latest unread notices. Draws nothing where there are none, or where they cannot be read. They come from the
 * server, so they stand last.
 */
export function HomeNotices() {
  const { t } = useTranslation('home')
  const { unread, total } = useNotices()
  if (total === 0) return null
  return (
    <section aria-labelledby="home-notices" className={classes.section}>
      <h2 id="home-notices" className={classes.heading}>
        {t('notices', { count: total })}
      </h2>
      <ul className={classes.notices}>
        {unread.slice(0, SHOWN).map((notice) => {
          const { id, title, releaseTime } = notice
          const to = noticePath(notice)
          return (
            <li key={id}>
              {to === null ? (
                title
              ) : (
                <Anchor component={Link} to={to}>
                  {title}
                </Anchor>
              )}
              <time dateTime={releaseTime}>{fullTime(releaseTime)}</time>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
