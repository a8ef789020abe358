import { useEffect, useState } from 'react'

/** Knows whether a mouse button is down, and delays until its release what would move the page. */
export interface Press {
  /** Runs a task now, or after the click that is in progress. */
  readonly after: (task: () => void) => void
}

/**
 * Watches the pointer for a form. An error that appears while a button is down moves what is below it away from the
 * mouse. The press then begins on an answer and its release meets another element, so the browser makes no click of it,
 * and the answer would be lost.
 */
export function usePress(): Press {
  const [watch] = useState(watchPress)
  useEffect(() => watch.start(), [watch])
  return watch
}

/** Events that end a press, also a press that becomes a drag or a scroll. */
const END = ['pointerup', 'pointercancel', 'dragend'] as const

function watchPress(): Press & { readonly start: () => () => void } {
  const waiting: (() => void)[] = []
  let down = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    for (const task of waiting.splice(0)) task()
  }
  const press = () => {
    down = true
  }
  const release = () => {
    down = false
    // The click comes after the release, in the same turn of the event loop.
    clearTimeout(timer)
    timer = setTimeout(flush)
  }
  return {
    after: (task) => {
      if (down) waiting.push(task)
      else task()
    },
    start: () => {
      document.addEventListener('pointerdown', press, { capture: true })
      for (const type of END) document.addEventListener(type, release, { capture: true })
      window.addEventListener('blur', release)
      return () => {
        document.removeEventListener('pointerdown', press, { capture: true })
        for (const type of END) document.removeEventListener(type, release, { capture: true })
        window.removeEventListener('blur', release)
        clearTimeout(timer)
        flush()
      }
    },
  }
}
