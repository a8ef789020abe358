import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '#core/api/call.ts'
import type { FieldShare } from '#core/api/calls/review/double.ts'
import type { CallOf } from '#core/api/table.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import { acceptanceOf, perTenThousand } from '#core/review/agreement.ts'
import { bilingual } from '#src/form/words.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'

/** The report, for its screen and its file. */

export type Report = DataOf<CallOf<'double.agreement'>>

/** Ways to count the differences. */
export const KINDS = ['fields', 'people', 'centers'] as const
export type Kind = (typeof KINDS)[number]

/** The counts of one field, person or center. */
export interface Line {
  /** Unique among the lines of its kind. */
  readonly key: string
  readonly name: string
  /** Code of a field; null for a person or a center. */
  readonly code: string | null
  /** Whether no definition has the field any more. */
  readonly isGone: boolean
  readonly compared: number
  readonly differing: number
}

export function useReportLines(report: Report): Readonly<Record<Kind, readonly Line[]>> {
  const { i18n } = useTranslation()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  return useMemo(() => linesOf(report, language), [report, language])
}

function linesOf({ fields, people, centers }: Report, language: 'zh' | 'en'): Readonly<Record<Kind, readonly Line[]>> {
  const plain = ({ name, compared, differing }: Report['people'][number]): Line => ({
    key: name,
    name,
    code: null,
    isGone: false,
    compared,
    differing,
  })
  return {
    fields: fields.map(({ name, label, compared, differing }) => ({
      key: name,
      name: labelText(label, language) ?? name,
      code: name,
      isGone: label === null,
      compared,
      differing,
    })),
    people: people.map(plain),
    centers: centers.map(plain),
  }
}

function labelText(label: FieldShare['label'], language: 'zh' | 'en'): string | null {
  if (label === null) return null
  const { table, field } = label
  const parts = [table, field].flatMap((one) =>
    one === null ? [] : [bilingual({ zh: one.zh, ...(one.en === null ? {} : { en: one.en }) }, language)],
  )
  return [pageNameIn(language, label), ...parts].join(' · ')
}

/** Makes the text of the file: all lines of the report, each with its judgement. */
export function useReportFile(limit: number): (report: Report) => string {
  const { t, i18n } = useTranslation('agreement')
  const language = i18n.language === 'en' ? 'en' : 'zh'
  return useCallback(
    (report) => {
      const figures = (one: Pick<Line, 'compared' | 'differing'>) => [
        one.compared,
        one.differing,
        roundFigure(perTenThousand(one)),
        t(`acceptance.${acceptanceOf(one, limit)}`),
      ]
      const lines = linesOf(report, language)
      return csvText([
        [
          t('columns.kind'),
          t('columns.name.fields'),
          t('columns.code'),
          t('columns.compared'),
          t('columns.differing'),
          t('columns.rate'),
          t('columns.acceptance'),
        ],
        [t('total.title'), '', '', ...figures(report.total)],
        ...KINDS.flatMap((kind) =>
          lines[kind].map((line) => [t(`columns.name.${kind}`), line.name, line.code ?? '', ...figures(line)]),
        ),
      ])
    },
    [t, language, limit],
  )
}

function roundFigure(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}
