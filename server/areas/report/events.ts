import { eventTraits, recogniseEventForms } from '#core/report/eventForms.ts'
import type { EventForm, EventTrait } from '#core/report/eventForms.ts'
import type { RecordedField } from '#core/report/recordedForms.ts'
import { Binder, answerSql, isSaidSql } from '#server/areas/search/answerSql.ts'

import { parametersOf } from './counting.ts'
import type { Counting, Facts } from './counting.ts'
import { WHO } from './facts.ts'
import { formsReader, hasTraitSql, recordsSql, traitsSeen } from './recorded.ts'
import type { FormsSeen } from './recorded.ts'

/** Adverse events by subject, from the forms in which the study's releases are recognised to write them down. */

/** The forms as the reader sees them. */
export const eventFormsSeen: (counting: Counting) => Promise<FormsSeen<EventForm>> = formsReader<EventForm>(
  recogniseEventForms,
  (form, isSeen) => ({
    ...form,
    end: form.end === null || isSeen(form.end) ? form.end : null,
    traits: traitsSeen(form.traits, isSeen),
  }),
)

/** What is told of an event; a figure that no form tells is null, which is no zero. */
type Told = EventTrait | 'ongoing'
const TOLD: readonly Told[] = [...eventTraits, 'ongoing']

/** Events of each subject who is counted, those without one too. */
export function eventFacts(counting: Counting, forms: readonly EventForm[]): Facts {
  const binder = new Binder(parametersOf(counting))
  const told = new Set(TOLD.filter((what) => forms.some((form) => isTold(form, what))))
  const figures = TOLD.map((what) => (told.has(what) ? `coalesce(s.${what}, 0)` : 'NULL::integer') + ` AS ${what}`)
  const events = recordsSql(forms, TOLD, (form) => TOLD.map((what) => toldSql(form, what, binder)), binder)
  const text = `
    SELECT
      p.id, (p.no IS NOT NULL)::integer AS numbered, (s.recorded IS NOT NULL)::integer AS "withEvent",
      (p.no IS NOT NULL AND s.recorded IS NOT NULL)::integer AS "numberedWith", coalesce(s.recorded, 0) AS events, ${figures.join(', ')}
    FROM patient p LEFT JOIN (${events}) s ON s.patient_id = p.id
    WHERE ${WHO}`
  return { text, names: ['numbered', 'withEvent', 'numberedWith', 'events', ...TOLD], values: binder.values }
}

function isTold({ end, traits }: EventForm, what: Told): boolean {
  return what === 'ongoing' ? end !== null : traits[what] !== undefined
}

function toldSql({ end, traits }: EventForm, what: Told, binder: Binder): string {
  if (what !== 'ongoing') return hasTraitSql(traits[what], binder)
  return end === null ? 'false' : isOngoingSql(end, binder)
}

/** SQL: whether nobody has said when it ended, nor why that is not known. */
function isOngoingSql(end: RecordedField, binder: Binder): string {
  const answer = answerSql(end, binder)
  return `(${answer.hidden} OR NOT ${isSaidSql(answer)})`
}
