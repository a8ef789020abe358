import { shapeOf } from '#core/dataset/conditions.ts'
import type { AnswerField, AnswerShape } from '#core/dataset/conditions.ts'
import { readPage, recogniseRows } from '#core/dataset/sdtm/recognise.ts'
import type { ReadPage } from '#core/dataset/sdtm/recognise.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import { isRange, isTable } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'

/**
 * Where a study writes down what happened to its subjects, recognised as proposals of SDTM recognise it. Each row, or
 * each page, in which the term is filled in is one record.
 */

/** A field, as its answers are compared. */
export interface RecordedField extends AnswerField {
  readonly shape: AnswerShape
}

/** One of several answers to a field, as they are stored. */
export interface RecordedAnswers {
  readonly field: RecordedField
  readonly answers: readonly string[]
}

/** By trait: a record has it with any of these answers. What no field of the form can tell is not in it. */
export type Traits<Trait extends string> = Readonly<Partial<Record<Trait, readonly RecordedAnswers[]>>>

export interface RecordedForm<Trait extends string = string> {
  readonly pageId: string
  readonly name: string
  readonly nameEn: string | null
  readonly term: RecordedField
  readonly traits: Traits<Trait>
}

/** A page, or a table of one, whose term is recognised, and what else is recognised beside it. */
export interface RecognisedRows {
  readonly form: Omit<RecordedForm, 'traits'>
  readonly fieldOf: (variable: string) => RecordedField | null
  /** The answers to a variable whose submission value passes; none where it has none. */
  readonly told: (variable: string, is: (term: string) => boolean) => readonly RecordedAnswers[]
  /** The one choice that a variable is, of several; none where it is no choice. */
  readonly chosen: (variable: string) => readonly RecordedAnswers[]
}

/** The records of a domain that the pages of a study hold, in the order of the casebook; none without such a form. */
export function recogniseRecords(domain: 'AE' | 'DV', { pages }: Pick<StudyPages, 'pages'>): readonly RecognisedRows[] {
  return pages.map(readPage).flatMap((read) => rowsOf(domain, read))
}

function rowsOf(domain: 'AE' | 'DV', read: ReadPage): readonly RecognisedRows[] {
  const { pageId, name, nameEn } = read.page
  return recogniseRows(domain, read).flatMap(({ table = null, values = {} }): RecognisedRows[] => {
    const fieldOf = (variable: string): RecordedField | null => findField(read, table, values[variable]?.field)
    const findAnswers = (variable: string, answers: readonly string[]): readonly RecordedAnswers[] => {
      const field = fieldOf(variable)
      return field === null || answers.length === 0 ? [] : [{ field, answers }]
    }
    const term = fieldOf(`${domain}TERM`)
    if (term === null) return []
    return [
      {
        form: { pageId, name, nameEn, term },
        fieldOf,
        told: (variable, is) => {
          const terms = Object.entries(values[variable]?.terms ?? {})
          return findAnswers(
            variable,
            terms.flatMap(([code, said]) => (is(said) ? [code] : [])),
          )
        },
        chosen: (variable) => {
          const choice = values[variable]?.choice
          return choice === undefined ? [] : findAnswers(variable, [choice])
        },
      },
    ]
  })
}

function findField({ page, fields }: ReadPage, table: string | null, code: string | undefined): RecordedField | null {
  const within = table === null ? fields : (fields.find((one) => isTable(one) && one.code === table)?.children ?? [])
  const field = within.find((one: Field) => !isTable(one) && one.code === code)
  const shape = field === undefined ? null : shapeOf(field)
  if (field === undefined || shape === null) return null
  return { pageId: page.pageId, table, code: field.code, part: isRange(field) ? 'end' : null, shape }
}

/** Only traits that some field tells. */
export function toldTraits<Trait extends string>(
  all: Readonly<Record<Trait, readonly RecordedAnswers[]>>,
): Traits<Trait> {
  const told: Partial<Record<Trait, readonly RecordedAnswers[]>> = { ...all }
  for (const trait in all) if (all[trait].length === 0) delete told[trait]
  return told
}
