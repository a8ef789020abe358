import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/utils/combine'
import {
  autoScrollForElements,
  autoScrollWindowForElements,
} from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { useEffect } from 'react'
import type { RefObject } from 'react'

import { grabbedIn } from './dragged.ts'

const getAllowedAxis = () => 'vertical' as const

/**
 * Scrolls the page while something is dragged near its upper or lower edge. Where the window is too low for the page,
 * it scrolls the window as well.
 */
export function useEdgeScroll(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let stop = () => {}
    const unwatch = monitorForElements({
      canMonitor: ({ source }) => grabbedIn(source) !== undefined,
      onDragStart: () => {
        if (page.current === null) return
        stop = combine(
          autoScrollForElements({ element: page.current, getAllowedAxis }),
          autoScrollWindowForElements({ getAllowedAxis }),
        )
      },
      onDrop: () => stop(),
    })
    return () => {
      unwatch()
      stop()
    }
  }, [page])
}
