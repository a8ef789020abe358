// A native list box can hold no marks and no second line, and draws all of its thousand options.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Select, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { RuleKey, RuleLine } from '#core/design/rules/ruleList.ts'
import { ruleKey } from '#core/design/rules/ruleList.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'
import { RULE_ROLES } from '#core/wire/ruleRoles.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { fieldLabel, modelOf } from './ruleNames.ts'
import classes from './rules.module.css'

interface RuleListProps {
  readonly design: Design
  readonly lines: readonly RuleLine[]
  readonly problems: readonly VersionProblem[]
  readonly chosen: RuleKey | null
  readonly onChoose: (address: RuleKey) => void
}

/** Assumed height of a line until it is drawn, in px. */
const LINE_HEIGHT = 64
/** How many characters of a rule a line shows; the editor has all of it. */
const MOST_SHOWN = 120

/** All rules of the version, by page, with filters. Only lines near the visible part are drawn. */
export function RuleList({ design, lines, problems, chosen, onChoose }: RuleListProps) {
  const names = useNames()
  const { t } = useTranslation('rules')
  const labels = useLabels(design)
  const filter = useRuleFilter(lines, labels)
  const { shown } = filter
  const box = useRef<HTMLDivElement>(null)
  // The library changes its own result objects, so nothing made from them is kept for the next drawing.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: shown.length,
    getItemKey: (index) => keyAt(shown, index),
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 8,
    initialRect: { width: 300, height: 600 },
  })
  const chosenKey = chosen === null ? null : ruleKey(chosen)
  const at = shown.findIndex(({ address }) => ruleKey(address) === chosenKey)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const next = placeAfter(event.key, at, shown.length)
    const line = shown[next]
    if (line === undefined) return
    event.preventDefault()
    onChoose(line.address)
    virtual.scrollToIndex(next)
  }
  return (
    <section className={classes.list} aria-label={t('list.title')}>
      <RuleFilters design={design} filter={filter} />
      <output className={classes.hint}>
        {shown.length === lines.length
          ? t('list.count', { count: lines.length })
          : t('list.some', { count: shown.length, total: lines.length })}
      </output>
      {lines.length === 0 && <p className={classes.hint}>{t('list.empty')}</p>}
      <div
        ref={box}
        className={classes.lines}
        role="listbox"
        aria-label={t('list.title')}
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : `rule-${String(at)}`}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = shown[index]
            if (line === undefined) return null
            const page = design.pages.get(line.address.pageId)
            return (
              <ListedRule
                key={ruleKey(line.address)}
                line={line}
                label={labels(line.address)}
                pageName={page === undefined ? '' : names.page(page)}
                wrong={problemOf(design, line, problems)}
                index={index}
                count={shown.length}
                isChosen={index === at}
                top={start}
                measure={virtual.measureElement}
                onChoose={onChoose}
              />
            )
          })}
        </div>
      </div>
    </section>
  )
}

/** The index that a key leads to from another one; −1 where it leads nowhere. */
function placeAfter(key: string, at: number, count: number): number {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  return step === 0 ? -1 : Math.max(0, at + step)
}

/** The filters of the rules, and the rules that match. */
function useRuleFilter(lines: readonly RuleLine[], labels: ReturnType<typeof useLabels>) {
  const [kind, setKind] = useState<RuleKind | null>(null)
  const [pageId, setPageId] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim().toLowerCase())
  const shown = useMemo(
    () =>
      lines.filter(
        ({ address, source, check }) =>
          (kind === null || address.kind === kind) &&
          (pageId === null || address.pageId === pageId) &&
          (wanted === '' ||
            [labels(address), address.prop, source, check?.message.zh ?? '', check?.message.en ?? ''].some((text) =>
              text.toLowerCase().includes(wanted),
            )),
      ),
    [lines, kind, pageId, wanted, labels],
  )
  return { kind, setKind, pageId, setPageId, search, setSearch, shown }
}

interface RuleFiltersProps {
  readonly design: Design
  readonly filter: ReturnType<typeof useRuleFilter>
}

