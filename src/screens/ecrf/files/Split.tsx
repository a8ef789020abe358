import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './files.module.css'

/** The least and the most share of the picture, and the step of a key, in percent. */
const [LEAST, MOST, STEP] = [20, 80, 5]

interface SplitProps {
  /** Least share of the picture, in percent, where the picture stands above the page. */
  readonly leastHeight: number
  readonly picture: ReactNode
  readonly children: ReactNode
}

/** Two parts with a border between them that a user can move. */
export function Split({ leastHeight, picture, children }: SplitProps) {
  const { t } = useTranslation('files')
  const isWide = useMediaQuery('(min-width: 62em)') ?? false
  const [chosen, setChosen] = useState(50)
  const share = isWide ? chosen : Math.max(chosen, leastHeight)
  const frame = useRef<HTMLDivElement>(null)
  const move = (to: number) => setChosen(Math.min(MOST, Math.max(LEAST, Math.round(to))))
  const onKey = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: share - STEP,
      ArrowUp: share - STEP,
      ArrowRight: share + STEP,
      ArrowDown: share + STEP,
      Home: LEAST,
      End: MOST,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    move(isWide ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100)
  }
  const size = isWide ? { width: `${share}%` } : { height: `${share}%` }
  return (
    <div ref={frame} className={classes.split} data-wide={isWide}>
      <div className={classes.pane} data-picture style={size}>
        {picture}
      </div>
      {/* A border that moves is a control, but HTML has no element for it. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      <div
        className={classes.border}
        role="separator"
        tabIndex={0}
        aria-label={t('border')}
        aria-orientation={isWide ? 'vertical' : 'horizontal'}
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={onKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointer}
      />
      {/* oxlint-enable */}
      <div className={classes.pane} data-page>
        {children}
      </div>
    </div>
  )
}
