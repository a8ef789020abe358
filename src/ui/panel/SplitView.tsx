import { useRef } from 'react'
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './panel.module.css'

/** Widths of the panel in px: what it has at first, and the least of it and of the content beside it. */
export const PANEL = { first: 400, least: 280, content: 360 } as const
/** How far an arrow key moves the edge. */
const STEP = 24

interface SplitViewProps {
  /** Beside the content where it is wide, a sheet from the bottom where it is narrow; false or null for none. */
  readonly panel: ReactNode
  /** The width that the reader gave the panel, in px; null for its own. */
  readonly width: number | null
  readonly onWidth: (width: number | null) => void
  readonly children: ReactNode
}

/** Content and a panel beside it, with an edge between them that pointer and arrow keys move. */
export function SplitView({ panel, width, onWidth, children }: SplitViewProps) {
  const root = useRef<HTMLDivElement>(null)
  const isOpen = panel !== null && panel !== false && panel !== undefined
  return (
    <div
      ref={root}
      className={classes.split}
      data-open={isOpen || undefined}
      style={{ '--panel': `${width ?? PANEL.first}px` } as CSSProperties}
    >
      <div className={classes.main}>{children}</div>
      {isOpen && (
        <>
          <Edge
            width={width ?? PANEL.first}
            whole={() => root.current?.getBoundingClientRect().width ?? 0}
            onDraw={(drawn) => root.current?.style.setProperty('--panel', `${drawn}px`)}
            onWidth={onWidth}
          />
          {panel}
        </>
      )}
    </div>
  )
}

/** The width that a panel may have in so wide a place. */
export function panelWithin(width: number, whole: number): number {
  return Math.round(Math.max(PANEL.least, Math.min(width, whole - PANEL.content)))
}

interface EdgeProps {
  readonly width: number
  /** How wide content and panel are together. */
  readonly whole: () => number
  /** Shows a width while it is being drawn. */
  readonly onDraw: (width: number) => void
  readonly onWidth: (width: number | null) => void
}

function Edge({ width, whole, onDraw, onWidth }: EdgeProps) {
  const { t } = useTranslation('table')
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const drawnTo = (event: PointerEvent): number =>
    panelWithin((from.current?.width ?? width) - (event.clientX - (from.current?.x ?? event.clientX)), whole())
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : 0
    const to =
      by !== 0 ? width + by : event.key === 'Home' ? Number.MAX_SAFE_INTEGER : event.key === 'End' ? PANEL.least : null
    if (to === null) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(panelWithin(to, whole()))
  }
  return (
    // A separator that moves takes the focus (WAI-ARIA window splitter).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule of the page cannot be moved
      role="separator"
      aria-orientation="vertical"
      aria-label={t('panel.width')}
      aria-valuenow={width}
      aria-valuemin={PANEL.least}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classes.edge}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => {
        if (from.current !== null) onDraw(drawnTo(event))
      }}
      onPointerUp={(event) => {
        if (from.current === null) return
        const drawn = drawnTo(event)
        from.current = null
        onWidth(drawn)
      }}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={onKeyDown}
    />
  )
}
