import { findReference } from '#core/files/reference.ts'
import { changeOf, contentText, placeKey, rowsOf, textOf } from './evidence.ts'
import type { AuditRow, Evidence, StoredOperation } from './evidence.ts'
import type { ItemChange, ItemContent } from '#core/sync/entryChange.ts'
import { PHOTOS } from './photos.ts'
import type { Ward } from './run.ts'
import type { Said } from './said.ts'

/** How operations were booked: once, over what their authors had seen, in their names, and by the rules. */

/** Nothing was applied twice. */
export function twice({ operations, audit, entries, patients }: Evidence, said: readonly Said[]): readonly string[] {
  const recalculated = recalculationsBefore(audit)
  const effects = audit.filter(
    ({ opKey, action }) => opKey !== null && /^(item\.update|item\.calculate|row\.)/.test(action),
  )
  const enrolled = new Set(said.flatMap((one) => (one.kind === 'patient' ? [textOf(one.fields['initials'])] : [])))
  return [
    ...repeated(
      operations.flatMap(({ deviceId, deviceSeq, key }) =>
        deviceSeq === null ? [] : [{ is: `${deviceId ?? ''} ${deviceSeq}`, key }],
      ),
    ),
    ...repeated(
      effects.map((row) => ({
        is: `${row.opKey ?? ''} ${row.action} ${itemOf(row)} ${recalculated.get(row) ?? 0}`,
        key: row.opKey,
      })),
    ),
    ...repeated(
      audit
        .filter(({ action }) => action === 'row.insert')
        .map((row) => ({ is: `made row ${row.rid ?? ''}`, key: row.opKey })),
    ),
    ...repeated(
      audit
        .filter(({ action }) => action === 'entry.create')
        .map((row) => ({ is: `made entry ${row.entryId ?? ''}`, key: row.opKey })),
    ),
    ...repeated(
      audit
        .filter(({ action }) => action === 'patient.enrol')
        .map((row) => ({ is: `made patient ${row.patientId ?? ''}`, key: row.opKey })),
    ),
    ...repeated(
      [...patients.values()].flatMap(({ id, initials }) =>
        initials !== null && enrolled.has(textOf(initials)) ? [{ is: `patient ${initials}`, key: id }] : [],
      ),
    ),
    ...repeated(
      [...entries.values()].flatMap((entry) =>
        rowsOf(entry).map((row) => ({ is: `row ${String(row['_rid'])}`, key: entry.id })),
      ),
    ),
    ...stepsTwice(operations),
    ...effectsTwice(audit),
  ].map((what) => `(b) ${what}`)
}

/**
 * How often its operation had recalculated the page by then: what a save brings is reckoned from again where other
 * pages that follow it lead back to its own, and both are told.
 */
function recalculationsBefore(audit: readonly AuditRow[]): ReadonlyMap<AuditRow, number> {
  const times = new Map<string, number>()
  const before = new Map<AuditRow, number>()
  for (const row of audit) {
    const page = `${row.opKey ?? ''} ${row.entryId ?? ''}`
    if (row.action === 'entry.recalculate') times.set(page, (times.get(page) ?? 0) + 1)
    before.set(row, times.get(page) ?? 0)
  }
  return before
}

/** No step of typing is booked with two operations. */
function stepsTwice(operations: Evidence['operations']): readonly string[] {
  const steps = operations.flatMap(({ entityId, key, body }) =>
    changeOf(body).journal.map((step) => ({ is: `step ${entityId} ${textOf(step)}`, key })),
  )
  return repeated([...new Map(steps.map((step) => [`${step.is} ${step.key}`, step])).values()])
}

/** An operation has its effect in one transaction; that it was held before is no effect. */
function effectsTwice(audit: readonly AuditRow[]): readonly string[] {
  const effects = audit.filter(({ opKey, action }) => opKey !== null && !/^(operation|inbox)\./.test(action))
  const places = new Map(
    effects.map(({ opKey, seq }) => [`${opKey ?? ''} ${seq}`, { is: `effect of ${opKey ?? ''}`, key: String(seq) }]),
  )
  return repeated([...places.values()])
}

function repeated(all: readonly { readonly is: string; readonly key: string | null }[]): readonly string[] {
  return [...Map.groupBy(all, ({ is }) => is)].flatMap(([is, same]) =>
    same.length > 1 ? [`twice: ${is} by ${same.map(({ key }) => key).join(', ')}`] : [],
  )
}

