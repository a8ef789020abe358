import { describe, expect, it } from 'vitest'
import { openApiDocument } from '#core/api/openapi.ts'
import { calls } from '#core/api/table.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: object
  }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

const document = openApiDocument(calls) as unknown as {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, operation })),
)

describe('the OpenAPI document', () => {
  it('describes every call of the contract once', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(
      calls.map(({ id }) => id).toSorted(),
    )
  })

  it('declares exactly the parameters that a path has', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
        inPath,
      )
    }
  })

  it('tells paging, bodies and failures of a call', () => {
    const list = operations.find(({ operation }) => operation.operationId === 'project.list')?.operation
    expect(list?.parameters).toContainEqual(expect.objectContaining({ name: 'current', in: 'query', required: false }))
    const update = operations.find(({ operation }) => operation.operationId === 'project.update')?.operation
    expect(update).toHaveProperty(['requestBody', 'content', 'application/json', 'schema', 'properties', 'projectName'])
    expect(update?.responses['400']?.description).toContain('project_closed')
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})
