import type { Language } from '#core/language.ts'

import type { AnswerAt, AnswerTest, Condition, LeafCondition } from './conditions.ts'

/** Conditions as a sentence that a person reads, in both languages. */

/** Names of what conditions are about. What is not known any more keeps its code. */
export interface ConditionNames {
  /** A field with its page, as "生命体征 · 收缩压". */
  readonly field: (of: Extract<LeafCondition, { readonly kind: 'field' }>['field']) => string
  /** A value of a field: the label of a chosen code, a number with its unit. */
  readonly value: (
    of: Extract<LeafCondition, { readonly kind: 'field' }>['field'],
    value: string | number,
    isChange: boolean,
  ) => string
  readonly visit: (folderId: string) => string
  readonly center: (centerId: string) => string
}

const words = {
  zh: {
    all: '且',
    any: '或',
    not: (inner: string) => `不满足（${inner}）`,
    nothing: '全部受试者',
    list: '、',
    group: (inner: string) => `（${inner}）`,
    center: (names: string) => `研究中心为${names}`,
    sex: { F: '性别为女', M: '性别为男' },
    enrolled: (from: string | null, to: string | null) =>
      from === null && to === null
        ? '入组日期不限'
        : from === null
          ? `${to} 及以前入组`
          : to === null
            ? `${from} 及以后入组`
            : `${from} 至 ${to} 入组`,
    at: {
      any: (field: string) => `任一访视的「${field}」`,
      every: (field: string) => `每次访视的「${field}」都`,
      visit: (field: string, visit: string) => `${visit}的「${field}」`,
      first: (field: string) => `首次有值的「${field}」`,
      last: (field: string) => `末次有值的「${field}」`,
      change: (field: string, visit: string | null, baseline: string) =>
        `「${field}」在${visit ?? '任一访视'}较${baseline}的变化`,
    },
    eq: (value: string) => `等于 ${value}`,
    ne: (value: string) => `不等于 ${value}`,
    lt: (value: string) => `小于 ${value}`,
    le: (value: string) => `不大于 ${value}`,
    gt: (value: string) => `大于 ${value}`,
    ge: (value: string) => `不小于 ${value}`,
    between: (from: string, to: string) => `在 ${from} 至 ${to} 之间`,
    contains: (value: string) => `包含“${value}”`,
    oneOf: (values: string) => `为以下之一：${values}`,
    empty: () => '为空（未填，也未说明原因）',
    filled: () => '已填',
    missing: (reason: string | null) => (reason === null ? '缺失并已说明原因' : `缺失，原因为${reason}`),
    reasons: { ND: '未做', UNK: '未知', NA: '不适用' },
  },
  en: {
    all: ' and ',
    any: ' or ',
    not: (inner: string) => `not (${inner})`,
    nothing: 'all subjects',
    list: ', ',
    group: (inner: string) => `(${inner})`,
    center: (names: string) => `the center is ${names}`,
    sex: { F: 'the subject is female', M: 'the subject is male' },
    enrolled: (from: string | null, to: string | null) =>
      from === null && to === null
        ? 'enrolled at any time'
        : from === null
          ? `enrolled on or before ${to}`
          : to === null
            ? `enrolled on or after ${from}`
            : `enrolled from ${from} to ${to}`,
    at: {
      any: (field: string) => `“${field}” at any visit `,
      every: (field: string) => `“${field}” at every visit `,
      visit: (field: string, visit: string) => `“${field}” at ${visit} `,
      first: (field: string) => `the first value of “${field}” `,
      last: (field: string) => `the last value of “${field}” `,
      change: (field: string, visit: string | null, baseline: string) =>
        `the change of “${field}” from ${baseline} to ${visit ?? 'any other visit'} `,
    },
    eq: (value: string) => `is ${value}`,
    ne: (value: string) => `is not ${value}`,
    lt: (value: string) => `is less than ${value}`,
    le: (value: string) => `is at most ${value}`,
    gt: (value: string) => `is more than ${value}`,
    ge: (value: string) => `is at least ${value}`,
    between: (from: string, to: string) => `is between ${from} and ${to}`,
    contains: (value: string) => `contains “${value}”`,
    oneOf: (values: string) => `is one of ${values}`,
    empty: () => 'is empty (not filled, and no reason given)',
    filled: () => 'is filled',
    missing: (reason: string | null) =>
      reason === null ? 'is missing with a reason' : `is missing with the reason “${reason}”`,
    reasons: { ND: 'not done', UNK: 'unknown', NA: 'not applicable' },
  },
} as const satisfies Readonly<Record<Language, object>>

type Words = (typeof words)[Language]

/** The whole condition as one sentence without a full stop. */
export function sentenceOf(of: Condition, names: ConditionNames, language: Language): string {
  return new Sentence(words[language], names).write(of, true)
}

class Sentence {
  readonly #words: Words
  readonly #names: ConditionNames

  constructor(said: Words, names: ConditionNames) {
    this.#words = said
    this.#names = names
  }

  write(of: Condition, isOutermost = false): string {
    switch (of.kind) {
      case 'all':
      case 'any': {
        const parts = of.of.map((part) => this.write(part))
        if (parts.length === 0) return this.#words.nothing
        const joined = parts.join(of.kind === 'all' ? this.#words.all : this.#words.any)
        return isOutermost || parts.length === 1 ? joined : this.#words.group(joined)
      }
      case 'not':
        return this.#words.not(this.write(of.of, true))
      case 'center':
        return this.#words.center(of.centers.map(this.#names.center).join(this.#words.list))
      case 'sex':
        return this.#words.sex[of.sex]
      case 'enrolled':
        return this.#words.enrolled(of.from, of.to)
      case 'field': {
        const isChange = of.at.which === 'change'
        const said = writeTest(this.#words, of.test, (value) => this.#names.value(of.field, value, isChange))
        return `${this.#writeAt(of.at, this.#names.field(of.field))}${said}`
      }
    }
  }

  #writeAt(at: AnswerAt, field: string): string {
    const { at: said } = this.#words
    switch (at.which) {
      case 'any':
      case 'every':
      case 'first':
      case 'last':
        return said[at.which](field)
      case 'visit':
        return said.visit(field, this.#names.visit(at.folderId))
      case 'change': {
        const visit = at.folderId === null ? null : this.#names.visit(at.folderId)
        return said.change(field, visit, this.#names.visit(at.baseline))
      }
    }
  }
}

function writeTest(said: Words, test: AnswerTest, valueOf: (value: string | number) => string): string {
  switch (test.op) {
    case 'between':
      return said.between(valueOf(test.from), valueOf(test.to))
    case 'oneOf':
      return said.oneOf(test.values.map(valueOf).join(said.list))
    case 'contains':
      return said.contains(test.value)
    case 'empty':
    case 'filled':
      return said[test.op]()
    case 'missing':
      return said.missing(test.reason === null ? null : said.reasons[test.reason])
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return said[test.op](valueOf(test.value))
  }
}
