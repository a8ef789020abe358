import { createElement, useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

import { loadPart } from './loadPart.ts'

interface LaterPartProps {
  /** Drawn until the part is there. */
  readonly meanwhile?: ReactNode
}

/**
 * A part of a screen whose code is loaded when it is first drawn. Where it cannot be had now, the screen around it
 * stays as it is: a part that nobody has asked for is left out, and one that somebody asked for says so (`absent`).
 * The next time it is drawn, and when the network comes back, it is asked for again. (With `React.lazy`, the failure
 * would take the whole screen down, and would be remembered.)
 *
 * @param load loads its component
 * @param absent drawn in its place, with the same properties, where it cannot be had
 */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  absent: ComponentType<Props> | null = null,
): ComponentType<Props & LaterPartProps> {
  let kept: ComponentType<Props> | null = null
  return function Later(props) {
    const [part, setPart] = useState<Part<Props>>({ is: 'loading' })
    const isHere = kept !== null
    useEffect(() => {
      if (isHere) return undefined
      let isOver = false
      const ask = async () => {
        const now = await askFor(load)
        if (now.is === 'here') kept = now.component
        if (!isOver) setPart(now)
      }
      const again = () => void ask()
      again()
      globalThis.addEventListener('online', again)
      return () => {
        isOver = true
        globalThis.removeEventListener('online', again)
      }
    }, [isHere])
    if (kept !== null) return createElement(kept, props)
    if (part.is === 'broken') throw part.error
    return part.is === 'absent' && absent !== null ? createElement(absent, props) : props.meanwhile
  }
}

type Part<Props> =
  | { readonly is: 'loading' }
  | { readonly is: 'here'; readonly component: ComponentType<Props> }
  | { readonly is: 'absent' }
  | { readonly is: 'broken'; readonly error: unknown }

async function askFor<Props>(load: () => Promise<ComponentType<Props>>): Promise<Part<Props>> {
  try {
    const component = await loadPart(load)
    return component === null ? { is: 'absent' } : { is: 'here', component }
  } catch (error) {
    return { is: 'broken', error }
  }
}
