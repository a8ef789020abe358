import { useTranslation } from 'react-i18next'
import type { CenterRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import { useSearchFilter } from '#src/frame/lists/useKeptSearches.ts'
import type { KeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import type { FilterChange, TableFilter } from '#src/ui/table/contract.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { filterKeys, listStates } from './filter.ts'
import type { ListFilter } from './filter.ts'
import { pagesToChoose, tablesToChoose } from './filterWords.ts'
import type { FilterWord } from './filterWords.ts'

interface Known {
  readonly centers: readonly CenterRow[]
  readonly version: VersionRow | null
  readonly permissions: ProjectRow['permissions']
  readonly searches: KeptSearches
}

/** The filters of the list, as the table shows them. @param words those in force, in words */
export function usePatientFilters(
  filter: ListFilter,
  words: readonly FilterWord[],
  { centers, version, permissions, searches }: Known,
): readonly TableFilter[] {
  const { t } = useTranslation('patients')
  const language = useLanguage()
  const pages = pagesToChoose(version, language)
  const bySearch = useSearchFilter(searches, filter.search)
  const tables = tablesToChoose(version, filter.page, { permissions, language })
  const base = (key: keyof ListFilter, title: string) => ({
    key,
    title,
    value: filter[key],
    text: words.find((word) => word.key === key)?.text ?? null,
  })
  const all: readonly TableFilter[] = [
    {
      ...base('center', t('center')),
      kind: 'choice',
      choices: centers.map(({ id, centerName }) => ({ value: id, label: centerName })),
    },
    {
      ...base('state', t('state.title')),
      kind: 'choice',
      choices: listStates.map((value) => ({ value, label: t(`state.${value}`) })),
    },
    {
      ...base('sex', t('fact.sex')),
      kind: 'choice',
      choices: (['F', 'M'] as const).map((value) => ({ value, label: t(`sex.${value}`) })),
    },
    { ...base('from', t('filter.from')), kind: 'day' },
    {
      ...base('to', t('filter.to')),
      kind: 'day',
      error: filter.from !== null && filter.to !== null && filter.from > filter.to ? t('filter.turned') : null,
    },
    { ...base('page', t('filter.page')), kind: 'choice', choices: pages },
    { ...base('table', t('filter.table')), kind: 'choice', choices: tables },
    ...bySearch,
    { ...base('mine', t('filter.mine')), kind: 'switch' },
  ]
  return all.filter(({ key, value }) => {
    if (value !== null) return true
    if (key === 'center') return centers.length > 1
    if (key === 'page') return pages.length > 0
    return key !== 'table' || tables.length > 0
  })
}

/** A change of the table's filters as a change of the list's. */
export function listChange(change: FilterChange): Partial<ListFilter> {
  const known = filterKeys.flatMap((key) => (key in change ? [[key, change[key] ?? null] as const] : []))
  // The address takes only what is a valid filter (filter.ts).
  return Object.fromEntries(known) as Partial<ListFilter>
}
