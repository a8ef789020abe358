import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DatabasePage } from '#core/api/calls/data/database.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** What the grid is of: a page or one of its tables, at one visit or at all. */
export interface PageChosen {
  readonly pageId: string
  readonly table: string | null
  readonly folderId: string | null
}

interface PageChoiceProps {
  readonly pages: readonly DatabasePage[]
  readonly chosen: PageChosen | null
  readonly onChoose: (chosen: PageChosen) => void
}

/** The pages and their tables: of all visits first, then visit by visit. What is typed finds them. */
export function PageChoice({ pages, chosen, onChoose }: PageChoiceProps) {
  const { t } = useTranslation('database')
  const language = useLanguage()
  const nameOf = (of: { readonly name: string; readonly nameEn: string | null }) =>
    language === 'en' ? (of.nameEn ?? of.name) : of.name
  const itemsOf = (page: DatabasePage, folderId: string | null) => {
    const name = page.isFormer ? t('former', { page: nameOf(page) }) : nameOf(page)
    return [
      { value: valueOf({ pageId: page.pageId, table: null, folderId }), label: name },
      ...page.tables.map(({ code, label, labelEn }) => ({
        value: valueOf({ pageId: page.pageId, table: code, folderId }),
        label: t('table', { page: name, table: (language === 'en' ? labelEn : null) ?? (label || code) }),
      })),
    ]
  }
  const folders = new Map(pages.flatMap((page) => page.folders.map((folder) => [folder.folderId, nameOf(folder)])))
  const data = [
    { group: t('allVisits'), items: pages.flatMap((page) => itemsOf(page, null)) },
    ...[...folders].map(([folderId, name]) => ({
      group: name,
      items: pages
        .filter((page) => page.folders.some((folder) => folder.folderId === folderId))
        .flatMap((page) => itemsOf(page, folderId)),
    })),
  ]
  return (
    <Select
      size="md"
      searchable
      allowDeselect={false}
      label={t('page')}
      placeholder={t('choosePage')}
      value={chosen === null ? null : valueOf(chosen)}
      data={data}
      maxDropdownHeight={420}
      onChange={(value) => {
        const next = value === null ? null : choiceIn(value)
        if (next !== null) onChoose(next)
      }}
    />
  )
}

function valueOf({ pageId, table, folderId }: PageChosen): string {
  return [pageId, table ?? '', folderId ?? ''].join('/')
}

function choiceIn(value: string): PageChosen | null {
  const [pageId = '', table = '', folderId = ''] = value.split('/')
  return pageId === ''
    ? null
    : { pageId, table: table === '' ? null : table, folderId: folderId === '' ? null : folderId }
}