/**
 * Nobody's value gave way to one whose author had not seen it, and each is booked under the name of whoever said it.
 */
export function unseen(
  { operations, audit }: Evidence,
  said: readonly Said[],
  { study, restored }: Ward,
): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  const authors = authorsOf(said, study.staff)
  return audit.flatMap((row): string[] => {
    if (row.action !== 'item.update' || row.entryId === null || row.prop === null) return []
    const operation = byKey.get(row.opKey ?? '')
    if (operation === undefined) return [`(c) no operation has done this: ${JSON.stringify(row)}`]
    const item = changeOf(operation.body).items.find(
      ({ table, rid, code }) => table === row.table && rid === row.rid && code === row.prop,
    )
    const said = operation.call === 'conflict.resolve' ? decisionOf(operation.body) : item
    if (row.prop === PHOTOS && row.table === null && item !== undefined)
      return isSetMerged(row, item, audit, operations)
        ? []
        : [`(c) photographs changed unseen: ${JSON.stringify(row)} by ${JSON.stringify(item)}`]
    const isOver =
      said !== undefined &&
      (contentText(said.base) === contentText(row.old) || (restored && isForgottenWord(operations, row, said.base)))
    const built = isOver && contentText(said.to) === contentText(row.new)
    const found = built ? [] : [`(c) changed unseen: ${JSON.stringify(row)} by ${JSON.stringify(item)}`]
    const meant = authors.get(`${itemOf(row)} ${contentText(row.new)}`)
    if (meant === undefined || (row.userId !== null && meant.has(row.userId))) return found
    return [...found, `(c) booked under another name: ${JSON.stringify(row)}`]
  })
}

/** Whether a base is what somebody else had said there: a restored server hears of it after the one who had seen it. */
function isForgottenWord(operations: readonly StoredOperation[], row: AuditRow, base: unknown): boolean {
  return operations.some(
    ({ key, entityId, body }) =>
      key !== row.opKey &&
      entityId === row.entryId &&
      changeOf(body).items.some(
        (item) =>
          placeKey(entityId, item.table, item.rid, item.code) === itemOf(row) &&
          contentText(item.to) === contentText(base),
      ),
  )
}

/**
 * Photographs of a field are a set: what somebody added is added, what they took out goes, and what they did not know
 * of stays. What they left in it and no operation ever named is added as well; one that waits may have come after.
 */
function isSetMerged(
  row: AuditRow,
  item: ItemChange,
  audit: readonly AuditRow[],
  operations: readonly StoredOperation[],
): boolean {
  const [old, now, base, to] = [idsIn(row.old), idsIn(row.new), idsIn(item.base), idsIn(item.to)]
  const before = audit.filter(({ entryId, prop, seq }) => entryId === row.entryId && prop === PHOTOS && seq < row.seq)
  const waiting = operations.filter(
    ({ key, entityId, outcome }) =>
      key !== row.opKey && entityId === row.entryId && (outcome === 'held' || outcome === 'inbox'),
  )
  const kept = [...to].filter((id) => base.has(id) && !old.has(id) && !before.some((one) => idsIn(one.new).has(id)))
  const open = new Set(kept.filter((id) => waiting.some(({ body }) => findReference(body, id) !== null)))
  const expected = [...old]
    .filter((id) => to.has(id) || !base.has(id))
    .concat([...to].filter((id) => !base.has(id) && !old.has(id)))
    .concat(kept)
  const settled = (ids: readonly string[]) => textOf(ids.filter((id) => !open.has(id)).toSorted())
  return settled([...now]) === settled(expected)
}

function idsIn(content: unknown): ReadonlySet<string> {
  const { value } = (content ?? {}) as { readonly value?: unknown }
  return new Set((Array.isArray(value) ? (value as readonly { readonly id: string }[]) : []).map(({ id }) => id))
}

function decisionOf(body: unknown): { readonly base: unknown; readonly to: unknown } {
  const { seen, to } = body as { readonly seen: unknown; readonly to: unknown }
  return { base: seen, to }
}

function authorsOf(said: readonly Said[], staff: Ward['study']['staff']): ReadonlyMap<string, ReadonlySet<string>> {
  const authors = new Map<string, Set<string>>()
  for (const one of said) {
    if (one.kind !== 'item' && one.kind !== 'decision') continue
    const key = `${placeKey(one.entryId, one.table, one.rid, one.code)} ${contentText(one.to)}`
    authors.set(key, (authors.get(key) ?? new Set()).add(staff[one.person].userId))
  }
  return authors
}

