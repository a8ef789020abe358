import { comparedVisit } from './casebookFates.ts'
import { contentText, isPoison, textOf } from './evidence.ts'
import type { Evidence } from './evidence.ts'
import { Random } from './random.ts'
import type { Ward } from './run.ts'
import type { LeftOperation, Remains } from './remains.ts'
import type { WardTablet } from './wards.ts'

/** How many pages are opened at each tablet in the end. */
const PAGES_LOOKED_AT = 4

/** What the tablets hold and show, once all is said and sent. */

/** Every tablet that keeps the center holds what the server holds, and shows it. */
export async function diverged(ward: Ward, evidence: Evidence): Promise<readonly string[]> {
  const found: string[] = []
  for (const [tablet, remains] of evidence.remains) found.push(...(await divergedOn(tablet, remains, ward, evidence)))
  return found
}

async function divergedOn(
  tablet: WardTablet,
  remains: Remains,
  { study, server, history }: Ward,
  evidence: Evidence,
): Promise<readonly string[]> {
  if (remains.keepsCenter === null) return [`(d) nobody could sign in at ${tablet.name}`]
  if (!remains.keepsCenter) return [`(d) ${tablet.name} does not keep the center any more`]
  // Whoever is at work in the end has the first pass: of the second nothing is there for them.
  const ofPass = new Set([...evidence.entries.values()].flatMap(({ id, pass }) => (pass === 1 ? [id] : [])))
  const open = Map.groupBy(
    evidence.conflicts.filter(({ state }) => state === 'open'),
    ({ entryId }) => entryId,
  )
  const { entries, patients, conflicts, visits } = remains
  // What still waits for one page of a patient shows on those that read it.
  const busy = new Set(
    remains.waiting.flatMap(({ row }) => (history.crosses ? [row.entityId, row.patientId] : [row.entityId])),
  )
  const found = [
    ...differences(
      'entry',
      [...evidence.entries.values()]
        .filter(({ id }) => ofPass.has(id))
        .map((entry) => [
          entry.id,
          textOf([
            entry.values,
            entry.missing,
            entry.rev,
            entry.status,
            entry.deleted,
            open.get(entry.id)?.length ?? 0,
          ]),
        ]),
      entries.map((row) => [
        row.id,
        textOf([row.values, row.missing, row.rev, row.status, row.deleted, row.conflicts]),
      ]),
    ),
    ...differences(
      'patient',
      [...evidence.patients.values()].map(({ id, no, initials, sex, name, mobile, rev, deleted }) => [
        id,
        textOf([no, initials, sex, name, mobile, rev, deleted]),
      ]),
      patients.map(({ id, no, initials, sex, identity, rev, deleted }) => [
        id,
        textOf([no, initials, sex, identity?.name ?? null, identity?.mobile ?? null, rev, deleted]),
      ]),
    ),
    ...differences(
      'visit',
      evidence.visits.map((visit) => [visit.id, comparedVisit(visit)]),
      visits.map((visit) => [visit.id, comparedVisit(visit)]),
    ),
    ...differences(
      'conflict',
      evidence.conflicts
        .filter(({ entryId }) => ofPass.has(entryId))
        .map(({ id, state, server: stands, mine }) => [id, textOf([state, contentText(stands), contentText(mine)])]),
      conflicts.map(({ id, state, server: stands, mine }) => [
        id,
        textOf([state, contentText(stands), contentText(mine)]),
      ]),
    ),
  ]
  const all = await server.rows<{ id: string; patientId: string; pageId: string; repeat: string }>(
    `SELECT id, patient_id AS "patientId", page_id AS "pageId", page_repeat AS repeat FROM entry WHERE project_id = $1 AND NOT deleted AND pass = 1`,
    [study.projectId],
  )
  // Showing a page is slow next to all else here: some of them, others with each seed.
  const targets = new Random(history.seed).several(
    all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    PAGES_LOOKED_AT,
  )
  for (const { id, patientId, pageId, repeat } of targets) {
    if (busy.has(id) || busy.has(patientId) || (history.crosses && study.everClosed.has(id))) continue
    const page = pageId === study.vitalsId ? 'vitals' : pageId === study.eventId ? 'event' : 'therapy'
    const seen = await tablet.shown({ patientId, page, repeat })
    const stored = evidence.entries.get(id)
    if (seen === null || stored === undefined) found.push(`cannot show entry ${id}`)
    else if (textOf([seen.values, seen.missing]) !== textOf([stored.values, stored.missing]))
      found.push(`shows another entry ${id} than the server holds`)
  }
  return found.map((what) => `(d) ${tablet.name}: ${what}`)
}

