import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ItemChange, RowChange } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { rowContent, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Server, Tablet } from '#tests/scenarios/support/ward.ts'
import { onServer } from '#tests/scenarios/support/ward.ts'
import { vitals } from '#tests/server/support/world.ts'

/**
 * What people do to the rows of a table: the drugs of the vital signs page. Saved as the page saves, from what the
 * tablet shows.
 */

type Row = Readonly<Record<string, JsonValue>>

/** A tablet with the drugs of one patient before a person. */
export class Drugs {
  readonly #server: Server
  readonly #tablet: Tablet
  readonly #patientId: string

  constructor(server: Server, tablet: Tablet, patientId: string) {
    this.#server = server
    this.#tablet = tablet
    this.#patientId = patientId
  }

  /** The rows on the screen, deleted ones included. */
  async rows(): Promise<readonly Row[]> {
    return rowsOf((await this.#tablet.see(this.#patientId)).data.values['drugs']) ?? []
  }

  /** Adds a row. Gives its `_rid`. */
  async insert(order: string, content: Readonly<Record<string, JsonValue>>, rid = newId()): Promise<string> {
    const items = Object.entries(content).map(([code, value]) => item(rid, code, null, value))
    await this.#save(
      [{ table: 'drugs', rid, to: { deleted: false, order }, base: null, seen: null, reason: null }],
      items,
    )
    return rid
  }

  async edit(rid: string, code: string, value: JsonValue): Promise<void> {
    await this.#save([], [item(rid, code, (await this.#row(rid))[code] ?? null, value)])
  }

  async move(rid: string, order: string): Promise<void> {
    const state = stateOf(await this.#row(rid))
    await this.#save([{ table: 'drugs', rid, to: { ...state, order }, base: state, seen: null, reason: null }], [])
  }

  async remove(rid: string): Promise<void> {
    await this.#setDeleted(rid, true)
  }

  async restore(rid: string): Promise<void> {
    await this.#setDeleted(rid, false)
  }

  async #setDeleted(rid: string, deleted: boolean): Promise<void> {
    const row = await this.#row(rid)
    const base = stateOf(row)
    await this.#save(
      [{ table: 'drugs', rid, to: { ...base, deleted }, base, seen: deleted ? rowContent(row) : null, reason: null }],
      [],
    )
  }

  async #row(rid: string): Promise<Row> {
    const row = (await this.rows()).find((one) => one['_rid'] === rid)
    if (row === undefined) throw new Error('no such row on the screen')
    return row
  }

  async #save(rows: RowChange[], items: ItemChange[]): Promise<void> {
    const { world } = this.#server
    const { versionId } = await this.#tablet.see(this.#patientId)
    const save = {
      target: vitals(world, this.#patientId),
      versionId,
      items,
      rows,
      journal: [],
      seen: null,
      progress: null,
    }
    const saved = await this.#tablet.device.saveEntry(world.study.projectId, save)
    if (!saved.ok) throw new Error(saved.error.code)
  }
}

/** The rows at the server, in their order. */
export async function drugsOnServer(server: Server, patientId: string): Promise<readonly Row[]> {
  return rowsOf((await onServer(server, patientId))['drugs']) ?? []
}

function item(rid: string, code: string, from: JsonValue, to: JsonValue): ItemChange {
  const base = from === null ? EMPTY_ITEM : { value: from, missing: null }
  return { table: 'drugs', rid, code, to: { value: to, missing: null }, base, isShow: 1, reason: null }
}
