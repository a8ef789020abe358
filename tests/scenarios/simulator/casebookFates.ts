import { findReference } from '#core/files/reference.ts'
import type { JsonValue } from '#core/json.ts'
import { textOf } from './evidence.ts'
import type { Evidence, StoredVisit } from './evidence.ts'
import type { Ward } from './run.ts'
import type { Said, SaidPhoto, SaidVisit } from './said.ts'

/** What became of photographs and of what was said of visits. */

/**
 * Each photograph is named where it was taken, and its content is at the server, once and as it was; or both wait
 * together.
 */
export async function photographs({ log, study }: Ward, evidence: Evidence): Promise<readonly string[]> {
  const found: string[] = []
  for (const one of log.all.filter(isPhoto)) {
    const stored = evidence.files.get(one.fileId)
    const booked = evidence.audit.filter(
      ({ action, new: to }) => action === 'attachment.store' && memberOf(to, 'id') === one.fileId,
    ).length
    if (isNamed(one, evidence)) {
      if (stored?.state !== 'stored')
        found.push(told(one, `a photograph did not come: ${stored?.state ?? 'nothing of it'}`))
      else if (booked !== 1) found.push(told(one, `a photograph was booked ${booked} times`))
      else if (stored.hash !== one.hash || (await study.contentHash(one.fileId)) !== one.hash)
        found.push(told(one, 'a photograph is another than was taken'))
    } else if (!waits(one, evidence)) found.push(told(one, 'a photograph is named nowhere'))
  }
  // Nothing is at the server that nobody took.
  const taken = new Set([...log.all, ...log.perhaps].filter(isPhoto).map(({ fileId }) => fileId))
  return [
    ...found,
    ...[...evidence.files.keys()].flatMap((id) => (taken.has(id) ? [] : [`(b) a photograph that nobody took: ${id}`])),
  ]
}

function isPhoto(one: Said): one is SaidPhoto {
  return one.kind === 'photo'
}

/** By an operation that the server has, whatever became of that. */
function isNamed({ entryId, fileId }: SaidPhoto, { operations }: Evidence): boolean {
  return operations.some(
    (operation) => operation.entityId === entryId && findReference(operation.body, fileId) !== null,
  )
}

/** On a tablet, with what names it: in what waits there, or in typing that nobody has taken up. */
function waits({ fileId }: SaidPhoto, { waiting, drafts, remains }: Evidence): boolean {
  const named =
    waiting.some(({ op }) => op !== null && findReference(op.body, fileId) !== null) ||
    drafts.some(({ to }) => findReference(to.value, fileId) !== null)
  return named && [...remains.values()].some(({ files }) => files.some(({ id }) => id === fileId))
}

/** What was said of a visit stands in it, or in the trail beside what stands, or waits for a decision. */
export function visitsLost({ log }: Ward, evidence: Evidence): readonly string[] {
  const landed = landedOf(evidence)
  return log.all
    .filter(isVisit)
    .flatMap((one) => [
      ...(one.made && !landed.has(`${one.visitId} made`) ? [told(one, 'a visit that was made is nowhere')] : []),
      ...Object.entries(one.fields).flatMap(([field, to]) =>
        landed.has(`${one.visitId} ${field} ${textOf(to)}`)
          ? []
          : [told(one, `what was said of a visit is nowhere: ${field}`)],
      ),
    ])
}

function isVisit(one: Said): one is SaidVisit {
  return one.kind === 'visit'
}

function landedOf({ visits, audit, operations, waiting }: Evidence): ReadonlySet<string> {
  const landed = new Set<string>()
  const put = (id: string, field: string, to: unknown): unknown => landed.add(`${id} ${field} ${textOf(to)}`)
  for (const visit of visits) {
    landed.add(`${visit.id} made`)
    for (const field of FIELDS) put(visit.id, field, visit[field])
    put(visit.id, 'removed', visit.removed ? 'true' : null)
  }
  for (const { action, rid, prop, new: to } of audit) {
    if (rid === null || !action.startsWith('visit.')) continue
    if (action === 'visit.make') landed.add(`${rid} made`)
    if (prop !== null) put(rid, prop, to)
  }
  const notApplied = [
    ...operations.filter(({ outcome }) => outcome === 'inbox' || outcome === 'held'),
    ...waiting.flatMap(({ op }) => (op === null ? [] : [op])),
  ]
  for (const { call, entityId, body } of notApplied) {
    if (call === 'visit.save') landed.add(`${entityId} made`)
    if (call === 'visit.remove') put(entityId, 'removed', 'true')
    const fields = memberOf(body, 'fields')
    for (const field of Array.isArray(fields) ? (fields as readonly JsonValue[]) : [])
      put(entityId, memberOf(field, 'field') as string, memberOf(field, 'to'))
  }
  return landed
}

const FIELDS = ['actualDate', 'outcome', 'outcomeReason'] as const

