import { Fragment, useLayoutEffect, useRef } from 'react'
import type { MouseEvent, ReactNode } from 'react'

import classes from './Timeline.module.css'

/** A stop on the line. */
export interface TimelineStop {
  readonly id: string
  readonly href: string
  readonly name: string
  readonly ring: ReactNode
  /** The day that counts. */
  readonly day: string | null
  /** Its window, where it has one (`WindowBar`). */
  readonly bar: ReactNode
  /** Where it stands, where that needs to be seen. */
  readonly note: ReactNode
  /** All of it in words. */
  readonly label: string
  readonly isCurrent: boolean
  /** Whether nothing is left to do: the line at it is drawn full. */
  readonly isDone: boolean
  /** Whether it has no place in time: it stands beside the line. */
  readonly isApart: boolean
}

interface TimelineProps {
  readonly label: string
  readonly stops: readonly TimelineStop[]
  /** Before which stop today lies, and its words; null where the stops have no days. */
  readonly today: { readonly before: number; readonly word: string; readonly label: string } | null
  readonly onGo: (id: string) => void
}

/**
 * What happens one after the other, as a line of rings that lead to their places. Where there is no room it scrolls
 * sideways, with the current one in sight.
 */
export function Timeline({ label, stops, today, onGo }: TimelineProps) {
  const line = useRef<HTMLOListElement>(null)
  const current = stops.find(({ isCurrent }) => isCurrent)?.id ?? null
  useLayoutEffect(() => {
    const list = line.current
    const stop = list?.querySelector<HTMLElement>('[data-current]')
    if (list === null || stop === null || stop === undefined) return
    list.scrollLeft = stop.offsetLeft - (list.clientWidth - stop.offsetWidth) / 2
  }, [current])
  const go = (event: MouseEvent, id: string) => {
    // The user asks for another tab or window: the link opens it by itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onGo(id)
  }
  return (
    <ol ref={line} className={classes.line} aria-label={label}>
      {stops.map(({ id, href, name, ring, day, bar, note, label: words, ...is }, at) => (
        <Fragment key={id}>
          {today?.before === at && <Today {...today} />}
          <li
            className={classes.stop}
            data-done={is.isDone || undefined}
            data-current={is.isCurrent || undefined}
            data-apart={is.isApart || undefined}
          >
            <a href={href} className={classes.link} title={words} onClick={(event) => go(event, id)}>
              <span className={classes.drawn} aria-hidden="true">
                <span className={classes.ring}>{ring}</span>
                <span className={classes.name}>{name}</span>
                {day !== null && <span className={classes.day}>{day}</span>}
                {bar}
                {note}
              </span>
              <span className={classes.words}>{words}</span>
            </a>
          </li>
        </Fragment>
      ))}
      {today !== null && today.before >= stops.length && <Today {...today} />}
    </ol>
  )
}

function Today({ word, label }: { readonly word: string; readonly label: string }) {
  return (
    <li className={classes.today} title={label}>
      <span aria-hidden="true">{word}</span>
      <span className={classes.words}>{label}</span>
    </li>
  )
}
