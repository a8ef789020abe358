import { useTranslation } from 'react-i18next'
import { auditKinds } from '#core/api/calls/sync.ts'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { Choice, FilterChange, TableFilter } from '#src/ui/table/contract.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import type { TrailFilter } from './filter.ts'

/** Filters lines by user, kind, page and day of receipt. */
export function useTrailFilters(book: Casebook, filter: TrailFilter): readonly TableFilter[] {
  const names = useNames()
  const { t } = useTranslation('trail')
  const members = useMembers(book.project.id)
  const people = (members.state === 'ready' ? members.value : []).map(({ userId, realName }) => ({
    value: userId,
    label: realName,
  }))
  const kinds = auditKinds.map((one) => ({ value: one, label: t(`kind.${one}`) }))
  // A page that stands in several visits is offered once.
  const pages = new Map(
    book.version.folders.flatMap((folder) => folder.pages.map((page) => [page.id, names.page(page)] as const)),
  )
  const choice = (key: string, title: string, value: string | null, choices: readonly Choice[]): TableFilter => ({
    kind: 'choice',
    key,
    title,
    value,
    text: value === null ? null : (choices.find((one) => one.value === value)?.label ?? title),
    choices,
  })
  const { userId, kind, pageId, from, to, unexplained } = filter
  return [
    choice('userId', t('filter.person'), userId, people),
    choice('kind', t('filter.kind'), kind, kinds),
    choice(
      'pageId',
      t('filter.page'),
      pageId,
      [...pages].map(([value, label]) => ({ value, label })),
    ),
    { kind: 'day', key: 'from', title: t('filter.from'), value: from, text: from && t('filter.since', { day: from }) },
    { kind: 'day', key: 'to', title: t('filter.to'), value: to, text: to && t('filter.until', { day: to }) },
    {
      kind: 'switch',
      key: 'unexplained',
      title: t('filter.unexplained'),
      value: unexplained ? 'true' : null,
      text: t('filter.unexplained'),
    },
  ]
}

/** The filter after a change in the table. */
export function changedFilter(filter: TrailFilter, change: FilterChange): TrailFilter {
  const of = (key: keyof TrailFilter, now: string | null): string | null =>
    key in change ? (change[key] ?? null) : now
  const kind = of('kind', filter.kind)
  return {
    userId: of('userId', filter.userId),
    kind: auditKinds.find((one) => one === kind) ?? null,
    pageId: of('pageId', filter.pageId),
    from: of('from', filter.from),
    to: of('to', filter.to),
    unexplained: of('unexplained', filter.unexplained ? 'true' : null) === 'true',
  }
}
