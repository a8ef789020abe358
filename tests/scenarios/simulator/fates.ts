import { changeOf, contentText, isPoison, placeKey, textOf } from './evidence.ts'
import type { Evidence } from './evidence.ts'
import type { Said, SaidField, SaidItem, SaidPatient, SaidRow } from './said.ts'

/** What became of everything that was said. Written from what people meant, not from how the product merges. */

/**
 * Says of each thing that was said, and is nowhere, what is missing.
 *
 * @param perhaps what was typed and never confirmed: where it came through, people went on to it from what was
 *   confirmed
 */
export function missing(said: readonly Said[], perhaps: readonly Said[], evidence: Evidence): readonly string[] {
  const fates = new Fates(
    [...said, ...perhaps].toSorted((a, b) => a.n - b.n),
    evidence,
  )
  return said.flatMap((one) => fates.missing(one))
}

class Fates {
  readonly #said: readonly Said[]
  readonly #evidence: Evidence
  /**
   * Where each content of each item stands: in the data, the audit trail, a conflict, or an operation that was not
   * applied.
   */
  readonly #landed = new Set<string>()
  /** The same for states of rows. */
  readonly #rows = new Set<string>()
  /** Steps of typing that are kept anywhere. */
  readonly #steps = new Set<string>()
  readonly #fields = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #decided = new Set<string>()
  readonly #poison = new Set<string>()

  constructor(said: readonly Said[], evidence: Evidence) {
    this.#said = said
    this.#evidence = evidence
    this.#readEntries()
    this.#readAudit()
    this.#readConflicts()
    this.#readOperations()
  }

  missing(one: Said): readonly string[] {
    switch (one.kind) {
      case 'item':
        return this.#itemMissing(one)
      case 'row':
        return this.#rowLanded(one) || this.#said.some((later) => follows(one, later) && this.#rowStands(later))
          ? []
          : [told(one, 'a row’s state is nowhere')]
      case 'patient':
        return this.#patientMissing(one)
      case 'field':
        return this.#fields.has(fieldKey(one)) ? [] : [told(one, 'a change of a patient is nowhere')]
      case 'removal':
        return this.#removed.has(one.entryId) ? [] : [told(one, 'a deletion is nowhere')]
      case 'decision':
        return this.#decided.has(`${one.conflictId} ${contentText(one.to)}`) ? [] : [told(one, 'a decision is nowhere')]
      case 'poison':
        return this.#poison.has(`${one.tablet} ${one.entryId}`)
          ? []
          : [told(one, 'what was refused is not on the tablet any more')]
      case 'photo':
      case 'visit':
      case 'answer':
        // They have fates of their own (casebookFates.ts, queryFates.ts).
        return []
    }
  }

