import type { i18n } from 'i18next'
import type { QueryState } from '#core/review/query.ts'

import type { FormWords, Language } from './words.ts'
import { languageOf } from './words.ts'

type Placeholder = 'date' | 'time' | 'datetime' | 'year' | 'month' | 'monthOfYear' | 'week'

/** Sentences for a range, by its ends. */
export interface RangeWords {
  readonly both: (min: string, max: string) => string
  readonly min: (min: string) => string
  readonly max: (max: string) => string
}

/**
 * The words that all rows and the heads of all sections repeat, looked up once for each form: a look-up costs as
 * much as drawing the element around the word. Words that depend on more than the field's label are looked up where
 * they are drawn.
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
  /** What may be entered, and what healthy people have. */
  readonly range: RangeWords
  readonly reference: RangeWords
  /** Of a section: the act that marks it as not done, and its full name by the title. */
  readonly groupMissing: string
  readonly groupMissingFor: (title: string) => string
  /** How much of a section is answered, by the two numbers. */
  readonly sectionDone: (done: string, total: string) => string
}

/**
 * The row words of a language, looked up once for its texts: one page is opened after the other, and half a hundred
 * look-ups would delay the first paint of each.
 */
export function rowWordsIn(i18n: i18n, language: Language): RowWords {
  // New texts are a new object. Words of a language without texts are those of another one, until its own are there.
  const texts: unknown = i18n.getResourceBundle(language, 'form')
  const t = i18n.getFixedT(language, 'form')
  if (typeof texts !== 'object' || texts === null) return rowWords(t)
  const known = lookedUp.get(texts) ?? rowWords(t)
  lookedUp.set(texts, known)
  return known
}

const lookedUp = new WeakMap<object, RowWords>()

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
    range: {
      both: sentenceOfTwo((min, max) => t('range.both', { min, max })),
      min: sentence((min) => t('range.min', { min })),
      max: sentence((max) => t('range.max', { max })),
    },
    reference: {
      both: sentenceOfTwo((min, max) => t('reference.both', { min, max })),
      min: sentence((min) => t('reference.min', { min })),
      max: sentence((max) => t('reference.max', { max })),
    },
    groupMissing: t('missing.groupOpen'),
    groupMissingFor: sentence((title) => t('missing.groupFor', { title })),
    sectionDone: sentenceOfTwo((done, total) => t('sectionDone', { done, total })),
  }
}

/** Stand for what is put into a sentence while it is looked up; private-use characters, which no sentence contains. */
const GAP = '\uE000'
const OTHER_GAP = '\uE001'

function sentence(of: (word: string) => string): (word: string) => string {
  const [before = '', ...after] = of(GAP).split(GAP)
  return (word) => [before, ...after].join(word)
}

function sentenceOfTwo(of: (one: string, other: string) => string): (one: string, other: string) => string {
  const whole = of(GAP, OTHER_GAP)
  return (one, other) => whole.replaceAll(GAP, () => one).replaceAll(OTHER_GAP, () => other)
}
