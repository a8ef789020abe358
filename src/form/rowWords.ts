import type { QueryState } from '#core/review/query.ts'

import type { FormWords, Language } from './words.ts'
import { languageOf } from './words.ts'

type Placeholder = 'date' | 'time' | 'datetime' | 'year' | 'month' | 'monthOfYear' | 'week'

/**
 * The words that all rows repeat, looked up once for each form: a look-up costs as much as drawing the element around
 * the word. Words that depend on more than the field's label are looked up where they are drawn.
 */
export interface RowWords {
  /** The language of the reader. */
  readonly language: Language
  readonly required: string
  readonly empty: string
  readonly yes: string
  readonly no: string
  readonly choose: string
  readonly clear: string
  readonly today: string
  readonly now: string
  readonly calendar: string
  readonly calculated: string
  readonly notCalculated: string
  readonly prefilled: string
  readonly notCopied: string
  readonly undoMissing: string
  readonly placeholder: Readonly<Record<Placeholder, string>>
  readonly warning: string
  /** Before what the server asks by itself once the page is submitted, and before what it has asked. */
  readonly asks: Readonly<Record<'query' | 'asked', string>>
  /** The sign between words like "please check" and their sentence. */
  readonly colon: string
  readonly error: string
  /** What is asked about a field, by its state. */
  readonly queries: Readonly<Record<QueryState, string>>
  /** The full name of a button that shows only part of it, by the label of its field. */
  readonly historyFor: (label: string) => string
  readonly moreFor: (label: string) => string
  readonly undoMissingFor: (label: string) => string
}

export function rowWords(t: FormWords): RowWords {
  return {
    language: languageOf(t),
    required: t('required'),
    empty: t('empty'),
    yes: t('yes'),
    no: t('no'),
    choose: t('choose'),
    clear: t('clear'),
    today: t('today'),
    now: t('now'),
    calendar: t('calendar'),
    calculated: t('calculated'),
    notCalculated: t('notCalculated'),
    prefilled: t('prefilled'),
    notCopied: t('notCopied'),
    undoMissing: t('missing.undo'),
    placeholder: {
      date: t('placeholder.date'),
      time: t('placeholder.time'),
      datetime: t('placeholder.datetime'),
      year: t('placeholder.year'),
      month: t('placeholder.month'),
      monthOfYear: t('placeholder.monthOfYear'),
      week: t('placeholder.week'),
    },
    warning: t('severity.warning'),
    asks: { query: t('severity.query'), asked: t('severity.asked') },
    colon: t('colon'),
    error: t('severity.error'),
    queries: {
      candidate: t('asked.candidate'),
      open: t('asked.open'),
      answered: t('asked.answered'),
      closed: t('asked.closed'),
      cancelled: t('asked.cancelled'),
    },
    historyFor: sentence((label) => t('historyFor', { label })),
    moreFor: sentence((label) => t('moreFor', { label })),
    undoMissingFor: sentence((label) => t('missing.undoFor', { label })),
  }
}

/** Stands for the label while a sentence is looked up; a private-use character, so that no sentence contains it. */
const GAP = '\uE000'

function sentence(of: (label: string) => string): (label: string) => string {
  const [before = '', ...after] = of(GAP).split(GAP)
  return (label) => [before, ...after].join(label)
}
