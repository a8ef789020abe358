import { useTranslation } from 'react-i18next'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import type { Choice, TableFilter } from '#src/ui/table/contract.ts'

/** The kept searches that a list can be narrowed down by. */
export interface KeptSearches {
  /** None without the right to search, and none until the server has named them. */
  readonly choices: readonly Choice[]
  /** Why none can be chosen now, in words. */
  readonly barred: string | null
  /** What a chosen search is called: its name, or that it is not there any more. */
  readonly nameOf: (id: string) => string
}

/**
 * The kept searches of a project. Only the server knows whom they find.
 *
 * @param isDue whether the screen wants them already
 */
export function useKeptSearches(projectId: string, permissions: ProjectRow['permissions'], isDue = true): KeptSearches {
  const { t } = useTranslation('search')
  const barred = useNeedsServer()
  const maySearch = isDue && permissions.includes('search_view')
  const kept = useServerQuery('search.list', maySearch ? { query: { projectId }, projectId } : null)
  const choices = kept.state === 'ready' ? kept.value.map(({ id, name }) => ({ value: id, label: name })) : NONE
  const nameOf = (id: string) =>
    choices.find(({ value }) => value === id)?.label ?? t(kept.state === 'ready' ? 'filter.gone' : 'filter.unnamed')
  return { choices, barred, nameOf }
}

const NONE: readonly Choice[] = []

/** The filter of a table by a kept search; nothing where there is none to choose and none is chosen. */
export function useSearchFilter(
  { choices, barred, nameOf }: KeptSearches,
  searchId: string | null,
): readonly TableFilter[] {
  const { t } = useTranslation('search')
  if (choices.length === 0 && searchId === null) return []
  return [
    {
      key: 'search',
      title: t('filter.title'),
      kind: 'choice',
      value: searchId,
      text: searchId === null ? null : t('filter.foundBy', { name: nameOf(searchId) }),
      barred,
      choices,
    },
  ]
}
