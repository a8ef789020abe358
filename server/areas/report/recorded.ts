import type { Pool } from 'pg'
import type { AnswerTest } from '#core/dataset/conditions.ts'
import type { Report } from '#core/api/calls/data/report.ts'
import type { StudyPages } from '#core/dataset/source.ts'
import type { RecordedAnswers, RecordedField, RecordedForm, Traits } from '#core/report/recordedForms.ts'
import { loadStudy, loadVersions } from '#server/areas/dataset/study.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { Released } from '#server/areas/entry/versions/released.ts'
import { answerSql, rowsSql, testSql } from '#server/areas/search/answerSql.ts'
import type { Binder } from '#server/areas/search/answerSql.ts'

import type { Counting } from './counting.ts'

/** What sites write down on forms of their own, as reports count it: the forms, their masks, their rows as SQL. */

/** Studies whose forms are kept: the definitions of a large one are many megabytes, its forms a few lines. */
const MOST = 100

type IsSeen = (field: RecordedField) => boolean

export interface FormsSeen<Form> extends Pick<Report, 'untold' | 'sources'> {
  readonly forms: readonly Form[]
}

/**
 * Reads the forms that are recognised in a study's releases, as a reader sees them. They are recognised again after a
 * release only. A form whose term is masked tells the reader nothing at all.
 *
 * @param withoutMasked a form without its other fields that are masked
 */
export function formsReader<Form extends RecordedForm>(
  recognise: (study: StudyPages) => readonly Form[],
  withoutMasked: (form: Form, isSeen: IsSeen) => Form,
): (counting: Counting) => Promise<FormsSeen<Form>> {
  const kept = new WeakMap<Pool, Released<readonly Form[]>>()
  const readForms = async ({ pool, connection, member: { projectId } }: Counting): Promise<readonly Form[]> => {
    const released = kept.get(pool) ?? new Released<readonly Form[]>(MOST)
    kept.set(pool, released)
    const versions = await loadVersions(connection, projectId)
    const key = [projectId, ...versions.map(({ id }) => id)].join('/')
    const known = released.get(key)
    if (known !== undefined) return known
    const forms = recognise(await loadStudy(connection, projectId))
    released.keep(key, forms)
    return forms
  }
  return async (counting) => {
    const all = await readForms(counting)
    if (all.length === 0) return { forms: [], sources: [], untold: 'noForm' }
    const isSeen = await seenBy(counting, all)
    const forms = all.flatMap((form) => (isSeen(form.term) ? [withoutMasked(form, isSeen)] : []))
    const sources = forms.map(({ name, nameEn }) => ({ name, nameEn }))
    return { forms, sources, untold: forms.length === 0 ? 'masked' : null }
  }
}

async function seenBy({ connection, member }: Counting, forms: readonly RecordedForm[]): Promise<IsSeen> {
  if (member.sensitive) return () => true
  const pageIds = forms.map(({ pageId }) => pageId)
  const masks = await pageMasks(connection, member.projectId, pageIds)
  return ({ pageId, table, code }) => !isMasked(masks.get(pageId) ?? new Set(), table, code)
}

/** The traits that a reader can be told: none of which any field is masked. */
export function traitsSeen<Trait extends string>(traits: Traits<Trait>, isSeen: IsSeen): Traits<Trait> {
  const seen: Partial<Record<Trait, readonly RecordedAnswers[]>> = { ...traits }
  for (const trait in traits) if (traits[trait]?.every(({ field }) => isSeen(field)) !== true) delete seen[trait]
  return seen
}

/**
 * SQL: by subject how many records there are (`recorded`), and of how many of them each column holds. They are those of
 * the reader's pass; who sees both passes reads the first, as what was entered twice happened once.
 *
 * @param names the columns
 * @param columnsOf a condition for each of them
 */
export function recordsSql<Form extends RecordedForm>(
  forms: readonly Form[],
  names: readonly string[],
  columnsOf: (form: Form) => readonly string[],
  binder: Binder,
): string {
  const records = forms.map((form) => {
    const columns = columnsOf(form).map((condition, at) => `(${condition})::integer AS ${names[at] ?? ''}`)
    const { pageId, term } = form
    const rows = term.table === null ? '' : rowsSql(binder.bind(term.table, 'text'))
    return `
      SELECT e.patient_id, ${columns.join(', ')} FROM entry e ${rows}
      WHERE e.project_id = $1 AND e.page_id = ${binder.bind(pageId, 'uuid')} AND e.pass = coalesce($4::smallint, 1)
        AND NOT e.deleted AND e.status <> 'init' AND ${passesSql(term, { op: 'filled' }, binder)}`
  })
  const sums = names.map((name) => `sum(v.${name})::integer AS ${name}`)
  return `
    SELECT v.patient_id, count(*)::integer AS recorded, ${sums.join(', ')} FROM (${records.join(' UNION ALL ')}) v
    GROUP BY v.patient_id`
}

/** SQL: whether a record has any of the answers that make a trait. */
export function hasTraitSql(all: readonly RecordedAnswers[] = [], binder: Binder): string {
  if (all.length === 0) return 'false'
  return all.map(({ field, answers }) => passesSql(field, { op: 'oneOf', values: [...answers] }, binder)).join(' OR ')
}

/** SQL: whether an answer that rules do not hide passes. */
function passesSql(field: RecordedField, test: AnswerTest, binder: Binder): string {
  const answer = answerSql(field, binder)
  return `(NOT ${answer.hidden} AND ${testSql(answer, field.shape, test, binder)})`
}
