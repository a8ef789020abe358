import * as z from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'
import { PROTOCOL, protocolHistory } from '#core/sync/protocol/protocol.ts'

import type { JsonValue } from '../json.ts'
import { statusOfError } from './errorStatus.ts'
import { headers } from './headers.ts'
import type { Call } from './call.ts'

/** The OpenAPI 3.1 document of the contract, made from the table. */
export function openApiDocument(calls: readonly Call[]): { readonly [key: string]: JsonValue } {
  const paths: Record<string, Record<string, JsonValue>> = {}
  for (const call of calls) {
    const path = `/api${call.path.replaceAll(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zhenglu 证录',
      version: String(PROTOCOL),
      description: protocolHistory.map(({ protocol, day, change }) => `${protocol} (${day}): ${change}`).join('\n'),
    },
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'basic', description: 'Which client program calls: clientId:clientSecret.' },
        token: { type: 'apiKey', in: 'header', name: headers.token, description: 'bearer <access token>' },
      },
    },
  }
}

function operationOf(call: Call): JsonValue {
  const hasBody = call.method !== 'GET' && !isEmpty(schemaOf(call.body, 'input'))
  return {
    operationId: call.id,
    summary: call.summary,
    tags: [call.area],
    security: [securityOf(call)],
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query'), ...contextHeaders(call)],
    ...(hasBody
      ? { requestBody: { required: true, content: { [bodyType(call)]: { schema: schemaOf(call.body, 'input') } } } }
      : {}),
    responses: {
      '200': { description: 'Answer; in an envelope `success: false` is a failure.', content: contentOf(call) },
      ...failuresOf(call),
    },
    'x-permission': call.permission,
    'x-offline': call.offline,
    'x-timeout-ms': call.timeoutMs,
    'x-available': call.servedBy !== null,
  }
}

function securityOf({ auth }: Call): JsonValue {
  if (auth === 'link') return {}
  return auth === 'none' ? { client: [] } : { client: [], token: [] }
}

function bodyType({ upload }: Call): string {
  return upload === 'form'
    ? 'multipart/form-data'
    : upload === 'bytes'
      ? 'application/octet-stream'
      : 'application/json'
}

function contentOf(call: Call): JsonValue {
  const data = schemaOf(call.data, 'output')
  switch (call.answer) {
    case 'r':
      return { 'application/json': { schema: envelope(data) } }
    case 'tree':
      return { 'application/json': { schema: envelope({ type: 'array', items: data }) } }
    case 'page':
      return { 'application/json': { schema: envelope(page(data)) } }
    case 'raw':
      return { 'application/json': { schema: data } }
    case 'ndjson':
      return { 'application/x-ndjson': { schema: data } }
    case 'blob':
      return { 'application/octet-stream': {} }
  }
}

function envelope(data: JsonValue): JsonValue {
  const properties = { code: { type: 'integer' }, success: { type: 'boolean' }, msg: { type: 'string' }, data }
  return { type: 'object', properties, required: ['code', 'success', 'msg', 'data'] }
}

function page(record: JsonValue): JsonValue {
  const whole = { type: 'integer' }
  const properties = {
    records: { type: 'array', items: record },
    total: whole,
    size: whole,
    current: whole,
    pages: whole,
  }
  return { type: 'object', properties, required: ['records', 'total', 'size', 'current', 'pages'] }
}

/** Failures by HTTP status, with the codes that come under it. */
function failuresOf(call: Call): Readonly<Record<string, JsonValue>> {
  const byStatus = new Map<number, string[]>()
  for (const code of call.errors) {
    const status = statusOfError(code).http
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  byStatus.delete(200)
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), { description: codes.join(', ') }]))
}

function parametersOf(schema: ZodMiniType, place: 'path' | 'query'): readonly JsonValue[] {
  const { properties, required } = objectParts(schemaOf(schema, 'input'))
  return Object.entries(properties).map(([name, type]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: type,
  }))
}

function contextHeaders(call: Call): readonly JsonValue[] {
  const names = {
    none: [],
    project: [headers.projectId, headers.crfId],
    data: [headers.projectId, headers.crfId, headers.doubleSeqNo],
  }[call.context]
  const all = call.write ? [...names, headers.idempotencyKey] : names
  return all.map((name) => ({ name, in: 'header', required: false, schema: { type: 'string' } }))
}

function objectParts(schema: JsonValue): {
  readonly properties: Readonly<Record<string, JsonValue>>
  readonly required: readonly JsonValue[]
} {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return { properties: {}, required: [] }
  const { properties, required } = schema as {
    readonly properties?: Record<string, JsonValue>
    readonly required?: readonly JsonValue[]
  }
  return { properties: properties ?? {}, required: required ?? [] }
}

function isEmpty(schema: JsonValue): boolean {
  const { properties } = objectParts(schema)
  return (
    typeof schema === 'object' &&
    schema !== null &&
    'type' in schema &&
    schema.type === 'object' &&
    Object.keys(properties).length === 0
  )
}

/** JSON Schema of one of our schemas. What JSON Schema has no word for (checks of ours, any JSON) is left open. */
function schemaOf(schema: ZodMiniType, io: 'input' | 'output'): JsonValue {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return rest as JsonValue
}
