import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { routeAt } from '#src/paths/routeNames.ts'

/**
 * Follows the current place: it sets the window's title, and moves the focus to the content, so that keyboard and
 * screen reader are not left on a link that is gone. An element in the content that has taken the focus itself (a field
 * that a link led to) keeps it.
 */
export function PlaceWatch() {
  const { t } = useTranslation(['shell', 'common'])
  const { pathname } = useLocation()
  const place = routeAt(pathname)?.place
  const product = t('common:product')
  const title = place === undefined || place === 'project' ? product : `${t(`place.${place}`)} · ${product}`
  useEffect(() => {
    document.title = title
    return () => {
      document.title = product
    }
  }, [title, product])

  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const main = document.getElementById('main')
    const { activeElement } = document
    const isInDialog = (activeElement?.closest('[role="dialog"]') ?? null) !== null
    if (main === null || main.contains(activeElement) || isInDialog) return
    main.focus({ preventScroll: true })
  }, [pathname])
  return null
}
