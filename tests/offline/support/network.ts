import { gunzipSync } from 'node:zlib'
import type { ApiError } from '#core/api/errors.ts'
import { failureEnvelope } from '#core/api/envelope.ts'
import { statusOfError } from '#core/api/errorStatus.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { operation } from '#core/sync/protocol/operation.ts'
import type { Operation, Receipt } from '#core/sync/protocol/operation.ts'
import { pushRequest } from '#core/api/sync/push.ts'
import type { DeviceReport, PushAnswer, PushRequest } from '#core/api/sync/push.ts'
import type { PullLine } from '#core/api/sync/pull.ts'

/**
 * The far end of the wire with faults to order: answers that are lost, streams that break, servers that are away. It
 * honours the contract's shapes and remembers keys; what the real server makes of an operation is tested with the real
 * server.
 */
export class Network {
  /** Operations by key, as they were booked. */
  readonly booked = new Map<string, Operation>()
  readonly arrivals: PushRequest[] = []
  /** What the device said of itself, with operations or without. */
  readonly reports: DeviceReport[] = []
  readonly pulls: { readonly scope: string; readonly cursor: number }[] = []
  epoch = 'epoch-1'
  scopeVersion = 'rights-1'
  /** Change number up to which the server's backups hold everything. */
  durable = 0
  numbers: readonly string[] = []
  changes: readonly PullLine[] = []
  /** No connection at all. */
  away = false
  /** Every call is answered with this error. */
  everything: ApiError | null = null
  /** What becomes of operations that are taken. */
  outcome: Partial<Receipt> = {}
  /** What an operation comes to, beyond its receipt. */
  result: (op: Operation) => JsonValue = () => ({})
  /** An operation's own refusal. */
  refuse: (op: Operation) => ApiError | null = () => null
  /** How many answers of a push get through before the connection breaks. */
  breakPushAfter: number | null = null
  /** How many lines of a pull get through. */
  breakPullAfter: number | null = null

  readonly fetch: typeof fetch = async (input, init) => {
    await Promise.resolve()
    if (this.away) throw new TypeError('fetch failed')
    if (this.everything !== null) return failed(this.everything)
    const request = new Request(input, init)
    const url = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    if (url.pathname === '/api/edc/sync/push') return this.#push(body)
    if (url.pathname === '/api/edc/sync/pull') return this.#pull(url)
    if (url.pathname === '/api/edc/sync/lease') return this.#lease(body)
    return failed({ code: 'not_found' })
  }

  #push(body: Buffer): Response {
    const text = gunzipSync(body).toString('utf8')
    const envelope = pushRequest.parse(JSON.parse(text))
    const request: PushRequest = { ...envelope, ops: envelope.ops.map((op) => operation.parse(op)) }
    this.reports.push(request.report)
    if (request.ops.length > 0) this.arrivals.push(request)
    const answers: PushAnswer[] = request.ops.map((op) => this.#book(op))
    const lines = [...answers, { t: 'end', serverTime: new Date().toISOString(), epoch: this.epoch } as const]
    return stream(lines, this.breakPushAfter)
  }

  #book(op: Operation): PushAnswer {
    const error = this.refuse(op)
    if (error !== null) return { t: 'refused', key: op.key, error: { code: error.code } }
    if (op.after.some((key) => !this.booked.has(key)))
      return { t: 'refused', key: op.key, error: { code: 'waits_for_earlier' } }
    this.booked.set(op.key, op)
    return {
      t: 'taken',
      key: op.key,
      receipt: { ...receiptOf(op, this.booked.size), ...this.outcome },
      result: this.result(op),
    }
  }

  #pull(url: URL): Response {
    const scope = url.searchParams.get('scope') ?? ''
    const cursor = Number(url.searchParams.get('cursor'))
    this.pulls.push({ scope, cursor })
    const serverTime = new Date().toISOString()
    const news = this.changes.filter((line) => ('seq' in line ? line.seq : 'cursor' in line ? line.cursor : 0) > cursor)
    const start: PullLine = {
      t: 'start',
      scope,
      epoch: this.epoch,
      scopeVersion: this.scopeVersion,
      total: news.filter((line) => line.t === 'put' || line.t === 'drop').length,
      durable: this.durable,
      serverTime,
    }
    const last = Math.max(cursor, ...news.map((line) => ('seq' in line ? line.seq : 0)))
    return stream([start, ...news, { t: 'end', cursor: last }], this.breakPullAfter)
  }

  #lease(body: Buffer): Response {
    const { centerId, deviceId } = JSON.parse(body.toString('utf8')) as { centerId: string; deviceId: string }
    const data = { id: newId(), centerId, deviceId, numbers: this.numbers }
    return Response.json({ code: 200, success: true, msg: '', data })
  }
}

export function receiptOf(op: Pick<Operation, 'key' | 'projectId'>, seq: number): Receipt {
  const hash = 'a'.repeat(64)
  return {
    key: op.key,
    outcome: 'applied',
    reason: null,
    projectId: op.projectId,
    seq,
    head: hash,
    payloadHash: hash,
    receivedAt: new Date().toISOString(),
  }
}

function failed(error: ApiError): Response {
  return Response.json(failureEnvelope(error, ''), { status: statusOfError(error.code).http })
}

/** Lines as they come; after `breakAfter` of them the connection is gone. */
function stream(lines: readonly object[], breakAfter: number | null): Response {
  const encoder = new TextEncoder()
  let sent = 0
  return new Response(
    new ReadableStream({
      pull(controller) {
        const line = lines[sent]
        if (line === undefined) controller.close()
        else if (breakAfter !== null && sent >= breakAfter) controller.error(new TypeError('connection reset'))
        else controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
        sent += 1
      },
    }),
  )
}
