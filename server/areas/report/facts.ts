import type { ReportKind } from '#core/report/kinds.ts'
import { LATE_DAYS, RECENT_DAYS } from '#core/report/kinds.ts'
import { STUDY_TIME_ZONE } from '#server/access.ts'
import { PATIENT_VISIBLE } from '#server/areas/patient/store.ts'

/**
 * What reports count of each subject, as SQL. One statement gives the figures of a report and the subjects behind them,
 * so that they cannot differ. Parameters: `PATIENT_VISIBLE` ($1 to $3), pass ($4, null for both), first and last day of
 * the period ($5, $6, null without), today ($7).
 */

/** Reports that are counted by one statement for all studies, by subject. */
export type CountedKind = Exclude<
  ReportKind,
  'visits' | 'activity' | 'risk' | 'adverseEvents' | 'deviations' | 'devices' | 'flow'
>

/** SQL: whether a subject `p` is counted. */
export const WHO = `${PATIENT_VISIBLE} AND NOT p.deleted`
const OF_PASS = '($4::smallint IS NULL OR e.pass = $4)'

/** SQL: whether an instant is within the period, by the study's clock. */
export function inPeriod(instant: string): string {
  const dayOf = `(${instant} AT TIME ZONE '${STUDY_TIME_ZONE}')::date`
  return `(${instant} IS NOT NULL AND ($5::date IS NULL OR ${dayOf} >= $5) AND ($6::date IS NULL OR ${dayOf} <= $6))`
}

/** SQL: days from a day to an instant, by the study's clock; never below zero. */
export function daysBetween(from: string, to: string): string {
  return `greatest(0, extract(epoch FROM ${to} - ${from}) / 86400.0)`
}

const VISIT_DAY = `(v.actual_date::timestamp AT TIME ZONE '${STUDY_TIME_ZONE}')`

/** Submitted pages in the period, with the day of their visit where somebody has said it. */
export const SUBMITTED_PAGES = `
  SELECT
    e.id, e.patient_id, p.center_id, e.created_at, e.submitted_at, ${VISIT_DAY} AS visited_at,
    v.actual_date IS NOT NULL AS dated, e.created_at > ${VISIT_DAY} + interval '${LATE_DAYS + 1} days' AS late
  FROM entry e JOIN patient p ON p.id = e.patient_id
  LEFT JOIN visit v ON v.patient_id = e.patient_id AND v.folder_id = e.folder_id AND v.folder_repeat = e.folder_repeat AND NOT v.removed
  WHERE ${WHO} AND NOT e.deleted AND e.status = 'other' AND ${OF_PASS} AND ${inPeriod('e.submitted_at')}`

/** Each selects `id` of the subject and its figures. */
export const FACTS: Readonly<Record<CountedKind, string>> = {
  enrolment: `
    SELECT
      p.id, 1 AS subjects, (p.no IS NOT NULL)::integer AS numbered,
      (p.enrolled_on IS NOT NULL AND p.enrolled_on > $7::date - ${RECENT_DAYS} AND p.enrolled_on <= $7::date)::integer AS recent
    FROM patient p WHERE ${WHO}`,
  completeness: `
    SELECT
      p.id, count(*)::integer AS begun, count(*) FILTER (WHERE e.status = 'other')::integer AS submitted,
      count(*) FILTER (WHERE e.status = 'process')::integer AS waiting,
      coalesce(sum((e.progress ->> 'missing')::integer), 0)::integer AS missing,
      coalesce(sum((e.progress ->> 'total')::integer), 0)::integer AS fields,
      coalesce(sum((e.progress ->> 'answered')::integer), 0)::integer AS answered,
      coalesce(sum((SELECT count(*) FROM conflict c WHERE c.entry_id = e.id AND c.state = 'open')), 0)::integer AS conflicts
    FROM entry e JOIN patient p ON p.id = e.patient_id
    WHERE ${WHO} AND NOT e.deleted AND e.status <> 'init' AND ${OF_PASS} GROUP BY p.id`,
  queries: `
    SELECT
      p.id, count(*)::integer AS asked, count(*) FILTER (WHERE q.state = 'open')::integer AS open,
      count(*) FILTER (WHERE q.state = 'answered')::integer AS "answeredOpen",
      count(*) FILTER (WHERE q.state = 'open' AND q.state_at < now() - interval '7 days')::integer AS week,
      count(*) FILTER (WHERE q.state = 'open' AND q.state_at < now() - interval '30 days')::integer AS month,
      count(*) FILTER (WHERE q.state = 'closed')::integer AS closed
    FROM query q JOIN patient p ON p.id = q.patient_id
    WHERE ${WHO} AND q.state IN ('open', 'answered', 'closed') AND (q.pass IS NULL OR $4::smallint IS NULL OR q.pass = $4)
      AND ${inPeriod('q.asked_at')} GROUP BY p.id`,
  verification: `
    SELECT
      p.id, ${['sdv', 'dmr']
        .flatMap((track) =>
          ['due', 'done', 'changed'].map(
            (what) =>
              `coalesce(sum(c.${what}) FILTER (WHERE c.track = '${track}' AND c.ready), 0)::integer AS "${track}${what[0]?.toUpperCase() ?? ''}${what.slice(1)}"`,
          ),
        )
        .join(', ')}
    FROM review_count c JOIN patient p ON p.id = c.patient_id
    WHERE ${WHO} AND c.project_id = $1 AND coalesce($4::smallint, 1) = 1 GROUP BY p.id`,
  doubleEntry: `
    SELECT
      p.id, 1 AS second, (coalesce(d.state, 'open') = 'open')::integer AS unmerged, (coalesce(d.state, 'open') = 'merged')::integer AS merged
    FROM patient p LEFT JOIN double_entry d ON d.patient_id = p.id
    WHERE ${WHO} AND coalesce(d.state, 'open') <> 'destroyed' AND ($4::smallint IS NULL)
      AND (d.state IS NOT NULL OR EXISTS (SELECT FROM entry e WHERE e.patient_id = p.id AND e.pass = 2 AND NOT e.deleted))`,
  timeliness: `
    SELECT
      s.patient_id AS id, count(*)::integer AS pages, count(*) FILTER (WHERE s.dated)::integer AS dated,
      count(*) FILTER (WHERE s.dated AND s.late)::integer AS late,
      count(*) FILTER (WHERE s.dated AND NOT s.late)::integer AS "onTime"
    FROM (${SUBMITTED_PAGES}) s GROUP BY s.patient_id`,
}

/** The names of the figures of each statement, in its own order. */
export const FIGURES: Readonly<Record<CountedKind, readonly string[]>> = {
  enrolment: ['subjects', 'numbered', 'recent'],
  completeness: ['begun', 'submitted', 'waiting', 'missing', 'fields', 'answered', 'conflicts'],
  queries: ['asked', 'open', 'answeredOpen', 'week', 'month', 'closed'],
  verification: ['sdvDue', 'sdvDone', 'sdvChanged', 'dmrDue', 'dmrDone', 'dmrChanged'],
  doubleEntry: ['second', 'unmerged', 'merged'],
  timeliness: ['pages', 'dated', 'late', 'onTime'],
}
