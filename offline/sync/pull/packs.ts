import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import type { PackRow, RowView, SealLevel } from '#offline/db/rows.ts'
import { idInView } from '#offline/db/view.ts'
import { seal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'

/**
 * Packs: entries of one patient that come together are sealed as one and lie in one record. Each record and each call
 * of WebCrypto costs about the same whatever is in it, and a first download brings tens of thousands of entries
 * (docs/adr/0039-first-download.md).
 */

/** So many entries of a patient in one batch make a pack. */
const LEAST = 3
/** Who opens one entry opens its pack: more would be felt. */
const MOST = 20

export interface Packable {
  readonly id: string
  readonly row: EntryRow
}

/**
 * The entries of a batch that go into packs, each part a pack. Those in conflict lie by themselves: they are looked for
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

/** Where a pack lies: its seal is bound to it. */
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
