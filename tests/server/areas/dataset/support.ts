import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import type { BodyOf } from '#core/api/call.ts'
import type { DataSetPreview, DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { CallOf } from '#core/api/table.ts'
import { newDefinition } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { readCsv } from '#core/exchange/csv.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { call, change, enrol, save, vitals } from '#tests/server/support/world.ts'

/** What people do who take data out, as their screens ask the server for it. */

export function define(more: Partial<DataSetDefinition> = {}): DataSetDefinition {
  return { ...newDefinition('zh'), entries: 'all', values: 'codes', reasons: false, ...more }
}

/** Data as they are. */
export const AS_IS: DataSetDefinition['deidentify'] = { on: false, keepText: [], ages: [] }

export function ask(
  world: World,
  who: Person,
  definition: DataSetDefinition = define(),
  more: Partial<BodyOf<CallOf<'dataset.run'>>> & { readonly key?: string } = {},
): Promise<DataSetRun> {
  const { key, ...said } = more
  const body = {
    projectId: world.study.projectId,
    id: newId(),
    setId: null,
    name: '期中分析',
    definition,
    purpose: '期中分析',
    crossBorder: null,
    ...said,
  }
  return call(world, who, 'dataset.run', { body, ...(key === undefined ? {} : { key }) })
}

export function decide(world: World, who: Person, id: string, decision: 'approve' | 'refuse' = 'approve') {
  return call(world, who, 'dataset.decide', {
    body: { projectId: world.study.projectId, id, decision, note: '已核对用途' },
  })
}

export function preview(world: World, who: Person, definition: DataSetDefinition = define()): Promise<DataSetPreview> {
  return call(world, who, 'dataset.preview', { body: { projectId: world.study.projectId, definition } })
}

export async function runs(world: World, who: Person): Promise<readonly DataSetRun[]> {
  const query = { projectId: world.study.projectId, current: 1, size: 100 }
  return (await call(world, who, 'dataset.runs', { query })).records
}

export async function runOf(world: World, who: Person, id: string): Promise<DataSetRun | undefined> {
  return (await runs(world, who)).find((one) => one.id === id)
}

export async function archiveOf(world: World, who: Person, id: string): Promise<Buffer> {
  const { body } = await call(world, who, 'dataset.download', { id, query: { projectId: world.study.projectId } })
  return buffer(body)
}

/** The files of an archive as texts, by their names. */
export function filesIn(archive: Uint8Array): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

/** Asks for a run, lets the server do it, and takes its files. */
export async function takeOut(
  world: World,
  who: Person,
  definition: DataSetDefinition = define(),
): Promise<Readonly<Record<string, string>>> {
  const { id } = await ask(world, who, definition)
  await runDataSets(world.services)
  return filesIn(await archiveOf(world, who, id))
}

/** Rows of a CSV file as records by the names of its variables. */
export function recordsOf(text: string | undefined): readonly Readonly<Record<string, string>>[] {
  const read = readCsv(text ?? '', ',', { records: 100_000, cells: 40_000, recordLength: 1_000_000 })
  if (!read.ok) throw new Error(`no CSV: ${read.error.kind}`)
  const [head, ...rows] = read.records.map(({ cells }) => cells)
  return rows.map((cells) => Object.fromEntries((head ?? []).map((name, at) => [name, cells[at] ?? ''])))
}

/** A patient whose vital signs are saved. */
export async function entered(
  world: World,
  items: Readonly<Record<string, JsonValue>> = { height: 170, weight: 65, smokes: '0' },
  { who = world.people.lin, center = world.study.north, submit = true } = {},
): Promise<EntryTarget> {
  const target = vitals(world, await enrol(world, who, center))
  await save(world, who, change(target, items), submit ? { as: 'entry.submit' } : {})
  return target
}
