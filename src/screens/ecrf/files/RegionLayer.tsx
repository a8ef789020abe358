import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#core/api/calls/attachment.ts'
import type { Point, Rect } from '#core/files/region.ts'
import { movedBy, rectBetween, resizedBy, turnBack, unturnedWay } from '#core/files/region.ts'

import classes from './files.module.css'

interface RegionLayerProps {
  readonly regions: readonly Region[]
  /** The region that is marked. */
  readonly marked: string | null
  readonly nameOf: (region: Region) => string
  readonly onMark: (region: Region) => void
  /** The region that is being drawn; null while none is. */
  readonly draft: Rect | null
  readonly onDraft: (rect: Rect) => void
  /** How the picture is turned, by 90 degrees to the right. */
  readonly turns: number
}

/** How far a key moves or enlarges what is drawn, in shares of the picture. */
const STEP = 0.02

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}

/**
 * The regions on a picture, and the one that is being drawn: from corner to corner with a finger or a pointer, or by
 * keys.
 */
export function RegionLayer({ regions, marked, nameOf, onMark, draft, onDraft, turns }: RegionLayerProps) {
  const { t } = useTranslation('files')
  const layer = useRef<HTMLDivElement>(null)
  const corner = useRef<Point | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isDrawing = draft !== null
  // Gives the new region the focus, so that the user can go on by keys at once.
  useLayoutEffect(() => {
    if (isDrawing) frame.current?.focus()
  }, [isDrawing])
  // A region that moves by keys stays in sight. Under a pointer the picture does not scroll.
  useLayoutEffect(() => {
    if (draft !== null && corner.current === null)
      frame.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [draft])
  const pointAt = (event: PointerEvent): Point => {
    const box = layer.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0 || box.height === 0) return { x: 0, y: 0 }
    return turnBack({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }, turns)
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (draft === null || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    corner.current = pointAt(event)
  }
  const drag = (event: PointerEvent) => {
    if (corner.current !== null) onDraft(rectBetween(corner.current, pointAt(event)))
  }
  const end = () => {
    corner.current = null
  }
  const onKey = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined || draft === null) return
    event.preventDefault()
    onDraft(
      event.shiftKey
        ? resizedBy(draft, turns % 2 === 0 ? by : { x: by.y, y: by.x })
        : movedBy(draft, unturnedWay(by, turns)),
    )
  }
  return (
    <div
      ref={layer}
      className={classes.layer}
      data-drawing={draft !== null || undefined}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {draft === null &&
        regions.map((region) => (
          <button
            key={region.regionId}
            type="button"
            className={classes.region}
            style={boxStyle(region.rect)}
            aria-label={nameOf(region)}
            aria-pressed={region.regionId === marked}
            onClick={() => onMark(region)}
          />
        ))}
      {/* A region that moves by keys is a control, but HTML has no element for it. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */}
      {draft !== null && (
        <div
          ref={frame}
          className={classes.draft}
          style={boxStyle(draft)}
          role="group"
          tabIndex={0}
          aria-label={t('region.keys')}
          onKeyDown={onKey}
        />
      )}
      {/* oxlint-enable */}
    </div>
  )
}

function boxStyle({ x, y, width, height }: Rect) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` }
}