export function differences(
  kind: string,
  server: readonly (readonly [string, string])[],
  tablet: readonly (readonly [string, string])[],
): readonly string[] {
  const [there, here] = [new Map(server), new Map(tablet)]
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((id) =>
    there.get(id) === here.get(id)
      ? []
      : [`${kind} ${id}\n  server ${there.get(id) ?? 'none'}\n  tablet ${here.get(id) ?? 'none'}`],
  )
}

/**
 * Whatever is still on a tablet was refused, and the tablet says so; nothing waits for ever, and nothing is sealed for
 * nobody.
 */
export function unexplained({ log, restored }: Ward, evidence: Evidence): readonly string[] {
  const { remains } = evidence
  // One whose page died before it was safe is named by nothing.
  const taken = new Set(log.all.flatMap((one) => (one.kind === 'photo' ? [one.fileId] : [])))
  const found: string[] = []
  for (const { waiting, attention, held, bundles, files } of remains.values()) {
    const named = new Set(waiting.flatMap(({ op }) => (op === null ? [] : [JSON.stringify(op.body)])))
    const lonely = files.filter(({ id, state }) => state === 'unsent' && ![...named].some((body) => body.includes(id)))
    found.push(
      ...lonely
        .filter(({ id }) => taken.has(id))
        .map(({ id, problem }) => `a photograph waits for ever: ${id} ${problem ?? ''}`),
    )
    const listed = new Set(attention.flatMap(({ opKey }) => opKey ?? []))
    const poisoned = new Set(waiting.flatMap(({ row, op }) => (isPoison(op?.body) ? [row.entityId] : [])))
    for (const { row, op } of waiting) {
      const label = `${row.call} ${row.key} (${row.state}, ${row.error?.code ?? 'no error'})`
      if (op === null) found.push(`${label} can be opened by nobody`)
      // A person has set aside what was refused, but for what a newer save said again: only what no server takes, and
      // what was built on it.
      if (row.state === 'aside' && row.supersededBy === null && !poisoned.has(row.entityId))
        found.push(`${label} was set aside`)
      if (row.state === 'aside') continue
      if (row.state !== 'rejected' && restored && buildsOnGone(op, waiting, evidence)) continue
      if (row.state !== 'rejected') found.push(`${label} waits for ever`)
      else if (!listed.has(row.key)) found.push(`${label} is listed nowhere`)
      else if (
        !isPoison(op?.body) &&
        !removesWhatWaits(row, evidence) &&
        !(restored && answersWhatIsGone(row, evidence))
      )
        found.push(`${label} was refused: ${JSON.stringify(row.error)} ${JSON.stringify(op?.body)}`)
    }
    const shown = new Set(attention.map(({ id }) => id))
    found.push(...held.filter((key) => !shown.has(key)).map((key) => `what the server holds is listed nowhere: ${key}`))
    found.push(...bundles.map((bundle) => `typing was never saved: ${JSON.stringify(bundle)}`))
  }
  return found.map((what) => `(e) ${what}`)
}

/**
 * A page that a restored server has forgotten, and that waits for a decision since its author's right ended: there is
 * nothing to remove, and whoever removes it is told.
 */
function removesWhatWaits({ call, error, entityId }: LeftOperation['row'], evidence: Evidence): boolean {
  return (
    call === 'entry.delete' &&
    error?.code === 'not_found' &&
    !evidence.entries.has(entityId) &&
    evidence.operations.some((one) => one.entityId === entityId && one.outcome === 'inbox')
  )
}

/** What was asked online after the backup, a restored server has forgotten: whoever answered it is told. */
function answersWhatIsGone({ call, error, entityId }: LeftOperation['row'], { queries }: Evidence): boolean {
  return call === 'query.act' && error?.code === 'not_found' && !queries.has(entityId)
}

/** What builds on such an answer goes once its author has set that one aside. */
function buildsOnGone(op: LeftOperation['op'], waiting: readonly LeftOperation[], evidence: Evidence): boolean {
  return waiting.some(
    ({ row }) => op?.after.includes(row.key) === true && row.state === 'rejected' && answersWhatIsGone(row, evidence),
  )
}

/** A subject number that was shown is that of its patient, for good, and nobody else's. */
export function renumbered({ log }: Ward, { patients }: Evidence): readonly string[] {
  const found: string[] = []
  for (const [patientId, numbers] of log.shown) {
    const stored = patients.get(patientId)
    const all = new Set([...numbers, ...((stored?.no ?? null) === null ? [] : [stored?.no ?? ''])])
    if (all.size > 1) found.push(`(f) patient ${patientId} was shown under ${[...all].join(' and ')}`)
  }
  const owners = Map.groupBy(
    [...log.shown].flatMap(([patientId, numbers]) => [...numbers].map((no) => ({ no, patientId }))),
    ({ no }) => no,
  )
  for (const [no, all] of owners) if (all.length > 1) found.push(`(f) ${no} was shown for ${all.length} patients`)
  return found
}
