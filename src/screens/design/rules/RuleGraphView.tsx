import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import { around, fieldKey, ruleGraph } from '#core/design/rules/ruleGraph.ts'
import type { Neighbour, RuleGraph } from '#core/design/rules/ruleGraph.ts'
import type { RuleKey, RuleLine } from '#core/design/rules/ruleList.ts'
import { rulesOf } from '#core/design/rules/ruleList.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { useLabels } from './RuleList.tsx'
import classes from './rules.module.css'

interface RuleGraphViewProps {
  readonly design: Design
  readonly address: RuleKey
  readonly onChoose: (address: RuleKey) => void
}

const LEVELS = [-2, -1, 0, 1, 2] as const
/** The size of a field, and the distances between fields, in px. */
const NODE = { width: 150, height: 44, across: 190, down: 56 }
/** How many fields of one step are drawn; the rest is counted and listed. */
const MAX_DRAWN = 10

/**
 * The fields that a field's rules read, and the fields whose rules read it, two steps each way: as a graph and as a
 * list.
 */
export function RuleGraphView({ design, address, onChoose }: RuleGraphViewProps) {
  const names = useNames()
  const { t } = useTranslation('rules')
  const graph = useMemo(() => ruleGraph(design), [design])
  const labels = useLabels(design)
  const { fields, edges } = useMemo(() => around(graph, fieldKey(address)), [graph, address])
  const ruleOf = useMemo(() => {
    const first = new Map<string, RuleLine>()
    for (const line of rulesOf(design)) if (!first.has(fieldKey(line.address))) first.set(fieldKey(line.address), line)
    return first
  }, [design])
  const nameOf = (key: string): string => {
    const field = graph.fields.get(key)
    if (field === undefined) return labels(address)
    const page = design.pages.get(field.pageId)
    return field.pageId === address.pageId
      ? labels(field)
      : `${page === undefined ? '' : names.page(page)} · ${labels(field)}`
  }
  const places = drawnAt(fields)
  const rows = Math.max(
    1,
    ...LEVELS.map((level) => Math.min(MAX_DRAWN, fields.filter((one) => one.level === level).length)),
  )
  if (fields.length === 1) return <p className={classes.hint}>{t('graph.none')}</p>
  return (
    <div className={classes.bench}>
      <div className={classes.graphBox}>
        <div className={classes.graph} style={{ width: NODE.across * LEVELS.length, height: rows * NODE.down }}>
          <svg width={NODE.across * LEVELS.length} height={rows * NODE.down} aria-hidden="true">
            {edges.map(({ from, to }) => {
              const [a, b] = [places.get(from), places.get(to)]
              return a === undefined || b === undefined ? null : (
                <path key={`${from} ${to}`} className={classes.edge} d={pathOf(a, b)} />
              )
            })}
          </svg>
          {fields.map(({ key }) => {
            const place = places.get(key)
            if (place === undefined) return null
            const rule = ruleOf.get(key)
            const style = { left: place.x, top: place.y, width: NODE.width, height: NODE.height }
            const own = key === fieldKey(address)
            return rule === undefined || own ? (
              <span key={key} className={classes.node} data-own={own || undefined} style={style} title={nameOf(key)}>
                {nameOf(key)}
              </span>
            ) : (
              <button
                key={key}
                type="button"
                className={classes.node}
                style={style}
                title={nameOf(key)}
                onClick={() => onChoose(rule.address)}
              >
                {nameOf(key)}
              </button>
            )
          })}
        </div>
      </div>
      <Words graph={graph} of={fieldKey(address)} nameOf={nameOf} />
    </div>
  )
}

function drawnAt(fields: readonly Neighbour[]): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  return new Map(
    LEVELS.flatMap((level) =>
      fields
        .filter((one) => one.level === level)
        .slice(0, MAX_DRAWN)
        .map(({ key }, at) => [key, { x: (level + 2) * NODE.across, y: at * NODE.down }] as const),
    ),
  )
}

interface NodePosition {
  readonly x: number
  readonly y: number
}

/**
 * A line from the right of the field that is read to the left of the field that reads it. A line against the order goes
 * back over the top.
 */
function pathOf(from: NodePosition, to: NodePosition): string {
  const [x1, y1, x2, y2] = [from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2]
  const bend = Math.max(20, Math.abs(x2 - x1) / 2)
  return `M ${String(x1)} ${String(y1)} C ${String(x1 + bend)} ${String(y1)}, ${String(x2 - bend)} ${String(y2)}, ${String(x2)} ${String(y2)} m -7 -4 l 7 4 l -7 4`
}

/** The whole graph in words. */
function Words({
  graph,
  of,
  nameOf,
}: {
  readonly graph: RuleGraph
  readonly of: string
  readonly nameOf: (key: string) => string
}) {
  const { t } = useTranslation('rules')
  const listNames = (keys: readonly string[] | undefined): string =>
    keys === undefined || keys.length === 0 ? t('graph.nothing') : keys.map(nameOf).join(t('outcome.and'))
  return (
    <dl className={classes.words}>
      <dt>{t('graph.reads')}</dt>
      <dd>{listNames(graph.reads.get(of))}</dd>
      <dt>{t('graph.readBy')}</dt>
      <dd>{listNames(graph.readBy.get(of))}</dd>
    </dl>
  )
}
