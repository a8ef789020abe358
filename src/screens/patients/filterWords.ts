import { useTranslation } from 'react-i18next'
import { isTable, parsePage } from '#core/form/definition/page.ts'
import type { CenterRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import type { KeptSearches } from '#src/frame/lists/useKeptSearches.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { inLanguage, pageNameIn } from '#core/form/definition/inLanguage.ts'
import type { Language } from '#core/language.ts'

import { filterKeys } from './filter.ts'
import type { ListFilter } from './filter.ts'

/** An active filter, in words. */
export interface FilterWord {
  readonly key: keyof ListFilter | 'words'
  readonly text: string
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** Pages of a version, each once, in the order of the casebook. */
export function pagesToChoose(version: VersionRow | null, language: Language): readonly Choice[] {
  const folders = version?.folders.toSorted((a, b) => a.sort - b.sort) ?? []
  const pages = folders.flatMap(({ pages: of }) =>
    of.toSorted((a, b) => a.sort - b.sort).map((page): [string, string] => [page.id, pageNameIn(language, page)]),
  )
  return [...new Map(pages)].map(([value, label]) => ({ value, label }))
}

/** Tables of a page that the user may filter by. Identifier tables only for users who may see identifying data. */
export function tablesToChoose(
  version: VersionRow | null,
  pageId: string | null,
  { permissions, language }: { readonly permissions: ProjectRow['permissions']; readonly language: Language },
): readonly Choice[] {
  const option = version?.folders.flatMap(({ pages }) => pages).find(({ id }) => id === pageId)?.option
  const model = option === undefined ? null : parsePage(option)
  if (model === null || !model.ok) return []
  const tables = model.page.fields.filter(
    (field) => isTable(field) && (!field.identifier || permissions.includes('patient_sensitive')),
  )
  return tables.map(({ code, label, labelEn }) => ({
    value: code,
    label: inLanguage(language, label, labelEn) || code,
  }))
}

/** The active filters, in words and in a fixed order. */
export function useFilterWords(known: {
  readonly centers: readonly CenterRow[]
  readonly version: VersionRow | null
  readonly permissions: ProjectRow['permissions']
  readonly searches: Pick<KeptSearches, 'nameOf'>
}): (filter: ListFilter, search: string) => readonly FilterWord[] {
  const { t } = useTranslation(['patients', 'search'])
  const language = useLanguage()
  const wordOf = (key: keyof ListFilter, filter: ListFilter): string | null => {
    const { center, state, sex, from, to, page, table } = filter
    switch (key) {
      case 'center':
        return center === null ? null : (known.centers.find(({ id }) => id === center)?.centerName ?? t('center'))
      case 'state':
        return state === null ? null : t(`state.${state}`)
      case 'sex':
        return sex === null ? null : t(`sex.${sex}`)
      case 'from':
        return from === null ? null : t('filter.since', { day: from })
      case 'to':
        return to === null ? null : t('filter.until', { day: to })
      case 'mine':
        return filter.mine === null ? null : t('filter.mine')
      case 'page':
        return page === null
          ? null
          : t('filter.hasPage', {
              page:
                pagesToChoose(known.version, language).find(({ value }) => value === page)?.label ?? t('filter.page'),
            })
      case 'search':
        return filter.search === null
          ? null
          : t('search:filter.foundBy', { name: known.searches.nameOf(filter.search) })
      case 'table':
        return table === null
          ? null
          : t('filter.hasRows', {
              table:
                tablesToChoose(known.version, page, { permissions: known.permissions, language }).find(
                  ({ value }) => value === table,
                )?.label ?? table,
            })
    }
  }
  return (filter, search) => [
    ...(search === '' ? [] : [{ key: 'words' as const, text: t('filter.searched', { text: search }) }]),
    ...filterKeys.flatMap((key) => {
      const text = wordOf(key, filter)
      return text === null ? [] : [{ key, text }]
    }),
  ]
}
