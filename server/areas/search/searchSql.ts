import type { AnswerAt, AnswerTest, Condition, LeafCondition } from '#core/dataset/conditions.ts'

import { ROW_ORDER, answerSql, changeSql, isSaidSql, rowsSql, testSql } from './answerSql.ts'
import type { AnswerSql, Binder, KnownField } from './answerSql.ts'
import type { FieldsKnown } from './searchFields.ts'

/**
 * Conditions as SQL over a subject `p` that the reader may see. The caller limits `p` to the reader's project, centers
 * and data scope, and has looked the fields up (`knowFields`), which refuses those that the reader may not see.
 */

export interface SearchOptions {
  /** Of the reader's project, as a parameter. */
  readonly project: string
  /** The entry pass whose answers are judged. */
  readonly pass: 1 | 2
  readonly fields: FieldsKnown
}

/** SQL: whether a subject `p` meets a condition. */
export function searchSql(of: Condition, options: SearchOptions, binder: Binder): string {
  return new Writer(options, binder).write(of)
}

interface Asked {
  readonly field: KnownField
  readonly at: AnswerAt
  readonly test: AnswerTest
}

class Writer {
  readonly #options: SearchOptions
  readonly #binder: Binder

  constructor(options: SearchOptions, binder: Binder) {
    this.#options = options
    this.#binder = binder
  }

  write(of: Condition): string {
    switch (of.kind) {
      case 'all':
        return of.of.length === 0 ? 'true' : `(${of.of.map((part) => this.write(part)).join(' AND ')})`
      case 'any':
        return of.of.length === 0 ? 'true' : `(${of.of.map((part) => this.write(part)).join(' OR ')})`
      case 'not':
        return `(NOT ${this.write(of.of)})`
      case 'center':
        return `(p.center_id = ANY (${this.#binder.bind(of.centers, 'uuid[]')}))`
      case 'sex':
        return `(p.sex IS NOT DISTINCT FROM ${this.#binder.bind(of.sex, 'text')})`
      case 'enrolled':
        return this.#enrolled(of)
      case 'field':
        return `(p.id IN (${this.#subjects({ ...of, field: this.#options.fields.of(of.field) })}))`
    }
  }

  #enrolled({ from, to }: Extract<LeafCondition, { readonly kind: 'enrolled' }>): string {
    const [first, last] = [this.#binder.bind(from, 'date'), this.#binder.bind(to, 'date')]
    return `(p.enrolled_on IS NOT NULL AND (${first} IS NULL OR p.enrolled_on >= ${first}) AND (${last} IS NULL OR p.enrolled_on <= ${last}))`
  }

  /** SQL: ids of the subjects whose answers pass. */
  #subjects({ field, at, test }: Asked): string {
    const binder = this.#binder
    const answer = answerSql(field, binder)
    const passes = () => testSql(answer, field.shape, test, binder)
    switch (at.which) {
      case 'any':
        return `SELECT e.patient_id ${this.#answers(field, answer)} AND ${passes()}`
      case 'visit':
        return `SELECT e.patient_id ${this.#answers(field, answer)} AND e.folder_id = ${binder.bind(at.folderId, 'uuid')} AND ${passes()}`
      case 'every':
        return `SELECT e.patient_id ${this.#answers(field, answer)} GROUP BY e.patient_id HAVING bool_and(${passes()})`
      case 'first':
      case 'last':
        return this.#atEnd(field, answer, at.which, test)
      case 'change':
        return this.#changed(field, answer, at, test)
    }
  }

  /** SQL: the answers of a field, in entries `e` that are there, where rules do not hide it. */
  #answers(field: KnownField, answer: AnswerSql): string {
    const rows = field.table === null ? '' : rowsSql(this.#binder.bind(field.table, 'text'))
    return `FROM entry e ${rows} WHERE ${this.#entries(field)} AND NOT ${answer.hidden}`
  }

  #entries({ pageId }: KnownField): string {
    return `e.project_id = ${this.#options.project} AND e.page_id = ${this.#binder.bind(pageId, 'uuid')} AND e.pass = ${this.#binder.bind(this.#options.pass, 'smallint')}
      AND NOT e.deleted AND e.status <> 'init'`
  }

  /** SQL: the subjects whose first or last answer that says anything passes. */
  #atEnd(field: KnownField, answer: AnswerSql, which: 'first' | 'last', test: AnswerTest): string {
    const down = which === 'last' ? ' DESC' : ''
    const order = [...ENTRY_ORDER, ...(field.table === null ? [] : ROW_ORDER)].map((one) => `${one}${down}`)
    const rows = field.table === null ? '' : rowsSql(this.#binder.bind(field.table, 'text'))
    const found: AnswerSql = { value: 'found.value', raw: 'found.value', missing: 'found.missing', hidden: 'false' }
    return `SELECT found.patient_id FROM (
      SELECT DISTINCT ON (e.patient_id) e.patient_id, ${answer.value} AS value, ${answer.missing} AS missing
      FROM entry e LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id ${rows}
      WHERE ${this.#entries(field)} AND NOT ${answer.hidden} AND ${isSaidSql(answer)}
      ORDER BY e.patient_id, ${order.join(', ')}
    ) found WHERE ${testSql(found, field.shape, test, this.#binder)}`
  }

  /** SQL: the subjects in whom something changed from a visit to another as is asked. */
  #changed(
    field: KnownField,
    answer: AnswerSql,
    { folderId, baseline }: Extract<AnswerAt, { readonly which: 'change' }>,
    test: AnswerTest,
  ): string {
    const first = this.#binder.bind(baseline, 'uuid')
    const at = folderId === null ? `e.folder_id <> ${first}` : `e.folder_id = ${this.#binder.bind(folderId, 'uuid')}`
    const values = `SELECT e.patient_id, ${answer.value} AS value ${this.#answers(field, answer)}`
    const change = changeSql(valueOf('before'), valueOf('after'), field.shape, test, this.#binder)
    return `SELECT after.patient_id FROM (${values} AND ${at}) after JOIN (${values} AND e.folder_id = ${first}) before
      ON before.patient_id = after.patient_id WHERE ${change}`
  }
}

function valueOf(of: string): AnswerSql {
  return { value: `${of}.value`, raw: `${of}.value`, missing: 'NULL', hidden: 'false' }
}

/** A place that comes after all others, for what a version does not know. */
const LAST = 2_147_483_647

/** The order of the entries of a subject in the casebook; a repeat has an id that rises with time. */
export const ENTRY_ORDER = [
  `coalesce(f.sort, ${LAST})`,
  'e.folder_repeat COLLATE "C"',
  'e.page_repeat COLLATE "C"',
  'e.id',
]
