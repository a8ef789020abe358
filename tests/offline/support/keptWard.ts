import { expect } from 'vitest'
import { FIRST_REPEAT, entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { asJson } from '#core/json.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { OpenOptions } from '#offline/db/open.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import { isEvicted } from '#offline/sync/pull/refill.ts'
import { Network } from '#tests/offline/support/network.ts'
import {
  CENTER_SCOPE,
  FOLDER,
  PAGE,
  PROJECT,
  VERSION,
  change,
  crcAtTablet,
  scopeKeys,
  syncOf,
  target,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import { entryRow, patientRow } from '#tests/src/data/support/ward.ts'

/** A tablet that keeps a ward, so that there is something to give way on a full disk. */

/** About what a page of forty items takes. */
export const TEXT = 'x'.repeat(3000)

interface OnServer {
  readonly lines: readonly PullLine[]
  readonly patients: readonly string[]
  readonly entries: ReadonlyMap<string, readonly EntryRow[]>
}

/** So many patients with two pages each. */
function study(patients: number): OnServer {
  const lines: PullLine[] = []
  const entries = new Map<string, EntryRow[]>()
  for (let at = 0; at < patients; at += 1) {
    const patient = patientRow(`01-${String(at).padStart(3, '0')}`)
    lines.push({
      t: 'put',
      kind: 'patient',
      id: patient.id,
      seq: lines.length + 1,
      row: asJson(patient),
    })
    const pages = [PAGE, newId()].map((pageId) =>
      entryRow(
        entryId({
          patientId: patient.id,
          folderId: FOLDER,
          folderRepeat: FIRST_REPEAT,
          pageId,
          pageRepeat: FIRST_REPEAT,
          parentEntryId: null,
          pass: 1,
        }),
        patient.id,
        { note: `${at} ${TEXT}` },
      ),
    )
    entries.set(patient.id, pages)
    for (const row of pages)
      lines.push({ t: 'put', kind: 'entry', id: row.id, seq: lines.length + 1, row: asJson(row) })
    lines.push({ t: 'cursor', cursor: lines.length })
  }
  return { lines: renumbered(lines), patients: [...entries.keys()], entries }
}

/** Change numbers as a server gives them: marks have none of their own. */
function renumbered(lines: readonly PullLine[]): PullLine[] {
  let seq = 0
  return lines.map((line) =>
    line.t === 'put' ? { ...line, seq: (seq += 1) } : line.t === 'cursor' ? { ...line, cursor: seq } : line,
  )
}

export async function ward(patients = 40, options: OpenOptions = {}) {
  const crc = await crcAtTablet([scopeKeys(CENTER_SCOPE)], options)
  const server = study(patients)
  const network = new Network()
  network.changes = server.lines
  valueOf(await runCycle(syncOf(crc, network.fetch)))
  expect(await pagesHere(crc)).toBe(2 * patients)
  return { crc, network, server }
}

export function pagesHere({ storage }: Crc): Promise<number> {
  return storage.cache.rows.where('[scope+kind]').equals([CENTER_SCOPE, 'entry']).count()
}

export async function gone({ storage }: Crc): Promise<readonly string[]> {
  return (await storage.cache.evicted.toArray()).map(({ patientId }) => patientId)
}

/** Patients of whom something is not here although nothing says so: the one thing that must never be. */
export async function halfThere({ crc, server }: Awaited<ReturnType<typeof ward>>): Promise<readonly string[]> {
  const found: string[] = []
  for (const [patientId, pages] of server.entries) {
    const here = await crc.storage.cache.rows.where('[kind+parent]').equals(['entry', patientId]).count()
    const away = await isEvicted({ storage: crc.storage, ring: crc.author.ring }, CENTER_SCOPE, patientId)
    if (!away && here !== pages.length) found.push(patientId)
  }
  return found
}

export const typing = (patientId: string) => {
  const of = target(patientId)
  return {
    of: { entryId: entryId(of), patientId, scope: CENTER_SCOPE, projectId: PROJECT, versionId: VERSION, target: of },
    edit: change(of, 'note', null, TEXT),
  }
}
