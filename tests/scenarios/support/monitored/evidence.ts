import type { AuditLine } from '#core/api/calls/sync.ts'
import type { VisitReport } from '#core/api/calls/review/check.ts'
import type { JsonValue } from '#core/json.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'

import { PAGES, pageId, placeOf, rowId } from './casebook.ts'
import type { Name, Team } from './people.ts'

/** What threads, trails and reports tell, in one line for each step: a person can compare them with the script. */

/** `zheng close closed`, `rule passes closed`, `wu answer answered late`. */
export function tellThread({ query }: Pick<QueryView, 'query'>): readonly string[] {
  return query.thread.map(({ byName, act, state, effect }) =>
    [nameOf(byName), act, state, ...(effect === 'applied' ? [] : [effect])].join(' '),
  )
}

/** Accounts of the world, of whom the real name is `account (测试)`. */
function nameOf(realName: string): string {
  return realName === '' ? 'rule' : realName.replace(' (测试)', '')
}

/** The trail of a patient as somebody reads it, the oldest first: `wu FU sbp item.update 120 → 121 (transcription)`. */
export async function tellTrail(team: Team, who: Name, patient: string): Promise<readonly string[]> {
  const { patientId } = placeOf(patient)
  const { records, total } = await team.ask(who, 'audit.list', {
    query: { projectId: team.projectId, patientId, current: 1, size: 500 },
  })
  if (total !== records.length) throw new Error(`${total} lines of the trail, and ${records.length} came`)
  return records.toSorted(inOrder).map(tellLine)
}

/** As it was booked. Marks that one save has changed are in no order. */
function inOrder(one: AuditLine, other: AuditLine): number {
  if (one.seq !== other.seq) return one.seq - other.seq
  if (one.action !== 'review.changed' || other.action !== one.action) return one.ord - other.ord
  return tellLine(one) < tellLine(other) ? -1 : 1
}

function tellLine(line: AuditLine): string {
  const { userName, action, place, rid, prop, oldValue, newValue, reasonCode } = line
  const page = PAGES.find((code) => pageId(code) === place?.pageId)
  const row = rid === null ? null : rid.startsWith(FIRST_ROW) ? '1' : '2'
  const about = [page, row, prop].filter((part) => part !== null && part !== undefined)
  const isQuiet = action.startsWith('patient.') || (oldValue === null && newValue === null)
  const values = isQuiet ? [] : [`${tellValue(oldValue)} → ${tellValue(newValue)}`]
  return [nameOf(userName), ...about, action, ...values, ...(reasonCode === null ? [] : [`(${reasonCode})`])].join(' ')
}

/** The beginning of the ids of first rows. */
const FIRST_ROW = rowId('N', 0, 1).slice(0, 23)

/** What is told of the value of a line, in this order. */
const PARTS = ['rule', 'track', 'state', 'effect', 'category', 'method', 'text', 'note', 'content', 'value', 'deleted']

function tellValue(value: JsonValue): string {
  if (value === null) return '–'
  if (typeof value !== 'object' || Array.isArray(value)) return String(value)
  const parts = Object.entries(value)
    .filter(([part, of]) => PARTS.includes(part) && of !== null && of !== 'applied')
    .toSorted(([one], [other]) => PARTS.indexOf(one) - PARTS.indexOf(other))
  return parts.length === 0 ? '–' : parts.map(([, of]) => tellValue(of as JsonValue)).join(' ')
}

/** `N01-004 VS sdv: 1 verified, 1 withdrawn`. */
export function tellPages({ pages }: VisitReport): readonly string[] {
  return pages.map(({ patientNo, pageName, track, verified, withdrawn, exempt, changed }) => {
    const counts = Object.entries({ verified, withdrawn, exempt, changed })
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`)
    return `${patientNo} ${pageName} ${track}: ${counts.join(', ')}`
  })
}
