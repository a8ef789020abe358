import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { PackRow, RowView, SealLevel } from '#offline/db/rows.ts'
import { idInView } from '#offline/db/view.ts'
import { seal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'

/**
 * Packs: entries of one patient that come together are sealed together and stored in one record. Each record and each
 * call of WebCrypto costs about the same, whatever its size, and a first download brings tens of thousands of entries
 * (docs/adr/0039-first-download.md).
 */

/** From this many entries of a patient in one batch on, they make a pack. */
const LEAST = 3
/** Most entries in a pack. To open one entry means to open its whole pack; a larger one would be slow to open. */
const MOST = 20

export interface Packable {
  readonly id: string
  readonly row: EntryRow
}

/**
 * Divides the entries of a batch into packs. Entries in conflict are stored by themselves, because they are looked for
 * without their patient.
 */
export function partsToPack<Entry extends Packable>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const last = new Map(entries.map((entry) => [entry.id, entry]))
  const calm = [...last.values()].filter(({ row }) => row.conflicts === 0)
  return [...Map.groupBy(calm, ({ row }) => row.patientId).values()]
    .filter((ofPatient) => ofPatient.length >= LEAST)
    .flatMap((ofPatient) =>
      Array.from({ length: Math.ceil(ofPatient.length / MOST) }, (_, at) =>
        ofPatient.slice(at * MOST, (at + 1) * MOST),
      ),
    )
}

/** Where a pack is stored: its seal is bound to this place. */
export function packPlace({ scope, patientId, id }: Pick<PackRow, 'scope' | 'patientId' | 'id'>): SealPlace<'pack'> {
  return { scope, kind: 'pack', id: `${patientId}/${id}` }
}

/** Seals a part of a patient's entries. */
export async function sealPack(
  ring: KeyRing,
  scope: string,
  entries: readonly EntryRow[],
  { level, view }: { readonly level: SealLevel; readonly view: RowView },
): Promise<PackRow> {
  const place = { scope, patientId: entries[0]?.patientId ?? '', id: idInView(newId(), view) }
  return { ...place, rows: await seal(ring, packPlace(place), level, entries) }
}