  #itemMissing(one: SaidItem): readonly string[] {
    const gone = this.#itemStands(one) ? [] : [told(one, 'a value is nowhere')]
    const step = stepKey(one, { value: one.typed, missing: one.to.missing })
    const untold =
      one.continued || this.#steps.has(step) || this.#isUndone(one)
        ? []
        : [told(one, 'a step of typing is in no journal')]
    return [...gone, ...untold]
  }

  /**
   * It stands somewhere, or its author went on from it on the same tablet before it was sent, and where they came to
   * stands.
   */
  #itemStands(one: SaidItem): boolean {
    if (this.#landed.has(contentKey(one))) return true
    if (this.#takenBack(one)) return true
    return this.#said.some((later) => goesOn(one, later) && this.#itemStands(later))
  }

  /** Back to where it came from: nothing is left to say but the way. */
  #takenBack(one: SaidItem): boolean {
    let at: SaidItem | undefined = one
    const end = contentText(one.to)
    while (at !== undefined) {
      if (contentText(at.base) === end) return true
      const here: SaidItem = at
      at = this.#wentOnFrom(here)
    }
    return false
  }

  /**
   * On a way that led back to where it began before anything of it was saved: whoever left the page then has left
   * nothing behind, not even the way.
   */
  #isUndone(one: SaidItem): boolean {
    const way = [one]
    for (let at = this.#wentOnFrom(one); at !== undefined; at = this.#wentOnFrom(at)) way.unshift(at)
    const here = way.length - 1
    for (let at = this.#goneOnTo(one); at !== undefined; at = this.#goneOnTo(at)) way.push(at)
    const isUnsaved = (from: number, end: number) =>
      way.slice(from, end).every((between) => !this.#landed.has(contentKey(between)))
    return way
      .slice(0, here + 1)
      .some(({ base }, from) =>
        way.some(({ to }, end) => end >= here && contentText(to) === contentText(base) && isUnsaved(from, end)),
      )
  }

  #wentOnFrom(here: SaidItem): SaidItem | undefined {
    return this.#said.findLast(
      (before): before is SaidItem => before.kind === 'item' && before.n < here.n && goesOn(before, here),
    )
  }

  #goneOnTo(here: SaidItem): SaidItem | undefined {
    return this.#said.find((later): later is SaidItem => goesOn(here, later))
  }

  #rowStands(later: Said): boolean {
    return (
      later.kind === 'row' &&
      (this.#rowLanded(later) || this.#said.some((next) => follows(later, next) && this.#rowStands(next)))
    )
  }

  #rowLanded({ entryId, rid, from, to }: SaidRow): boolean {
    if (from === null) return this.#rows.has(`${entryId}|${rid}|made`)
    if (from.deleted !== to.deleted) return this.#rows.has(`${entryId}|${rid}|${to.deleted}`)
    return from.order === to.order || this.#rows.has(`${entryId}|${rid}|${to.order}`)
  }

  #patientMissing(one: SaidPatient): readonly string[] {
    const { patients, operations, waiting } = this.#evidence
    const taken = operations.some(({ call, entityId }) => call === 'patient.save' && entityId === one.patientId)
    const kept = waiting.some(({ row }) => row.call === 'patient.save' && row.entityId === one.patientId)
    return patients.has(one.patientId) || taken || kept ? [] : [told(one, 'a patient is nowhere')]
  }

  // ── Where things are ──

  #readEntries(): void {
    for (const entry of this.#evidence.entries.values()) {
      if (entry.deleted) this.#removed.add(entry.id)
      const codes = new Set([...Object.keys(entry.values), ...Object.keys(entry.missing)])
      for (const code of codes)
        this.#land(entry.id, null, null, code, { value: entry.values[code], missing: entry.missing[code] })
      for (const [address, { value, missing: reason }] of Object.entries(entry.retired)) {
        const [code = '', rid] = address.split('.').toReversed()
        this.#land(entry.id, rid === undefined ? null : 'drugs', rid ?? null, code, { value, missing: reason })
      }
      const rows = entry.values['drugs']
      for (const row of Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []) {
        const rid = String(row['_rid'])
        this.#rowIs(entry.id, rid, { deleted: row['_deleted'] === true, order: String(row['_ord']) })
        for (const [code, value] of Object.entries(row))
          this.#land(entry.id, 'drugs', rid, code, { value, missing: entry.missing[`${rid}.${code}`] })
      }
    }
  }

  #readAudit(): void {
    for (const row of this.#evidence.audit) {
      const { entryId, action, prop } = row
      if (action === 'patient.update' || action === 'patient.conflict' || action === 'patient.overtaken')
        this.#fields.add(`${row.patientId ?? ''}|${prop ?? ''}|${textOf(row.new)}`)
      // What is asked about a field changes nothing in it.
      if (entryId === null || action.startsWith('query.')) continue
      if (action.startsWith('entry.delete') || action === 'entry.overtaken') this.#removed.add(entryId)
      if (row.rid !== null && row.prop === null) this.#rowIs(entryId, row.rid, row.new)
      if (prop === null) continue
      // What came late gave way to it: where it says what the backup held anyway, that is all that tells of it.
      if (action === 'item.overtaken') this.#land(entryId, row.table, row.rid, prop, row.old)
      if (action !== 'conflict.resolve') this.#land(entryId, row.table, row.rid, prop, row.new)
      else this.#land(entryId, row.table, row.rid, prop, (row.new as { readonly to?: unknown }).to)
    }
  }

  #readConflicts(): void {
    for (const { entryId, table, rid, code, server, mine } of this.#evidence.conflicts) {
      if (code === '_deleted') {
        if (rid === null) this.#removed.add(entryId)
        else
          for (const side of [server, mine])
            this.#rows.add(`${entryId}|${rid}|${String((side as { readonly value?: unknown }).value)}`)
      } else for (const side of [server, mine]) this.#land(entryId, table, rid, code, side)
    }
  }

  #readOperations(): void {
    const { operations, waiting, drafts, remains } = this.#evidence
    for (const { call, body } of [...operations, ...waiting.flatMap(({ op }) => (op === null ? [] : [op]))]) {
      if (call !== 'conflict.resolve') continue
      const { conflictId, to } = body as unknown as { readonly conflictId: string; readonly to: unknown }
      this.#decided.add(`${conflictId} ${contentText(to)}`)
    }
    for (const { tablet, row, op } of waiting)
      if (isPoison(op?.body)) this.#poison.add(`${tablet.name} ${row.entityId}`)
    // What was said under a release that a restored server has forgotten waits for a decision, whatever it is.
    for (const [tablet, { held }] of remains)
      for (const { key, entityId, body } of operations)
        if (held.includes(key) && isPoison(body)) this.#poison.add(`${tablet.name} ${entityId}`)
    for (const { body } of operations)
      for (const step of changeOf(body).journal) this.#steps.add(stepKey(step, step.to))
    for (const step of drafts) this.#steps.add(stepKey(step, step.to))
    const notApplied = [
      ...operations.filter(({ outcome }) => outcome === 'held' || outcome === 'inbox'),
      ...waiting.flatMap(({ op }) => (op === null ? [] : [op])),
    ]
    for (const { call, entityId, body } of notApplied) {
      const { items, rows, journal } = changeOf(body)
      for (const { table, rid, code, to } of items) this.#land(entityId, table, rid, code, to)
      for (const { rid, to } of rows) this.#rowIs(entityId, rid, to)
      for (const step of journal) this.#steps.add(stepKey(step, step.to))
      if (call === 'entry.delete') this.#removed.add(entityId)
      if (call !== 'patient.update') continue
      const { fields } = body as unknown as {
        readonly fields: readonly { readonly field: string; readonly to: unknown }[]
      }
      for (const { field, to } of fields) this.#fields.add(`${entityId}|${field}|${textOf(to)}`)
    }
  }

  #land(entryId: string, table: string | null, rid: string | null, code: string, content: unknown): void {
    this.#landed.add(`${placeKey(entryId, table, rid, code)} ${contentText(content)}`)
  }

  #rowIs(entryId: string, rid: string, state: unknown): void {
    const { deleted, order } = (state ?? {}) as { readonly deleted?: boolean; readonly order?: string }
    for (const fact of ['made', String(deleted), String(order)]) this.#rows.add(`${entryId}|${rid}|${fact}`)
  }
}