function itemOf(row: AuditRow): string {
  return placeKey(row.entryId ?? '', row.table, row.rid, row.prop ?? '')
}

/**
 * Nobody collides with what they entered themselves on the same tablet: they had it before their eyes. Nor because what
 * they went on from was booked after what they went on to. Where what they went on from waits for a decision, or was
 * set aside, somebody has to decide on both.
 */
export function ownConflicts({ audit, operations, remains }: Evidence): readonly string[] {
  const aside = [...remains.values()]
    .flatMap(({ waiting }) => waiting)
    .flatMap(({ row: { state, entityId }, op }) => {
      return state !== 'aside' || op === null ? [] : [{ ...op, entityId, deviceSeq: op.seq }]
    })
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  return audit.flatMap((row): string[] => {
    if (row.action !== 'conflict.open' || row.prop === '_deleted') return []
    const stands = audit.findLast(
      (before) => before.action === 'item.update' && before.seq < row.seq && itemOf(before) === itemOf(row),
    )
    const [mine, theirs] = [byKey.get(row.opKey ?? ''), byKey.get(stands?.opKey ?? '')]
    if (mine === undefined || decidedBefore(mine, row, { audit, operations })) return []
    // What went on from a collision collides as well: the first is judged by itself.
    const collided = new Set(
      audit
        .filter((before) => before.action === 'conflict.open' && before.seq < row.seq && itemOf(before) === itemOf(row))
        .map(({ opKey }) => opKey),
    )
    const waits = operations.some(
      (other) =>
        (other.outcome === 'inbox' || collided.has(other.key)) &&
        isEarlierOf(other, mine) &&
        buildsOn(mine, other, itemOf(row), collided.has(other.key)),
    )
    if (waits || aside.some((other) => isEarlierOf(other, mine) && buildsOn(mine, other, itemOf(row)))) return []
    if (theirs !== undefined && isEarlierOf(theirs, mine))
      return [`(c) collides with their own work: ${JSON.stringify(row)}`]
    const bookedLater = new Set(
      audit
        .filter((after) => after.action === 'item.update' && after.seq > row.seq && itemOf(after) === itemOf(row))
        .map(({ opKey }) => opKey),
    )
    const late = operations.find(
      (other) => bookedLater.has(other.key) && isEarlierOf(other, mine) && buildsOn(mine, other, itemOf(row)),
    )
    return late === undefined
      ? []
      : [`(c) booked before what it builds on, which is ${late.key}: ${JSON.stringify(row)}`]
  })
}

/**
 * Whether it decides what somebody else had decided by then: it collides with that decision, whoever entered what that
 * let stand.
 */
function decidedBefore(
  mine: StoredOperation,
  { seq }: AuditRow,
  { audit, operations }: Pick<Evidence, 'audit' | 'operations'>,
): boolean {
  if (mine.call !== 'conflict.resolve') return false
  const booked = new Set(
    audit.filter((before) => before.action === 'conflict.resolve' && before.seq < seq).map(({ opKey }) => opKey),
  )
  return operations.some(
    (other) => booked.has(other.key) && decidesOn(other) === decidesOn(mine) && !isEarlierOf(other, mine),
  )
}

function decidesOn({ body }: StoredOperation): string {
  return (body as { readonly conflictId?: string }).conflictId ?? ''
}

/**
 * What a pause held back is taken up in the order in which it came: what builds on another is not turned away before
 * that one is applied.
 */
export function takenUpInDisorder({ audit, operations }: Evidence): readonly string[] {
  const held = new Set(audit.filter(({ action }) => action === 'operation.held').map(({ opKey }) => opKey))
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  return audit.flatMap((row) => {
    const turnedAway = row.action === 'operation.inbox' && held.has(row.opKey) ? byKey.get(row.opKey ?? '') : undefined
    if (turnedAway === undefined) return []
    const appliedLater = new Set(
      audit.filter(({ action, seq }) => action === 'item.update' && seq > row.seq).map(({ opKey }) => opKey),
    )
    const earlier = operations.find(
      ({ key, entityId }) => held.has(key) && appliedLater.has(key) && entityId === turnedAway.entityId,
    )
    return earlier !== undefined && isEarlierOf(earlier, turnedAway)
      ? [`(c) turned away before ${earlier.key} was applied: ${JSON.stringify(row)}`]
      : []
  })
}

