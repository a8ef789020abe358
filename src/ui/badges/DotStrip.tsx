import type { ReactNode } from 'react'

import classes from './DotStrip.module.css'
import type { Dot } from './visitDots.ts'

interface DotStripProps {
  /** One for each visit, in their order (`dotOf`). */
  readonly dots: readonly Dot[]
  /** All of it in words (`useDotWords`). */
  readonly label: string
  /** How many stand beside each other; more go to a further line. */
  readonly perLine?: number
}

/** A dot has a square of its own, of this many units. */
const STEP = 10

/**
 * The visits of a patient as small marks, told apart by shape and colour. A line of a long list can have it: there is no
 * hook in it, and one path for each kind of dot, however many visits there are.
 */
export function DotStrip({ dots, label, perLine = 24 }: DotStripProps) {
  if (dots.length === 0) return null
  return (
    <span className={classes.strip} title={label}>
      {drawn(dots, perLine)}
      <span className={classes.words}>{label}</span>
    </span>
  )
}

/** Patients of one study stand at a few dozen places of it: what was drawn for one is used for all. */
const known = new Map<string, ReactNode>()
const KNOWN_AT_MOST = 500

function drawn(dots: readonly Dot[], perLine: number): ReactNode {
  const key = `${perLine} ${dots.join(' ')}`
  const before = known.get(key)
  if (before !== undefined) return before
  const made = draw(dots, perLine)
  if (known.size >= KNOWN_AT_MOST) known.clear()
  known.set(key, made)
  return made
}

function draw(dots: readonly Dot[], perLine: number): ReactNode {
  const columns = Math.min(dots.length, perLine)
  const lines = Math.ceil(dots.length / perLine)
  const paths = new Map<Dot, string>()
  dots.forEach((dot, at) => {
    const [x, y] = [(at % perLine) * STEP + STEP / 2, Math.floor(at / perLine) * STEP + STEP / 2]
    paths.set(dot, (paths.get(dot) ?? '') + SHAPES[dot](x, y))
  })
  return (
    <svg
      className={classes.dots}
      viewBox={`0 0 ${columns * STEP} ${lines * STEP}`}
      // In the root's font size: the dots grow with the text beside them.
      style={{ width: `${(columns * STEP) / 16}rem`, height: `${(lines * STEP) / 16}rem` }}
      aria-hidden="true"
      focusable="false"
    >
      {[...paths].map(([dot, path]) => (
        <path key={dot} data-dot={dot} d={path} fillRule="evenodd" />
      ))}
    </svg>
  )
}

function disc(x: number, y: number, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
}

/** All are areas, so that one path can hold many: where two lie over each other is a hole. */
const SHAPES: Readonly<Record<Dot, (x: number, y: number) => string>> = {
  done: (x, y) => disc(x, y, 3.8),
  planned: (x, y) => disc(x, y, 3.4) + disc(x, y, 2.3),
  due: (x, y) => disc(x, y, 3.8) + disc(x, y, 2.6) + disc(x, y, 1.4),
  // The right half is full.
  inProgress: (x, y) => `${disc(x, y, 3.8)}M${x} ${y - 2.5}a2.5 2.5 0 1 0 0 5z`,
  // Only the right half is there.
  missing: (x, y) => `M${x - 1.2} ${y - 3.8}h1.2a3.8 3.8 0 1 1 0 7.6h-1.2v-1.9h1.2a1.9 1.9 0 1 0 0-3.8h-1.2z`,
  overdue: (x, y) => `M${x} ${y - 4.2}l4.4 8h-8.8z`,
  conflict: (x, y) => `M${x} ${y - 4.4}l4.4 4.4-4.4 4.4-4.4-4.4z`,
  missed: (x, y) =>
    `M${x - 3.4} ${y - 2.3}l1.1-1.1 2.3 2.3 2.3-2.3 1.1 1.1-2.3 2.3 2.3 2.3-1.1 1.1-2.3-2.3-2.3 2.3-1.1-1.1 2.3-2.3z`,
  off: (x, y) => `M${x - 3} ${y - 0.7}h6v1.4h-6z`,
}
