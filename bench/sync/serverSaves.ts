import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'

import { median, percentile } from '../figures.ts'
import { openAsServer } from './appDatabase.ts'
import type { JobReport } from './migrationJob.ts'
import { recordSave, replaySave } from './recordedSaves.ts'
import type { RecordedSave } from './recordedSaves.ts'
import { seedEntries, seedPatients } from './seed.ts'
import type { Stage } from './stage.ts'
import { PAGES, filledPage, seedRandom, targetOf } from './study.ts'
import { openFileStore } from '#server/storage/open.ts'

/**
 * Page saves of sixteen clients on one project: the real server in a process of its own over kept-alive connections,
 * compared with the same statements by the bare driver, and with a job that writes to the same project.
 */

const CLIENTS = 16
const SAVES = 160
const PATIENTS_OF_JOB = 200
const LEAST_SHARE = 0.5
/**
 * Ratios, because machines differ: a job may make a save wait, but not noticeably. Three times a fast save is still
 * fast.
 */
const JOB_BUDGET = { times: 3, millis: 300 }
/**
 * One chunk in twenty may take longer: its size follows from the ones before it, and the machine does other work too.
 */
const CHUNK_MS = 200

interface Round {
  readonly perSecond: number
  readonly times: readonly number[]
}

/**
 * The environment of the server's process: it starts the job, and accepts each client's own address, as from a
 * hospital's proxy, because requests are limited by address.
 */
export const WITH_JOB: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'migrationJob.ts')).href}`,
  TRUST_PROXY: '127.0.0.1',
}

/**
 * @param saves in each round, a whole number of patients
 * @param patientsOfJob patients whose pages the job writes
 */
export async function serverSaves(
  stage: Stage,
  runs: number,
  saves: number = SAVES,
  patientsOfJob: number = PATIENTS_OF_JOB,
): Promise<boolean> {
  await seedEntries(stage, await seedPatients(stage, patientsOfJob))
  const clients = Array.from({ length: CLIENTS }, (_, at) => new Client(stage, `10.0.0.${at + 1}`))
  // A server that has run for a while has its plans, prepared statements and compiled pages.
  await serverRound(clients, await freshSaves(stage, 100, saves))
  const [floor, alone, beside]: [Round[], Round[], Round[]] = [[], [], []]
  const jobs: JobReport[] = []
  for (let run = 0; run < runs; run += 1) {
    floor.push(await floorRound(stage, await freshSaves(stage, run, saves)))
    alone.push(await serverRound(clients, await freshSaves(stage, run, saves)))
    const { round, job } = await jobRound(stage, clients, await freshSaves(stage, run, saves))
    beside.push(round)
    jobs.push(job)
  }
  clients.forEach((client) => client.close())
  return report(floor, alone, beside, jobs, saves)
}

/** First saves of pages of new patients: all forty items. */
export async function freshSaves(stage: Stage, seed: number, saves: number): Promise<readonly EntryChange[]> {
  const random = seedRandom(seed + 1)
  const patients = await seedPatients(stage, saves / PAGES)
  return patients.flatMap((patientId) =>
    stage.study.pageIds.map((_, page) => ({
      ...filledPage(targetOf(stage.study, patientId, page), random, Date.now() - 600_000),
      rows: [],
      seen: null,
    })),
  )
}

/** A client that saves, with a kept-alive connection of its own. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #stage: Stage
  readonly #headers: Readonly<Record<string, string>>

  constructor(stage: Stage, address: string) {
    this.#stage = stage
    const { projectId, versionId } = stage.study
    this.#headers = {
      ...stage.coordinator.api.headers,
      [headers.projectId]: projectId,
      [headers.crfId]: versionId,
      [headers.deviceId]: newId(),
      [headers.protocol]: '1',
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
    }
  }

  /** Saves or submits a page. Returns the milliseconds until the answer was there. */
  async save(body: EntryChange, call: 'entry.save' | 'entry.submit' = 'entry.save'): Promise<number> {
    const text = JSON.stringify(body)
    const address = `${this.#stage.address}/api${callOf(call).path.replace(':id', entryId(body.target))}`
    const start = performance.now()
    const sent = request(address, {
      method: 'POST',
      agent: this.#agent,
      headers: { ...this.#headers, [headers.idempotencyKey]: newId(), 'Content-Length': Buffer.byteLength(text) },
    })
    sent.end(text)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    let said = ''
    for await (const part of answer.setEncoding('utf8')) said += String(part)
    const time = performance.now() - start
    if (answer.statusCode !== 200 || !said.includes('"success":true'))
      throw new Error(`a save was refused: ${said.slice(0, 300)}`)
    return time
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Lets all workers take from one list until it is empty. */
async function shareWork<Work>(
  work: readonly Work[],
  workers: readonly ((one: Work) => Promise<number>)[],
): Promise<Round> {
  const left = [...work]
  const times: number[] = []
  const start = performance.now()
  await Promise.all(
    workers.map(async (does) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) times.push(await does(one))
    }),
  )
  return { perSecond: (work.length * 1000) / (performance.now() - start), times }
}