function contentKey({ entryId, table, rid, code, to }: SaidItem): string {
  return `${placeKey(entryId, table, rid, code)} ${contentText(to)}`
}

/** Steps are looked for by what was typed where; entries are told apart by the values, which nearly all differ. */
function stepKey({ table, rid, code }: Pick<SaidItem, 'table' | 'rid' | 'code'>, to: unknown): string {
  return `${table ?? ''}|${rid ?? ''}|${code} ${contentText(to)}`
}

function fieldKey({ patientId, field, to }: SaidField): string {
  return `${patientId}|${field}|${textOf(to)}`
}

/** Whether somebody went on from what they had said, on the same tablet. */
function goesOn(one: SaidItem, later: Said): later is SaidItem {
  return (
    later.kind === 'item' &&
    later.n > one.n &&
    later.tablet === one.tablet &&
    later.person === one.person &&
    placeKey(later.entryId, later.table, later.rid, later.code) ===
      placeKey(one.entryId, one.table, one.rid, one.code) &&
    contentText(later.base) === contentText(one.to)
  )
}

function follows(one: SaidRow, later: Said): boolean {
  return (
    later.kind === 'row' &&
    later.n > one.n &&
    later.tablet === one.tablet &&
    later.person === one.person &&
    later.rid === one.rid &&
    textOf(later.from) === textOf(one.to)
  )
}

/** What was said, in one line. */
function told(one: Said, what: string): string {
  return `(a) ${what}: ${JSON.stringify(one)}`
}
