import type { Pool } from 'pg'
import type { AnswerTest } from '#core/dataset/conditions.ts'
import { eventTraits, recogniseEventForms } from '#core/report/eventForms.ts'
import type { EventAnswers, EventField, EventForm, EventTrait } from '#core/report/eventForms.ts'
import type { Report } from '#core/api/calls/data/report.ts'
import { loadStudy, loadVersions } from '#server/areas/dataset/study.ts'
import { isMasked } from '#server/areas/entry/reading/mask.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { Released } from '#server/areas/entry/versions/released.ts'
import { Binder, answerSql, isSaidSql, rowsSql, testSql } from '#server/areas/search/answerSql.ts'

import { parametersOf } from './counting.ts'
import type { Counting, Facts } from './counting.ts'
import { WHO } from './facts.ts'

/** Adverse events by subject, from the forms in which the study's releases are recognised to write them down. */

/** Studies whose forms are kept: the definitions of a large one are many megabytes, its forms of events a few lines. */
const MOST = 100

const kept = new WeakMap<Pool, Released<readonly EventForm[]>>()

/** The forms by all releases; they are read again after a release only. */
async function eventFormsOf({ pool, connection, member: { projectId } }: Counting): Promise<readonly EventForm[]> {
  const released = kept.get(pool) ?? new Released<readonly EventForm[]>(MOST)
  kept.set(pool, released)
  const versions = await loadVersions(connection, projectId)
  const key = [projectId, ...versions.map(({ id }) => id)].join('/')
  const known = released.get(key)
  if (known !== undefined) return known
  const forms = recogniseEventForms(await loadStudy(connection, projectId))
  released.keep(key, forms)
  return forms
}

interface FormsSeen extends Pick<Report, 'untold'> {
  readonly forms: readonly EventForm[]
}

/** The forms without the fields that are masked for the reader. One whose term is masked tells them nothing at all. */
export async function eventFormsSeen(counting: Counting): Promise<FormsSeen> {
  const { connection, member } = counting
  const all = await eventFormsOf(counting)
  if (all.length === 0) return { forms: [], untold: 'noForm' }
  if (member.sensitive) return { forms: all, untold: null }
  const pageIds = all.map(({ pageId }) => pageId)
  const masks = await pageMasks(connection, member.projectId, pageIds)
  const isSeen = ({ pageId, table, code }: EventField): boolean =>
    !isMasked(masks.get(pageId) ?? new Set(), table, code)
  const forms = all.flatMap((form) => (isSeen(form.term) ? [withoutMasked(form, isSeen)] : []))
  return { forms, untold: forms.length === 0 ? 'masked' : null }
}

function withoutMasked(form: EventForm, isSeen: (field: EventField) => boolean): EventForm {
  const traits = Object.entries(form.traits).filter(([, answers]) => answers.every(({ field }) => isSeen(field)))
  return {
    ...form,
    end: form.end === null || isSeen(form.end) ? form.end : null,
    traits: Object.fromEntries(traits),
  }
}

/** What is told of an event; a figure that no form tells is null, which is no zero. */
type Told = EventTrait | 'ongoing'
const TOLD: readonly Told[] = [...eventTraits, 'ongoing']

/**
 * Events of each subject who is counted, those without one too. They are those of the reader's pass; who sees both
 * passes reads the first, as an event that was entered twice is one.
 */
export function eventFacts(counting: Counting, forms: readonly EventForm[]): Facts {
  const binder = new Binder(parametersOf(counting))
  const told = new Set(TOLD.filter((what) => forms.some((form) => isTold(form, what))))
  const events = forms.map((form) => eventsSql(form, binder)).join(' UNION ALL ')
  const sums = TOLD.map((what) => `sum(v.${what})::integer AS ${what}`).join(', ')
  const figures = TOLD.map((what) => (told.has(what) ? `coalesce(s.${what}, 0)` : 'NULL::integer') + ` AS ${what}`)
  const text = `
    SELECT
      p.id, (p.no IS NOT NULL)::integer AS numbered, (s.events IS NOT NULL)::integer AS "withEvent",
      (p.no IS NOT NULL AND s.events IS NOT NULL)::integer AS "numberedWith", coalesce(s.events, 0) AS events, ${figures.join(', ')}
    FROM patient p LEFT JOIN (
      SELECT v.patient_id, count(*)::integer AS events, ${sums} FROM (${events}) v GROUP BY v.patient_id
    ) s ON s.patient_id = p.id
    WHERE ${WHO}`
  return { text, names: ['numbered', 'withEvent', 'numberedWith', 'events', ...TOLD], values: binder.values }
}

function isTold({ end, traits }: EventForm, what: Told): boolean {
  return what === 'ongoing' ? end !== null : traits[what] !== undefined
}

/** SQL: a line for each event of a form. */
function eventsSql(form: EventForm, binder: Binder): string {
  const { pageId, term, end, traits } = form
  const columns = [
    ...eventTraits.map((trait) => `(${hasTraitSql(traits[trait] ?? [], binder)})::integer AS ${trait}`),
    `(${end === null ? 'false' : isOngoingSql(end, binder)})::integer AS ongoing`,
  ]
  const rows = term.table === null ? '' : rowsSql(binder.bind(term.table, 'text'))
  return `
    SELECT e.patient_id, ${columns.join(', ')} FROM entry e ${rows}
    WHERE e.project_id = $1 AND e.page_id = ${binder.bind(pageId, 'uuid')} AND e.pass = coalesce($4::smallint, 1)
      AND NOT e.deleted AND e.status <> 'init' AND ${passesSql(term, { op: 'filled' }, binder)}`
}

function hasTraitSql(all: readonly EventAnswers[], binder: Binder): string {
  if (all.length === 0) return 'false'
  return all.map(({ field, answers }) => passesSql(field, { op: 'oneOf', values: [...answers] }, binder)).join(' OR ')
}

/** SQL: whether an answer that rules do not hide passes. */
function passesSql(field: EventField, test: AnswerTest, binder: Binder): string {
  const answer = answerSql(field, binder)
  return `(NOT ${answer.hidden} AND ${testSql(answer, field.shape, test, binder)})`
}

/** SQL: whether nobody has said when it ended, nor why that is not known. */
function isOngoingSql(end: EventField, binder: Binder): string {
  const answer = answerSql(end, binder)
  return `(${answer.hidden} OR NOT ${isSaidSql(answer)})`
}
