import { useRef } from 'react'
import type { PointerEvent, RefObject } from 'react'

/** How far a sheet is drawn down, in px, before letting go closes it. */
const FAR_ENOUGH = 80

type Handler = (event: PointerEvent<HTMLElement>) => void

interface DragAway {
  /** What is drawn along. */
  readonly ref: RefObject<HTMLDivElement | null>
  /** For the grip. */
  readonly grip: {
    readonly onPointerDown: Handler
    readonly onPointerMove: Handler
    readonly onPointerUp: Handler
    readonly onPointerCancel: Handler
  }
}

/** Lets a person draw a sheet down by its grip to close it; let go before, it springs back. */
export function useDragAway(onClose: () => void): DragAway {
  const ref = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  const moveTo = (by: number) => {
    if (ref.current !== null) ref.current.style.translate = by === 0 ? '' : `0 ${by}px`
  }
  const distanceOf = (event: PointerEvent): number => Math.max(0, event.clientY - (from.current ?? event.clientY))
  return {
    ref,
    grip: {
      onPointerDown: (event) => {
        from.current = event.clientY
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event) => moveTo(distanceOf(event)),
      onPointerUp: (event) => {
        const by = distanceOf(event)
        from.current = null
        if (by > FAR_ENOUGH) onClose()
        else moveTo(0)
      },
      onPointerCancel: () => {
        from.current = null
        moveTo(0)
      },
    },
  }
}