/**
 * Whether an operation goes on from where another leaves an item.
 *
 * @param isAbout whether the other is about the item also where its body does not name it: a decision names its
 *   conflict
 */
function buildsOn(
  later: StoredOperation,
  earlier: Pick<StoredOperation, 'entityId' | 'body'>,
  item: string,
  isAbout = false,
): boolean {
  const [there, here] = [earlier, later].map(({ entityId, body }) =>
    changeOf(body).items.find(({ table, rid, code }) => placeKey(entityId, table, rid, code) === item),
  )
  const left = there?.to ?? (isAbout ? (earlier.body as { readonly to?: ItemContent }).to : undefined)
  return left !== undefined && here !== undefined && contentText(left) === contentText(here.base)
}

function isEarlierOf(
  earlier: Pick<StoredOperation, 'author' | 'deviceId' | 'deviceSeq'>,
  later: StoredOperation,
): boolean {
  const same = earlier.author === later.author && earlier.deviceId === later.deviceId
  return same && earlier.deviceSeq !== null && later.deviceSeq !== null && earlier.deviceSeq < later.deviceSeq
}

/** What a rule computes follows from what stands, and what was submitted is what was seen. */
export function rulesBroken({ entries, audit, operations }: Evidence): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  return [...entries.values()].flatMap((entry) => {
    const { height, weight, bmi } = entry.values
    const expected = typeof height === 'number' && typeof weight === 'number' ? weight / (height / 100) ** 2 : null
    const right =
      expected === null ? textOf(bmi) === 'null' : typeof bmi === 'number' && Math.abs(bmi - expected) < 1e-9
    const submit = audit.findLast(({ entryId, action }) => entryId === entry.id && action === 'entry.submit')
    // A correction with its reason leaves the page submitted, with what was corrected.
    const corrected = audit.some(
      ({ entryId, action, seq }) =>
        entryId === entry.id && action === 'entry.correct' && submit !== undefined && seq > submit.seq,
    )
    const seen = corrected
      ? null
      : ((byKey.get(submit?.opKey ?? '')?.body as { readonly seen?: string | null } | undefined)?.seen ?? null)
    return [
      ...(right ? [] : [`(c) a calculated value does not follow: ${JSON.stringify(entry.values)}`]),
      ...(seen === null || seen === entry.submitted
        ? []
        : [`(c) something else was submitted than was seen: ${entry.id}`]),
    ]
  })
}

/** A page stays submitted over a correction by somebody who said why, and over nothing else. */
export function correctedWithoutReason({ audit, operations }: Evidence): readonly string[] {
  const byKey = new Map(operations.map((operation) => [operation.key, operation]))
  return audit.flatMap((row) => {
    const operation = row.action === 'entry.correct' ? byKey.get(row.opKey ?? '') : undefined
    if (operation === undefined) return []
    const changed = new Set(
      audit.filter(({ opKey, action }) => opKey === row.opKey && action === 'item.update').map(itemOf),
    )
    const { items, rows } = changeOf(operation.body)
    // Of a row that was added, deleted or brought back it is said why as a whole; one that came deleted nobody saw.
    const explained = new Set(
      rows
        .filter(
          ({ reason, base, to }) => (base === null && to.deleted) || (reason !== null && base?.deleted !== to.deleted),
        )
        .map(({ rid }) => rid),
    )
    const silent = items.filter(
      ({ table, rid, code, reason }) =>
        reason === null && !explained.has(rid ?? '') && changed.has(placeKey(operation.entityId, table, rid, code)),
    )
    return silent.map((item) => `(c) stays submitted over a change that nobody explained: ${JSON.stringify(item)}`)
  })
}

/** What was not applied waits where people decide; what a pause held back does not wait any longer. */
export function heldWhereNobodyLooks({ operations, inbox }: Evidence): readonly string[] {
  return operations.flatMap(({ key, outcome }) => [
    ...(outcome === 'held' ? [`(e) held for ever: ${key}`] : []),
    ...((outcome === 'held' || outcome === 'inbox') && !inbox.has(key)
      ? [`(e) held where nobody finds it: ${key}`]
      : []),
  ])
}