function serverRound(clients: readonly Client[], saves: readonly EntryChange[]): Promise<Round> {
  return shareWork(
    saves,
    clients.map((client) => (save: EntryChange) => client.save(save)),
  )
}

async function floorRound(stage: Stage, saves: readonly EntryChange[]): Promise<Round> {
  const pool = await openAsServer(stage.server.dataDir, CLIENTS)
  try {
    const log = createLog({ level: 'silent', write: () => undefined })
    const secrets = { root: Buffer.alloc(32), rescuePublicKey: '', rescuePrivateKey: '', epoch: '' }
    const token = (stage.coordinator.api.headers[headers.token] ?? '').replace('bearer ', '')
    const config = readConfig({})
    const context = {
      services: { config, log, secrets, files: openFileStore(config) },
      study: stage.study,
      token,
      deviceId: newId(),
    }
    const recorded = await Promise.all(saves.map((save) => recordSave(pool, context, save)))
    const connections = await Promise.all(Array.from({ length: CLIENTS }, () => pool.connect()))
    const round = await shareWork(
      recorded,
      connections.map((connection) => async (save: RecordedSave) => {
        const start = performance.now()
        await replaySave(connection, save)
        return performance.now() - start
      }),
    )
    connections.forEach((connection) => connection.release())
    return round
  } finally {
    await pool.end()
  }
}

async function jobRound(
  stage: Stage,
  clients: readonly Client[],
  saves: readonly EntryChange[],
): Promise<{ readonly round: Round; readonly job: JobReport }> {
  const { child, output } = stage.server
  const before = output().length
  child.kill('SIGUSR2')
  const round = await serverRound(clients, saves)
  child.kill('SIGUSR2')
  for (;;) {
    const line = output()
      .slice(before)
      .split('\n')
      .find((text) => text.startsWith('{"job":'))
    if (line !== undefined) return { round, job: (JSON.parse(line) as { job: JobReport }).job }
    await sleep(20)
  }
}

function report(
  floor: readonly Round[],
  alone: readonly Round[],
  beside: readonly Round[],
  jobs: readonly JobReport[],
  saves: number,
): boolean {
  console.log(
    `\nserver: saves of a page of 40 items, ${CLIENTS} clients on one project over HTTP (${floor.length} runs of ${saves} saves each, interleaved)`,
  )
  const [p95, p95Beside] = [over(alone, 0.95), over(beside, 0.95)]
  for (const [what, rounds] of [
    ['same statements, bare driver', floor],
    ['server', alone],
    ['server beside a job', beside],
  ] as const) {
    const part = (share: number): string => `${over(rounds, share).toFixed(0).padStart(5)} ms`
    console.log(
      `  ${what.padEnd(30)} ${median(rounds.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(5)} /s   p50 ${part(0.5)}  p95 ${part(0.95)}  p99 ${part(0.99)}`,
    )
  }
  console.log(
    `  load of the machine ${loadavg()[0]?.toFixed(1)}; the server writes saves that come at the same time in one transaction, the bare driver each in its own`,
  )
  const share = median(alone.map(({ perSecond }, at) => perSecond / (floor[at]?.perSecond ?? Number.NaN)))
  const enough = share >= LEAST_SHARE
  console.log(`  server / bare driver: ${share.toFixed(2)} (≥ ${LEAST_SHARE}): ${enough ? 'ok' : 'OVER'}`)
  const chunks = jobs.flatMap(({ millis }) => millis)
  const chunk = percentile(chunks, 0.95)
  const short = chunk <= CHUNK_MS
  const entries = jobs.reduce((sum, job) => sum + job.entries, 0)
  console.log('  the job has the shape that a version’s migration will have (the real one is not there yet)')
  console.log(
    `  its commits: ${chunks.length} of ${(entries / chunks.length).toFixed(0)} entries, p50 ${median(chunks).toFixed(0)} ms, p95 ${chunk.toFixed(0)} ms (≤ ${CHUNK_MS}), ` +
      `longest ${Math.max(...chunks).toFixed(0)} ms: ${short ? 'ok' : 'OVER'}`,
  )
  const times = p95Beside / p95
  const calm = times <= JOB_BUDGET.times || p95Beside <= JOB_BUDGET.millis
  console.log(
    `  p95 beside the job: ${times.toFixed(2)} × p95 without (≤ ${JOB_BUDGET.times}, or ≤ ${JOB_BUDGET.millis} ms): ${calm ? 'ok' : 'OVER'}`,
  )
  return enough && short && calm
}

/** The median over the rounds of each round's percentile. */
function over(rounds: readonly Round[], share: number): number {
  return median(rounds.map(({ times }) => percentile(times, share)))
}
