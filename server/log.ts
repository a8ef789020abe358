import type { LogLevel } from '#server/config.ts'

/**
 * The server's log: one JSON object a line. Fastify can use it (`loggerInstance`). It keeps patients' data and typed
 * text out: only scalars are written, a request is its method and route pattern (never its URL), and an error is its
 * type, code and place (its message may quote a value and is left out).
 */

const WEIGHT: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

type Scalar = string | number | boolean | null

/**
 * Writes one line: `log.info({ jobId }, 'job done')`. Further arguments are ignored: messages are never formatted from
 * values.
 */
export interface LogFunction {
  (fields: unknown, message?: string, ...ignored: unknown[]): void
  (message: string, ...ignored: unknown[]): void
}

export interface Log {
  level: string
  readonly trace: LogFunction
  readonly debug: LogFunction
  readonly info: LogFunction
  readonly warn: LogFunction
  readonly error: LogFunction
  readonly fatal: LogFunction
  readonly silent: LogFunction
  /** A log that adds `bindings` to each of its lines. */
  child(bindings: Readonly<Record<string, unknown>>): Log
}

export interface LogOptions {
  readonly level: LogLevel
  /** Receives each line, ending included. */
  readonly write: (line: string) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export function createLog(options: LogOptions): Log {
  return makeLog(options, options.now ?? Date.now, {})
}

function makeLog(options: LogOptions, now: () => number, bindings: Readonly<Record<string, Scalar>>): Log {
  const threshold = WEIGHT[options.level]
  const at = (level: LogLevel): LogFunction => {
    if (WEIGHT[level] < threshold || level === 'silent') return () => undefined
    return (first: unknown, message?: unknown) => {
      const fields = typeof first === 'string' ? {} : describe(first)
      // Fastify uses an error's own text as the message, and that may quote a value.
      const text = typeof first === 'string' ? first : message === errorIn(first)?.message ? undefined : message
      const line = { time: new Date(now()).toISOString(), level, ...bindings, ...fields }
      options.write(`${JSON.stringify(typeof text === 'string' ? { ...line, msg: text } : line)}\n`)
    }
  }
  return {
    level: options.level,
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    silent: at('silent'),
    child: (more) => makeLog(options, now, { ...bindings, ...describe(more) }),
  }
}

/**
 * The scalars of `value`. Requests, replies and errors become the parts of them that may be logged, other objects
 * only their kind.
 */
function describe(value: unknown): Record<string, Scalar> {
  if (value instanceof Error) return describeError(value)
  if (typeof value !== 'object' || value === null) return {}
  const fields: Record<string, Scalar> = {}
  for (const [key, field] of Object.entries(value)) {
    if (field instanceof Error) Object.assign(fields, describeError(field))
    else if (key === 'req') Object.assign(fields, describeRequest(field))
    else if (key === 'res') Object.assign(fields, pick(field, { statusCode: 'status' }))
    else if (isScalar(field)) fields[key] = field
    else if (field !== undefined) fields[key] = Array.isArray(field) ? `[${field.length}]` : `[${typeof field}]`
  }
  return fields
}

function errorIn(value: unknown): Error | undefined {
  if (value instanceof Error) return value
  return typeof value === 'object' && value !== null
    ? Object.values(value).find((field) => field instanceof Error)
    : undefined
}

function describeRequest(request: unknown): Record<string, Scalar> {
  const fields = pick(request, { id: 'reqId', method: 'method' })
  const route = property(request, 'routeOptions')
  return { ...fields, ...pick(route, { url: 'route' }) }
}

function describeError(error: Error): Record<string, Scalar> {
  // The first lines of a stack repeat the message; only the frames tell the place.
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return {
    error: error.name,
    ...pick(error, {
      code: 'errorCode',
      kind: 'errorKind',
      reason: 'errorReason',
      sqlState: 'sqlState',
      statusCode: 'status',
    }),
    at: frames
      .slice(0, 12)
      .map((line) => line.trim())
      .join(' | '),
  }
}

function pick(from: unknown, names: Readonly<Record<string, string>>): Record<string, Scalar> {
  const fields: Record<string, Scalar> = {}
  for (const [key, name] of Object.entries(names)) {
    const value = property(from, key)
    if (isScalar(value)) fields[name] = value
  }
  return fields
}

function property(from: unknown, key: string): unknown {
  return typeof from === 'object' && from !== null ? (Reflect.get(from, key) as unknown) : undefined
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
