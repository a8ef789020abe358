import type { CellMark } from '#core/api/calls/data/database.ts'

import classes from './database.module.css'

/** The shapes of marks: small enough for a cell, each with its own outline, so that colour is never needed. */

export type AnyMark = CellMark | 'missing'

export const allMarks = ['conflict', 'openQuery', 'answeredQuery', 'changed', 'sdv', 'dmr', 'missing'] as const

const PATHS: Readonly<Record<AnyMark, string>> = {
  conflict: 'M8 1.5 14.5 8 8 14.5 1.5 8ZM5.5 8h5',
  openQuery: 'M4 14.5V2M4 2.5h8.5L10.4 5.6l2.1 3.1H4Z',
  answeredQuery: 'M4 14.5V2M4 2.5h8.5L10.4 5.6l2.1 3.1H4M6 5.6h3',
  changed: 'M4.6 8.4 7 10.8l4-4.6M13.6 5.2A6.3 6.3 0 1 0 14.3 8M14 2v3.4h-3.4',
  sdv: 'M1.4 8.6 4.4 11.8 9.6 5M7.4 10.6 8.7 11.9 14.6 5',
  dmr: 'M2.5 8.4 6.2 12 13.5 4',
  missing: 'M3 8h10',
}
const FILLED: ReadonlySet<AnyMark> = new Set(['openQuery'])

/** @param label read out; the shape alone means nothing to who cannot see it */
export function MarkShape({ mark, label }: { readonly mark: AnyMark; readonly label: string }) {
  return (
    <span className={classes.mark} data-mark={mark} title={label}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path
          d={PATHS[mark]}
          fill={FILLED.has(mark) ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={classes.hidden}>{label}</span>
    </span>
  )
}
