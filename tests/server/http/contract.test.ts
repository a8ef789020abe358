import { describe, expect, it } from 'vitest'
import { calls } from '#core/api/table.ts'
import { handlers } from '#server/handlers.ts'

describe('the marks of the contract', () => {
  it('name exactly the calls that have a handler', () => {
    const marked = calls.filter((call) => call.servedBy !== null).map(({ id }) => id)
    expect(Object.keys(handlers).toSorted()).toEqual(marked.toSorted())
  })
})