/** The trail alone tells each visit as it stands, step by step, and made once. */
export function visitsUnaudited({ visits, audit }: Evidence): readonly string[] {
  const found: string[] = []
  const told = new Map<string, Record<string, JsonValue>>()
  for (const { action, rid, prop, old, new: to } of audit) {
    if (rid === null || !/^visit\.(make|update|remove|restore)$/.test(action)) continue
    const visit = told.get(rid)
    if (action === 'visit.make') {
      if (visit !== undefined) found.push(`(b) visit ${rid} was made twice`)
      told.set(rid, {})
      continue
    }
    const was = action === 'visit.remove' || action === 'visit.restore' ? old : (visit?.[prop ?? ''] ?? null)
    if (visit === undefined || textOf(was) !== textOf(old))
      found.push(
        `(c) the trail of visit ${rid} jumps: ${action} ${prop ?? ''} from ${textOf(old)}, where ${textOf(was)} was`,
      )
    else visit[prop ?? ''] = to
  }
  return [
    ...found,
    ...visits.flatMap((visit) =>
      visitText(told.get(visit.id) ?? {}) === visitText(visit)
        ? []
        : [
            `(c) the trail and the data differ in visit ${visit.id}: ${visitText(told.get(visit.id) ?? {})} and ${visitText(visit)}`,
          ],
    ),
  ]
}

function visitText(visit: Partial<StoredVisit> | Readonly<Record<string, JsonValue>>): string {
  return textOf([...FIELDS.map((field) => visit[field] ?? null), visit.removed === true || visit.removed === 'true'])
}

/** A visit in the words in which server and tablets are compared. */
export function comparedVisit(
  visit: Pick<StoredVisit, 'actualDate' | 'outcome' | 'outcomeReason' | 'removed'>,
): string {
  return visitText(visit)
}

/** The fields of the vital signs that are looked at one by one; both passes may hold any of them. */
const COMPARED = ['height', 'weight', 'note', 'smokes', 'packs', 'signs', 'contact']

/** What the two passes of a page say differently is a gap, and what they say alike is none. */
export async function gapsMissed(
  { study, history }: Ward,
  { entries, conflicts }: Evidence,
): Promise<readonly string[]> {
  if (!history.casebook) return []
  const found: string[] = []
  const vitals = [...entries.values()].filter(
    ({ pageId, deleted, status }) => pageId === study.vitalsId && !deleted && status !== 'init',
  )
  const undecided = new Set(conflicts.filter(({ state }) => state === 'open').map(({ entryId }) => entryId))
  for (const second of vitals.filter(({ pass }) => pass === 2)) {
    const first = vitals.find(({ pass, patientId }) => pass === 1 && patientId === second.patientId)
    if (first === undefined || undecided.has(first.id)) continue
    const gaps = await study.gaps(second.patientId)
    if (gaps === null) {
      found.push(`(e) nobody can compare the passes of ${second.patientId}`)
      continue
    }
    const said = new Set(
      gaps.flatMap(({ entryId, table, code }) => (entryId === first.id && table === null ? [code] : [])),
    )
    for (const code of COMPARED) {
      const [one, two] = [first, second].map(
        ({ values, missing }) => `${textOf(values[code])} ${textOf(missing[code])}`,
      )
      if ((one === two) === said.has(code))
        found.push(
          `(c) ${one === two ? 'a gap that is none' : 'a gap that nobody is told of'} in ${code} of ${first.id}: ${one ?? ''} and ${two ?? ''}`,
        )
    }
  }
  return found
}

/** Each pass is its own people's: nobody has written to both of a patient. */
export function passesMixed({ audit, entries }: Evidence): readonly string[] {
  const authors = new Map<string, Set<number>>()
  for (const { action, entryId, userId, patientId } of audit) {
    const pass = entries.get(entryId ?? '')?.pass
    if (action !== 'item.update' || pass === undefined) continue
    const key = `${userId ?? ''} of ${patientId ?? ''}`
    authors.set(key, (authors.get(key) ?? new Set()).add(pass))
  }
  return [...authors].flatMap(([key, passes]) =>
    passes.size > 1 ? [`(c) one person has written to both passes: ${key}`] : [],
  )
}

/** No two blocks of subject numbers of a center have a number in common. */
export async function leasedTwice({ server, study }: Ward): Promise<readonly string[]> {
  const rows = await server.rows<{ a: string; b: string }>(
    `SELECT a.id AS a, b.id AS b FROM number_lease a JOIN number_lease b
       ON b.center_id = a.center_id AND b.id > a.id AND b.first_no <= a.last_no AND a.first_no <= b.last_no WHERE a.project_id = $1`,
    [study.projectId],
  )
  return rows.map(({ a, b }) => `(f) two blocks of numbers overlap: ${a} and ${b}`)
}

function memberOf(value: JsonValue, name: string): JsonValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ((value as Readonly<Record<string, JsonValue>>)[name] ?? null)
    : null
}

function told(one: Said, what: string): string {
  return `(a) ${what}: ${JSON.stringify(one)}`
}
