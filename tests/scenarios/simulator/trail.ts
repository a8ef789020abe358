import type { JsonValue } from '#core/json.ts'
import { changeOf, contentText, rowsOf, textOf } from './evidence.ts'
import type { AuditRow, Evidence, StoredEntry } from './evidence.ts'
import type { Ward } from './run.ts'

/** What the audit trail tells, held against the data. */

/** Replaying the trail from nothing gives exactly what is stored, and its chain holds. */
export async function unaudited(evidence: Evidence, { server, study }: Ward): Promise<readonly string[]> {
  const found: string[] = []
  const replayed = new Map<string, Replayed>()
  const byKey = new Map(evidence.operations.map((operation) => [operation.key, operation]))
  for (const row of evidence.audit) {
    if (row.entryId === null) continue
    const entry = replayed.get(row.entryId) ?? new Replayed()
    replayed.set(row.entryId, entry)
    if (row.action === 'row.delete' && !entry.isAsSeen(row.rid ?? '', byKey.get(row.opKey ?? '')?.body)) {
      found.push(`(c) a row was deleted with what nobody had seen: ${JSON.stringify(row)}`)
    }
    const problem = entry.take(row)
    if (problem !== null) found.push(`(c) ${problem}: ${JSON.stringify(row)}`)
  }
  for (const entry of evidence.entries.values()) {
    const said = replayed.get(entry.id) ?? new Replayed()
    if (said.text !== storedText(entry))
      found.push(
        `(c) the trail and the data differ in entry ${entry.id}:\n  trail ${said.text}\n  data  ${storedText(entry)}`,
      )
  }
  found.push(...unauditedPatients(evidence))
  const chain = await server.chain(study.projectId)
  if (!chain.holds) found.push(`(c) the chain is broken at ${chain.firstBroken ?? 0}`)
  return found
}

function unauditedPatients({ audit, patients }: Evidence): readonly string[] {
  return [...patients.values()].flatMap((patient) => {
    const own = audit.filter(({ patientId, entryId }) => patientId === patient.id && entryId === null)
    const fields: Record<string, JsonValue> = {}
    for (const { action, prop, new: to } of own) {
      if (action === 'patient.enrol') Object.assign(fields, to)
      if (action === 'patient.identify') Object.assign(fields, to)
      if (action === 'patient.update' && prop !== null) fields[prop] = to
    }
    return (['no', 'initials', 'sex', 'name', 'mobile'] as const).flatMap((field) =>
      textOf(fields[field]) === textOf(patient[field])
        ? []
        : [`(c) the trail and the data differ in ${field} of patient ${patient.id}`],
    )
  })
}

/** An entry, as the trail alone tells it. */
class Replayed {
  readonly #items = new Map<string, string>()
  readonly #rows = new Map<string, string>()
  #status = textOf('init')
  #deleted = false

  /** Takes a row of the trail. Says what is wrong where it does not follow from those before it. */
  take(row: AuditRow): string | null {
    const key = `${row.rid ?? ''}.${row.prop ?? ''}`
    switch (row.action) {
      case 'item.update':
      case 'item.calculate':
        return this.#change(this.#items, key, contentText(row.old), contentText(row.new), contentText(null))
      case 'row.insert':
      case 'row.move':
      case 'row.delete':
      case 'row.restore':
        return this.#change(this.#rows, row.rid ?? '', textOf(row.old), textOf(row.new), textOf(null))
      case 'entry.status':
      case 'entry.submit':
        this.#status = textOf(row.new)
        return null
      case 'entry.delete':
        this.#deleted = true
        return null
      case 'entry.restore':
        this.#deleted = false
        return null
      default:
        return null
    }
  }

  /** Whether a row holds what the person saw who deleted it, but for what they entered in it themselves. */
  isAsSeen(rid: string, body: unknown): boolean {
    const { items, rows } = changeOf(body)
    const seen = rows.find((row) => row.rid === rid)?.seen ?? null
    if (seen === null) return true
    const own = new Set(items.filter((item) => item.rid === rid).map(({ code }) => code))
    const held = [...this.#items.keys()]
      .filter((key) => key.startsWith(`${rid}.`))
      .map((key) => key.slice(rid.length + 1))
    return [...new Set([...Object.keys(seen), ...held])].every((code) => {
      const now = this.#items.get(`${rid}.${code}`) ?? contentText(null)
      return own.has(code) || now.startsWith(`${textOf(seen[code])} `)
    })
  }

  get text(): string {
    return textOf({
      items: inOrder([...this.#items].filter(([, text]) => text !== contentText(null))),
      rows: inOrder([...this.#rows]),
      status: this.#status,
      deleted: this.#deleted,
    })
  }

  #change(into: Map<string, string>, key: string, old: string, next: string, empty: string): string | null {
    const was = into.get(key) ?? empty
    into.set(key, next)
    return was === old ? null : `the trail jumps from ${was}`
  }
}

function inOrder(pairs: readonly (readonly [string, string])[]): readonly string[] {
  return pairs.map((pair) => pair.join('=')).toSorted((a, c) => (a < c ? -1 : 1))
}

/** A stored entry in the same words. */
function storedText(entry: StoredEntry): string {
  const items = new Map<string, string>()
  const put = (rid: string, code: string, value: unknown, reason: unknown): void => {
    const text = contentText({ value, missing: reason })
    if (text !== contentText(null)) items.set(`${rid}.${code}`, text)
  }
  for (const [code, value] of Object.entries(entry.values))
    if (code !== 'drugs') put('', code, value, entry.missing[code])
  for (const [address, reason] of Object.entries(entry.missing))
    if (!address.includes('.')) put('', address, entry.values[address], reason)
  const rows = rowsOf(entry).map((row) => {
    const rid = String(row['_rid'])
    for (const [code, value] of Object.entries(row))
      if (!code.startsWith('_')) put(rid, code, value, entry.missing[`${rid}.${code}`])
    return [rid, textOf({ deleted: row['_deleted'] === true, order: String(row['_ord']) })] as const
  })
  return textOf({
    items: inOrder([...items]),
    rows: inOrder(rows),
    status: textOf(entry.status),
    deleted: entry.deleted,
  })
}