/** The filters of the rules: a word, the kind of rule, the page. */
function RuleFilters({ design, filter }: RuleFiltersProps) {
  const names = useNames()
  const { t } = useTranslation('rules')
  const { kind, setKind, pageId, setPageId, search, setSearch } = filter
  const pages = [...new Set(design.folders.flatMap((folder) => folder.pageIds))].flatMap((id) => {
    const page = design.pages.get(id)
    const folder = design.folders.find(({ pageIds }) => pageIds.includes(id))
    return page === undefined || folder === undefined ? [] : [{ value: id, label: names.place({ ...folder, ...page }) }]
  })
  return (
    <>
      <TextInput label={t('list.search')} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
      <div className={classes.filters}>
        <Select
          label={t('list.kind')}
          placeholder={t('list.all')}
          clearable
          data={RULE_ROLES.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={(next) => setKind(RULE_ROLES.find((one) => one === next) ?? null)}
        />
        <Select
          label={t('list.page')}
          placeholder={t('list.all')}
          clearable
          searchable
          limit={200}
          data={pages}
          value={pageId}
          onChange={setPageId}
        />
      </div>
    </>
  )
}

interface ListedRuleProps {
  readonly line: RuleLine
  /** The label of the rule's field. */
  readonly label: string
  readonly pageName: string
  readonly wrong: 'rule' | 'cycle' | null
  readonly index: number
  /** How many rules the list has, drawn or not. */
  readonly count: number
  readonly isChosen: boolean
  /** The distance from the top, in px. */
  readonly top: number
  readonly measure: (element: HTMLDivElement | null) => void
  readonly onChoose: (address: RuleKey) => void
}

/** A rule as a line of the list. */
function ListedRule({
  line: { address, source, check },
  label,
  pageName,
  wrong,
  index,
  count,
  isChosen,
  top,
  measure,
  onChoose,
}: ListedRuleProps) {
  const { t } = useTranslation('rules')
  return (
    // The list itself handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={measure}
      data-index={index}
      id={`rule-${String(index)}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes.line}
      style={{ top }}
      onClick={() => onChoose(address)}
    >
      <span className={classes.lineHead}>
        <span className={classes.kind} data-kind={address.kind}>
          {check === null ? t(`kinds.${address.kind}`) : t(`severities.${check.severity}`)}
        </span>
        <span className={classes.lineName}>{label}</span>
        {wrong !== null && (
          <span className={classes.wrong}>
            <IconAlertTriangle size={16} aria-hidden="true" /> {t(`list.wrong.${wrong}`)}
          </span>
        )}
      </span>
      {/* What the line has no room for is read above it; the whole rule stands beside the list. */}
      <span className={classes.lineText} title={`${pageName} · ${shownSource(source)}`}>
        {pageName} · <code>{shownSource(source)}</code>
      </span>
    </div>
  )
}

function shownSource(source: string): string {
  return source.length > MOST_SHOWN ? `${source.slice(0, MOST_SHOWN)}…` : source
}

/** A measured height belongs to the rule and not to its place, because a filter puts other rules there. */
function keyAt(lines: readonly RuleLine[], index: number): string | number {
  const line = lines[index]
  return line === undefined ? index : ruleKey(line.address)
}

/** The label of a field; for a field of a table after the label of the table. */
export function useLabels(design: Design): (field: Pick<RuleKey, 'pageId' | 'table' | 'prop'>) => string {
  const language = useLanguage()
  return useMemo(
    () =>
      ({ pageId, table, prop }) => {
        const page = design.pages.get(pageId)
        const model = page === undefined ? null : modelOf(page)
        const owner = table === null ? null : model?.byCode.get(table)
        const field = owner === null ? model?.byCode.get(prop) : owner?.children.find((child) => child.code === prop)
        const own = field === undefined ? prop : fieldLabel(field, language)
        return owner === null || owner === undefined ? own : `${fieldLabel(owner, language)} · ${own}`
      },
    [design, language],
  )
}

/** Whether a rule has a problem: in its own text, or because it waits for itself. */
function problemOf(
  design: Design,
  { address, source }: RuleLine,
  problems: readonly VersionProblem[],
): 'rule' | 'cycle' | null {
  const { pageId, table, prop, kind } = address
  const code = design.pages.get(pageId)?.pageCode
  const field = table === null ? prop : `${table}.${prop}`
  if (
    problems.some(
      (problem) =>
        problem.kind === 'rule' &&
        problem.page === code &&
        problem.field === field &&
        problem.says === `${field}: ${source}`,
    )
  )
    return 'rule'
  const waits = kind === 'show' || kind === 'calculate'
  const within = (problem: VersionProblem) =>
    problem.says
      .split(' → ')
      .some((step) =>
        problem.page === null ? step.endsWith(`/${code ?? ''}/${prop}`) : problem.page === code && step === prop,
      )
  return waits && problems.some((problem) => problem.kind === 'cycle' && within(problem)) ? 'cycle' : null
}
