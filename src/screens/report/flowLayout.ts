import type { MeasureCode } from '#core/report/kinds.ts'

/** Where the boxes of the flow of subjects stand: who goes on in the left column, who does not at its right. */

export interface FlowBox {
  readonly code: MeasureCode
  /** Null where it cannot be told. */
  readonly value: number | null
  /** What it consists of, as reasons. */
  readonly lines: readonly { readonly name: string; readonly count: number }[]
}

export interface PlacedBox extends FlowBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Step = 'screened' | 'excluded' | 'numbered' | 'withdrawn' | 'following' | 'completed'
type Boxes = Readonly<Record<Step, FlowBox>>

/** A box without lines is high enough for a finger. */
const HEIGHT = { head: 44, line: 20 } as const
/** Between boxes: down, and across where arrows lead to the right. */
const GAP = { down: 20, across: 48 } as const
const MOST_WIDTH = 360
/** A line has its place in the middle of a pixel; the boxes' frames too. */
const EDGE = 1
const HEAD = 5

function heightOf({ lines }: FlowBox): number {
  return HEIGHT.head + (lines.length === 0 ? 0 : lines.length * HEIGHT.line + 6)
}

export function flowHeight(boxes: Boxes): number {
  const { head } = HEIGHT
  return 3 * head + 5 * GAP.down + GAP.down + heightOf(boxes.excluded) + heightOf(boxes.withdrawn) + 2 * EDGE
}

export interface FlowLayout {
  readonly placed: readonly PlacedBox[]
  /** Lines between them, and the heads of arrows, as paths of SVG. */
  readonly paths: readonly string[]
  readonly heads: readonly string[]
}

export function flowLayout(boxes: Boxes, room: number): FlowLayout {
  const width = Math.max(60, Math.min(MOST_WIDTH, (room - GAP.across - 2 * EDGE) / 2))
  const left = Math.max(EDGE, (room - 2 * width - GAP.across) / 2)
  const right = left + width + GAP.across
  const place = (step: Step, x: number, y: number): PlacedBox => ({
    ...boxes[step],
    x,
    y,
    width,
    height: heightOf(boxes[step]),
  })
  const below = ({ y, height }: PlacedBox): number => y + height + GAP.down
  const screened = place('screened', left, EDGE)
  const excluded = place('excluded', right, below(screened))
  const numbered = place('numbered', left, below(excluded))
  const withdrawn = place('withdrawn', right, below(numbered))
  const end = below(withdrawn) + GAP.down
  const following = place('following', left, end)
  const completed = place('completed', right, end)
  const spine = left + width / 2
  const fork = end - GAP.down
  const aside = ({ x, y, height }: PlacedBox) => ({
    path: `M${spine} ${y + height / 2}H${x}`,
    head: `M${x} ${y + height / 2}l${-HEAD} ${-HEAD}v${2 * HEAD}z`,
  })
  const down = (from: number, to: number, x: number) => ({
    path: `M${x} ${from}V${to}`,
    head: `M${x} ${to}l${-HEAD} ${-HEAD}h${2 * HEAD}z`,
  })
  const middle = right + width / 2
  const arrows = [
    down(screened.y + screened.height, numbered.y, spine),
    aside(excluded),
    down(numbered.y + numbered.height, following.y, spine),
    aside(withdrawn),
    { path: `M${spine} ${fork}H${middle}`, head: '' },
    down(fork, completed.y, middle),
  ]
  return {
    placed: [screened, excluded, numbered, withdrawn, following, completed],
    paths: arrows.map(({ path }) => path),
    heads: arrows.flatMap(({ head }) => (head === '' ? [] : [head])),
  }
}
