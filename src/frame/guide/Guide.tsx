import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useProjectChoice } from '#src/data/hooks/projects.ts'
import { useSession } from '#src/session/useSession.ts'

import classes from './guide.module.css'
import { mayReadTrail, findGuidePlace } from './places.ts'
import { guideSteps, keepGuiding, nextStep, pageAt, useGuiding } from './progress.ts'
import type { GuideProgress } from './progress.ts'

/**
 * The first five minutes of a person at a demo account: open a page, enter something without a network, see that it is
 * kept, submit it, look at its trail. It stands below what one works on and covers nothing.
 */
export function Guide({ userId }: { readonly userId: string }) {
  const guiding = useGuiding(userId)
  const project = useProjectToEnter()
  useAskWhether(userId, guiding === undefined)
  if (guiding === undefined || guiding === 'over' || project === null) return null
  return <Dock userId={userId} progress={guiding} project={project} />
}

/** Asks the server once whether it shows this person around: only a demo does. */
function useAskWhether(userId: string, isOpen: boolean): void {
  const { call } = useSession()
  useEffect(() => {
    if (!isOpen) return undefined
    let isGone = false
    void call('auth.userInfo', {}).then((info) => {
      if (isGone || !info.ok || info.value.userId !== userId) return
      keepGuiding(userId, info.value.guided === true ? { step: 'open', page: null } : 'over')
    })
    return () => {
      isGone = true
    }
  }, [call, isOpen, userId])
}

/**
 * The first project in which the person enters data; null while none is known. Once known, it stays without a
 * network.
 */
function useProjectToEnter(): ProjectRow | null {
  const choice = useProjectChoice({ name: '', pages: 1 })
  const [known, setKnown] = useState<ProjectRow | null>(null)
  const read = choice.state === 'ready' ? choice.value.projects : []
  const found = read.find(({ permissions }) => permissions.includes('database_submit_page')) ?? known
  if (found !== known) setKnown(found)
  return found
}

interface DockProps {
  readonly userId: string
  readonly progress: GuideProgress
  readonly project: ProjectRow
}

function Dock({ userId, progress, project }: DockProps) {
  const { t } = useTranslation('guide')
  const { pathname, search } = useLocation()
  const dock = useRef<HTMLElement>(null)
  useRoom(dock, pathname.startsWith('/eCRF/'))
  const opened = pageAt(pathname, search)
  const { step, page } = progress
  useEffect(() => {
    if (opened !== null && opened !== page) keepGuiding(userId, { step, page: opened })
  }, [opened, page, step, userId])

  const { isHere, to } = findGuidePlace({ step, page: page ?? opened }, project, pathname)
  const at = guideSteps.indexOf(step)
  const isLast = at === guideSteps.length - 1
  const words = step === 'trail' && !mayReadTrail(project) ? 'history' : step
  const goOn = (): void => {
    const next = nextStep(step)
    keepGuiding(userId, next === 'over' ? next : { step: next, page })
  }
  return (
    <aside ref={dock} className={classes.dock} aria-label={t('title')} data-print="no">
      <VisuallyHidden>{t('progress', { step: at + 1, of: guideSteps.length })}</VisuallyHidden>
      <span className={classes.steps} aria-hidden="true">
        {guideSteps.map((one, index) => (
          <span key={one} data-state={index < at ? 'done' : index === at ? 'now' : 'later'} />
        ))}
      </span>
      <p className={classes.text} aria-live="polite">
        <strong>{t(`${words}.title`)}</strong> {isHere ? t(`${words}.here`) : t(`${words}.there`)}
      </p>
      <span className={classes.acts}>
        {isHere ? (
          <Button size="md" variant="light" onClick={goOn}>
            {t(isLast ? 'finish' : 'next')}
          </Button>
        ) : (
          to !== null && (
            <Button size="md" variant="light" component={Link} to={to}>
              {t(`${words}.go`)}
            </Button>
          )
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="var(--zl-control)"
          aria-label={t('close')}
          title={t('close')}
          onClick={() => keepGuiding(userId, 'over')}
        >
          <IconX size={20} />
        </ActionIcon>
      </span>
    </aside>
  )
}

/**
 * Gives the guide room of its own at the end of the screen: what is fixed there moves up, and the content can be
 * scrolled clear of it.
 */
function useRoom(dock: RefObject<HTMLElement | null>, isCasebook: boolean): void {
  useLayoutEffect(() => {
    const { documentElement, body } = document
    const take = (height: string): void => {
      documentElement.style.setProperty('--zl-dock', height)
      documentElement.style.setProperty('--app-shell-footer-offset', height)
      body.style.paddingBottom = isCasebook ? height : ''
    }
    const measure = (): void => take(`${dock.current?.offsetHeight ?? 0}px`)
    measure()
    const watch = new ResizeObserver(measure)
    if (dock.current !== null) watch.observe(dock.current)
    return () => {
      watch.disconnect()
      documentElement.style.removeProperty('--zl-dock')
      documentElement.style.removeProperty('--app-shell-footer-offset')
      body.style.paddingBottom = ''
    }
  }, [dock, isCasebook])
}
