import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { Point, Rect } from '#core/files/region.ts'
import { rectBetween, turnBack } from '#core/files/region.ts'

export const ZOOM_STEP = 1.25
const [LEAST_ZOOM, MOST_ZOOM] = [0.25, 8]
/** How much of the room a shown part of the picture takes. */
const SHOWN_SHARE = 0.5

/** How a picture is viewed: its zoom, its turn and its place. */
export interface PictureView {
  readonly zoom: number
  /** Turns by 90 degrees to the right. */
  readonly turns: number
  /**
   * The point that comes to the middle of the room, in shares of the upright picture. A new object asks again for the
   * same point.
   */
  readonly middle: Point | null
  /** The room in which the picture lies; its first child is the picture with its overlay. */
  readonly room: RefObject<HTMLDivElement | null>
  readonly enlarge: (by: number) => void
  readonly turn: () => void
  readonly reset: () => void
  /** Turns the picture upright, and shows a part of it large and in the middle. */
  readonly show: (rect: Rect) => void
  /** The part of the picture that is in sight now; all of it while the picture is not drawn. */
  readonly visible: () => Rect
}

export function usePictureView(): PictureView {
  const [zoom, setZoom] = useState(1)
  const [turns, setTurns] = useState(0)
  const [middle, setMiddle] = useState<Point | null>(null)
  const room = useRef<HTMLDivElement>(null)
  return {
    zoom,
    turns,
    middle,
    room,
    enlarge: (by) => setZoom((now) => withinLimits(now * by)),
    turn: () => setTurns((now) => (now + 1) % 4),
    reset: () => {
      setZoom(1)
      setTurns(0)
    },
    show: ({ x, y, width, height }) => {
      setTurns(0)
      setZoom(Math.max(1, withinLimits(SHOWN_SHARE / Math.max(width, height))))
      setMiddle({ x: x + width / 2, y: y + height / 2 })
    },
    visible: () => {
      const seen = room.current?.getBoundingClientRect()
      const sheet = room.current?.firstElementChild?.getBoundingClientRect()
      if (seen === undefined || sheet === undefined || sheet.width === 0 || sheet.height === 0) return WHOLE
      const shareOf = (x: number, y: number) =>
        turnBack({ x: (x - sheet.left) / sheet.width, y: (y - sheet.top) / sheet.height }, turns)
      return rectBetween(shareOf(seen.left, seen.top), shareOf(seen.right, seen.bottom))
    },
  }
}

const WHOLE: Rect = { x: 0, y: 0, width: 1, height: 1 }

function withinLimits(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom))
}
