import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '#core/api/call.ts'
import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import type { CallOf } from '#core/api/table.ts'
import type { English } from '#core/form/definition/inLanguage.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { comparePasses } from '#core/review/gaps.ts'
import type { ComparedItem } from '#core/review/gaps.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { contentAt } from '#core/sync/merge.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { fieldsOf } from '#src/form/places/fieldAt.ts'
import { contentWords, labelOf } from '#src/form/words.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { useGapWords } from './gapWords.ts'
import type { FieldsOfPage, NamedGap } from './gapWords.ts'

/** Something that both passes say alike. */
export interface SameItem {
  readonly id: string
  readonly name: string
  readonly words: string
}

/** A page of the comparison: its name, what differs on it and what does not, in the order of the page. */
export interface ComparedPage {
  readonly id: string
  readonly folderName: string
  readonly folderNameEn?: English
  readonly pageName: string
  readonly pageNameEn?: English
  readonly gaps: readonly GapRow[]
  readonly lines: readonly (NamedGap | SameItem)[]
}

type BothPasses = DataOf<CallOf<'double.list'>>

/**
 * The pages of a comparison.
 *
 * @param both the entries of both passes, where everything is shown that was compared; null for the differences alone
 */
export function useComparedPages(
  book: Pick<Casebook, 'version'>,
  check: GapCheck,
  both: readonly BothPasses[] | null,
): readonly ComparedPage[] {
  const nameGap = useGapWords()
  const { t } = useTranslation('diff')
  const { t: words } = useTranslation('form')
  const language = useLanguage()
  const options = useMemo(
    () => new Map(book.version.folders.flatMap(({ pages }) => pages.map(({ id, option }) => [id, option]))),
    [book.version],
  )
  const fields = useMemo(() => new Map([...options].map(([id, option]) => [id, fieldsOf(option)])), [options])
  return useMemo(() => {
    const byEntry = Map.groupBy(check.gaps, ({ entryId }) => entryId)
    const differing = [...byEntry].map(([id, gaps]): ComparedPage => {
      const [{ pageId, ...names }] = gaps as [GapRow, ...GapRow[]]
      return { ...namesOf(names), id, gaps, lines: gaps.map((gap) => nameGap(gap, fields.get(pageId) ?? NO_FIELD)) }
    })
    if (both === null) return differing
    const known = new Map(differing.map((page) => [page.id, page]))
    const all = both.flatMap(({ first, second, ...names }): readonly ComparedPage[] => {
      if (first === null || second === null) return []
      const page = known.get(first.id) ?? { ...namesOf(names), id: first.id, gaps: [], lines: [] }
      const sayItem = ({ field, row }: ComparedItem): SameItem => ({
        id: `${first.id} ${row?.table.code ?? ''} ${row?.at ?? ''} ${field.code}`,
        name: [
          ...(row === null ? [] : [labelOf(row.table, language), t('row', { no: row.at + 1 })]),
          labelOf(field, language),
        ].join(' · '),
        words: contentWords(field, contentIn(first, { field, row }), words),
      })
      const lines = inOrderOfPage(page, comparedOn(options.get(first.pageId), first, second), sayItem)
      return lines.length === 0 ? [] : [{ ...page, lines }]
    })
    const shown = new Set(all.map(({ id }) => id))
    return [...all, ...differing.filter(({ id }) => !shown.has(id))]
  }, [check.gaps, both, options, fields, nameGap, language, t, words])
}

const NO_FIELD: FieldsOfPage = () => null

function namesOf({
  folderName,
  folderNameEn,
  pageName,
  pageNameEn,
}: Pick<GapRow, 'folderName' | 'folderNameEn' | 'pageName' | 'pageNameEn'>) {
  return { folderName, folderNameEn, pageName, pageNameEn }
}

function comparedOn(option: string | undefined, first: EntryRow, second: EntryRow): readonly ComparedItem[] {
  const read = option === undefined ? null : parsePage(option)
  return read?.ok === true ? comparePasses(read.page, first, second).compared : []
}

function contentIn(entry: EntryRow, { field, row }: Pick<ComparedItem, 'field' | 'row'>): ItemContent {
  return (
    contentAt(entry, { table: row?.table.code ?? null, rid: row?.first ?? null, code: field.code }) ?? {
      value: null,
      missing: null,
    }
  )
}

/** Differences at their places among what is the same; those that the page does not know at its end. */
function inOrderOfPage(
  { id, lines }: ComparedPage,
  compared: readonly ComparedItem[],
  sayItem: (item: ComparedItem) => SameItem,
): readonly (NamedGap | SameItem)[] {
  const left = new Map(lines.flatMap((line) => ('gap' in line ? [[line.gap.id, line] as const] : [])))
  const take = (key: string): readonly NamedGap[] => {
    const line = left.get(key)
    left.delete(key)
    return line === undefined ? [] : [line]
  }
  const placed = compared.flatMap((item): readonly (NamedGap | SameItem)[] =>
    item.gap === null ? [sayItem(item)] : take(`${id}.${item.gap.key}`),
  )
  return [...placed, ...left.values()]
}
